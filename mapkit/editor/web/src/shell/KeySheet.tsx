import { actions, keyText, type Action } from "../actions";
import { Dialog, openDialog } from "../ui";

/** The order of the sheet; what is named by no one here comes after. */
const ORDER = ["Tools", "Edit", "View", "Draw", "Panels"];
const CANVAS: readonly (readonly [string, string])[] = [
  ["Arrow keys", "Move the cross (Shift: one pixel)"],
  ["Enter", "Click at the cross"],
  ["Space", "Take hold at the cross; again: let go"],
  ["Escape", "Break off, then select nothing"],
  ["Wheel", "Zoom"],
  ["Middle or right button", "Drag the page"],
];

const placeOf = (group: string): number => (ORDER.includes(group) ? ORDER.indexOf(group) : ORDER.length);

function Keys() {
  const groups = new Map<string, Action[]>();
  for (const action of actions.value.values()) {
    if (!action.keys?.length) continue;
    groups.set(action.group, [...(groups.get(action.group) ?? []), action]);
  }
  return (
    <div class="keys">
      {[...groups].sort(([a], [b]) => placeOf(a) - placeOf(b)).map(([group, all]) => (
        <section key={group}>
          <h3>{group}</h3>
          <dl>
            {all.map((action) => (
              <div key={action.id}>
                <dt>
                  {(action.keys ?? []).map((key) => (
                    <kbd key={key}>{keyText(key)}</kbd>
                  ))}
                </dt>
                <dd>{action.label}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <section>
        <h3>On the board</h3>
        <dl>
          {CANVAS.map(([key, text]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
    </div>
  );
}

export function openKeySheet(): void {
  openDialog((close) => (
    <Dialog title="Keys" onClose={close} wide>
      <Keys />
    </Dialog>
  ));
}
