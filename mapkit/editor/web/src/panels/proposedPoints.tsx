// The panel's part on control points that the names in the picture propose.
import { register } from "../actions";
import { aligned, chosenPoint, controlPoints, placed, proposed } from "../draw/background";
import { showError } from "../draw/common";
import { acceptPoints, dismissPoints, naming, proposePoints, readNames, setAlone, usedPoints, usePoint } from "../draw/proposedPoints";
import { showPanel } from "../shell/pane";
import { ActionButton, Button, Check } from "../ui";

/** So many points place a picture by a straight map. */
const FEWEST = 3;

register({
  id: "points-propose",
  label: "Place the picture by its names",
  group: "Draw",
  enabled: () => aligned() !== null && naming.stage.value === "",
  needs: () => (aligned() === null ? "add a picture in the work space Map, Background, first" : "its names are being read"),
  run: () => {
    showPanel("background");
    void proposePoints().catch(showError);
  },
});

const mm = (value: number | null | undefined): string => (value === null || value === undefined ? "–" : value.toFixed(2));

function Proposed({ name }: { name: string }) {
  const [now, read] = [proposed.value, readNames.value];
  if (!now || !read) return null;
  const by = new Map((placed.value?.points ?? []).map((point) => [point.key, point]));
  const used = usedPoints.value.length;
  const own = Object.keys(controlPoints.value).length;
  return (
    <>
      <p role="status">
        {read.names} names read beside {read.symbols} dots and squares, {read.known} of them known. {now.points.length} that agree are proposed; the
        picture lies as {used === now.points.length ? "they" : `the ${used} that you use`} would place it.
      </p>
      {own > 0 && <Check label={own === 1 ? "Take away the 1 control point that there is" : `Take away the ${own} control points that there are`} checked={now.alone} onCommit={setAlone} />}
      <div class="proposed">
        <table class="small">
          <caption>Proposed control points; take the mark off one that is wrong</caption>
          <thead>
            <tr>
              <th scope="col">Use</th>
              <th scope="col">Off mm</th>
              <th scope="col">Alone mm</th>
            </tr>
          </thead>
          <tbody>
            {now.points.map((point) => (
              <tr key={point.key} class={point.key === chosenPoint.value ? "chosen" : ""} onFocusIn={() => (chosenPoint.value = point.key)}>
                <td>
                  <Check
                    label={`${point.key === placed.value?.worst ? "⚠ " : ""}${point.name}`}
                    checked={!now.out.has(point.key)}
                    onCommit={(on) => usePoint(point.key, on)}
                  />
                </td>
                <td>{mm(by.get(point.key)?.off)}</td>
                <td>{mm(by.get(point.key)?.left_out)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="bar">
        <Button kind="primary" disabled={used < FEWEST} onClick={() => void acceptPoints(name).catch(showError)}>
          Place it by {used} points
        </Button>
        <Button onClick={dismissPoints}>Dismiss</Button>
      </div>
    </>
  );
}

/** The button, how far it is, and what is proposed. */
export function ByNames({ name }: { name: string }) {
  const { stage, error, stopped } = naming;
  return (
    <>
      <div class="bar">
        <ActionButton id="points-propose">Place by its names</ActionButton>
        {stage.value && <Button onClick={() => naming.stop()}>Stop</Button>}
      </div>
      {stage.value && (
        <p role="status">
          {name}: {stage.value} …
        </p>
      )}
      {stopped.value && <p role="status">Stopped; nothing is proposed.</p>}
      {error.value && (
        <p class="error" role="alert">
          {error.value}
        </p>
      )}
      <Proposed name={name} />
    </>
  );
}
