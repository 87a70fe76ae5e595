// What a printer gets, page by page, and as a file.
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button, Check, Empty, Field, Select } from "../ui";
import { toast } from "../ui/Toast";
import { LookBar } from "./Gallery";
import { askCards, look, revision, urlOf, view } from "./store";
import type { PrintedPages } from "./wire";

const paper = signal({ paper: "a4", bleed: 0, backs: true });
const printed = signal<PrintedPages | null>(null);
const trouble = signal<string | null>(null);
const page = signal(0);
/** Whether the PDF is being made. */
export const printing = signal(false);

const asked = (): Record<string, string | number | boolean> => ({ ...look.value, ...paper.value });

async function ask(): Promise<void> {
  const at = JSON.stringify([asked(), revision.peek()]);
  try {
    const found = await askCards("pages", asked());
    if (at !== JSON.stringify([asked(), revision.peek()])) return;
    printed.value = found;
    page.value = Math.min(page.peek(), found.pages.length - 1);
    trouble.value = null;
  } catch (error) {
    trouble.value = error instanceof Error ? error.message : String(error);
  }
}

export async function download(): Promise<void> {
  printing.value = true;
  try {
    const file = await askCards("printed", asked());
    const bytes = Uint8Array.from(atob(file.pdf), (letter) => letter.charCodeAt(0));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type: "application/pdf" }));
    link.download = file.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    toast(`${file.name} is in your downloads.`);
  } catch (error) {
    toast(error instanceof Error ? error.message : String(error), "error");
  } finally {
    printing.value = false;
  }
}

function Choices() {
  const at = paper.value;
  const papers = (view.value?.papers ?? [at.paper]).map((value) => ({ value, label: value === "letter" || value === "tabloid" ? value : value.toUpperCase() }));
  return (
    <div class="bar look" role="group" aria-label="How it is printed">
      <Select label="Paper" value={at.paper} options={papers} onCommit={(to) => (paper.value = { ...at, paper: to })} />
      <Field label="Bleed, in mm" type="number" min={0} max={10} step={0.5} value={at.bleed} onCommit={(text) => (paper.value = { ...at, bleed: Math.max(0, Math.min(10, Number(text) || 0)) })} />
      <Check label="Backs of cards" checked={at.backs} onCommit={(backs) => (paper.value = { ...at, backs })} />
      <Button kind="primary" disabled={printing.value} onClick={() => void download()}>
        {printing.value ? "Making the PDF …" : "Download as PDF"}
      </Button>
    </div>
  );
}

export function Sheets() {
  const [now, how, at] = [look.value, paper.value, revision.value];
  useEffect(() => void ask(), [now, how, at]);
  const found = printed.value;
  const last = (found?.pages.length ?? 1) - 1;
  const section = found?.sections.find(([, first, pages]) => page.value + 1 >= first && page.value + 1 < first + pages);
  const svg = found?.pages[page.value];
  return (
    <section class="sheets" aria-label="Sheets">
      <LookBar />
      <Choices />
      {trouble.value && <p role="alert">{trouble.value}</p>}
      {found && !trouble.value && (
        <>
          <div class="bar" role="group" aria-label="Pages">
            <Button disabled={page.value <= 0} onClick={() => (page.value -= 1)}>
              Page before
            </Button>
            <span role="status">
              Page {page.value + 1} of {last + 1}: {section?.[0]}
            </span>
            <Button disabled={page.value >= last} onClick={() => (page.value += 1)}>
              Page after
            </Button>
            {found.sections.map(([title, first]) => (
              <Button key={first} kind="quiet" aria-pressed={section?.[1] === first} onClick={() => (page.value = first - 1)}>
                {title}
              </Button>
            ))}
          </div>
          {svg && (
            <div class="paper">
              <img src={urlOf(svg)} alt={`Page ${page.value + 1}: ${section?.[0] ?? ""}`} />
            </div>
          )}
          <ul class="notes">
            {found.notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
      {!found && !trouble.value && (
        <Empty title="Laying out the pages …">
          <p>Rules, track, tokens and cards stand here as they are printed.</p>
        </Empty>
      )}
    </section>
  );
}
