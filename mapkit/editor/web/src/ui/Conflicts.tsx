import { inWords } from "../conflicts";
import type { Conflict } from "../wire";
import "./conflicts.css";

const MOST = 40;
const COLOUR = /^#[0-9a-f]{6}$/i;

function Value({ text }: { text: string }) {
  return (
    <td>
      {COLOUR.test(text) && <span class="swatch" style={{ background: text }} aria-hidden="true" />}
      {text}
    </td>
  );
}

/** Rows that two have changed differently: field by field, yours and theirs. */
export function Conflicts({ all, theirs }: { all: readonly Conflict[]; theirs: string }) {
  return (
    <>
      {all.slice(0, MOST).map((conflict) => {
        const { title, fields } = inWords(conflict);
        return (
          <section class="conflict" key={`${conflict.table} ${conflict.key}`}>
            <h3>{title}</h3>
            <table aria-label={title}>
              <thead>
                <tr>
                  <th scope="col">Field</th>
                  <th scope="col">Yours</th>
                  <th scope="col">{theirs}</th>
                </tr>
              </thead>
              <tbody>
                {fields.map((field) => (
                  <tr key={field.field}>
                    <th scope="row">{field.field}</th>
                    <Value text={field.mine} />
                    <Value text={field.theirs} />
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        );
      })}
      {all.length > MOST && <p class="hint">and {all.length - MOST} more rows</p>}
    </>
  );
}
