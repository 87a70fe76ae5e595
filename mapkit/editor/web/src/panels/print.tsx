// What can be printed and exported, with the page as it will be.
import { LINES } from "../exporting/actions";
import { layingOut, layOutPage, printed, showTrueMap } from "../drawing";
import { actions, keyText } from "../actions";
import { Button, Icon } from "../ui";
import type { Panel } from "./panel";

function Print() {
  const shown = printed.value !== null;
  return (
    <>
      <section aria-label="The page">
        <h3>The page</h3>
        <p class="hint">The board is drawn as it is printed. On the printed page, what is crowded is moved apart.</p>
        <div class="bar">
          <Button aria-pressed={shown} disabled={layingOut.value} onClick={() => (shown ? showTrueMap() : void layOutPage())}>
            {layingOut.value ? "Laying out …" : "Show the printed page"}
          </Button>
        </div>
      </section>
      <section aria-label="Make">
        <h3>Make</h3>
        <ul class="makes">
          {LINES.map(({ what, label, about }) => {
            const key = actions.value.get(`make-${what}`)?.keys?.[0];
            return (
              <li key={what}>
                <button type="button" class="make" onClick={() => actions.value.get(`make-${what}`)?.run()}>
                  <Icon of={`make-${what}`} />
                  <span>
                    <strong>{label}</strong>
                    <span class="hint">{about}</span>
                  </span>
                  {key && <kbd>{keyText(key)}</kbd>}
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    </>
  );
}

export const printPanel: Panel = { id: "print", title: "Print", keys: ["Alt+X"], component: Print };
