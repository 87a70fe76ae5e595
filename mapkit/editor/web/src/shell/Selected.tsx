// What is selected, in the inspector.
import { useRef } from "preact/hooks";
import { board } from "../board";
import { select, selection, type Item } from "../selection";
import { junctions, railroads, segments } from "../store";
import { ActionButton, Button, Icon } from "../ui";
import { useRoving } from "../ui/roving";
import { called, Milepost, pickItem } from "./Milepost";
import { RailroadFacts } from "./Railroad";

function Segment({ id }: { id: string }) {
  const segment = segments.value[id];
  if (!segment) return null;
  return (
    <>
      <h3>{railroads.value[segment.railroad]?.name ?? segment.railroad}</h3>
      <p>
        {called(segment.a)} – {called(segment.b)}, {segment.miles.toFixed(1)} miles
      </p>
      <RailroadFacts id={segment.railroad} />
      <div class="bar">
        {[segment.a, segment.b].map((end) => (
          <Button key={end} onClick={() => pickItem({ kind: "milepost", id: end })}>
            Go to {called(end)}
          </Button>
        ))}
      </div>
    </>
  );
}

const DOING = ["name", "set-railroad", "set-region", "convert", "twins", "untwin", "copy", "delete"] as const;

/** What can be done with all that is selected, as icons. */
function Doing() {
  const bar = useRef<HTMLDivElement>(null);
  useRoving(bar);
  return (
    <div class="doing" role="toolbar" aria-label="What can be done with it" ref={bar}>
      {DOING.map((id) => (
        <ActionButton id={id} key={id}>
          <Icon of={id} />
        </ActionButton>
      ))}
    </div>
  );
}

/** What is selected, and what can be done with it. */
export function Selected() {
  return (
    <>
      {selection.value.length > 0 && <Doing />}
      <Chosen />
    </>
  );
}

/** What an item of several is called. */
function titleOf({ kind, id }: Item): string {
  if (kind === "milepost") return called(id);
  const segment = segments.value[id];
  const owner = segment?.railroad ?? junctions.value[id]?.railroad ?? "";
  const railroad = railroads.value[owner]?.name ?? "a railroad";
  return segment ? `${railroad}: ${called(segment.a)} – ${called(segment.b)}` : `Junction of ${railroad}`;
}

function Chosen() {
  const items = selection.value;
  const only = items.length === 1 ? items[0] : undefined;
  if (items.length === 0) return null;
  if (only?.kind === "milepost") return <Milepost id={only.id} />;
  if (only?.kind === "segment") return <Segment id={only.id} />;
  if (only?.kind === "junction") {
    const junction = junctions.value[only.id];
    return (
      <>
        <h3>Junction</h3>
        <p>A junction of {railroads.value[junction?.railroad ?? ""]?.name ?? "a railroad"}; trains of it pass at no cost.</p>
      </>
    );
  }
  return (
    <>
      <h3>{items.length} things are selected</h3>
      <div class="bar">
        <Button onClick={() => board.flyTo(items)}>Show them</Button>
        <Button onClick={() => select([])}>Select nothing</Button>
      </div>
      <ul class="plain">
        {items.slice(0, 200).map((item) => (
          <li key={`${item.kind}:${item.id}`}>
            <button type="button" class="link" onClick={() => pickItem(item)}>
              {titleOf(item)}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
