// New railroads: name, reporting mark and price, asked for in one dialog wherever one is made.
import { register } from "../actions";
import { OF_RAILROADS, UNKNOWN } from "../colours";
import { run } from "../edit";
import { confirmFindings } from "../stepFindings";
import { slug } from "../names";
import { PATTERNS } from "../patterns";
import { currentRailroad } from "../selection";
import { railroads } from "../store";
import { Field, FormDialog, openDialog } from "../ui";
import { toast } from "../ui/Toast";
import type { Command } from "../wire";

interface Look {
  colour: string;
  pattern: (typeof PATTERNS)[number]["value"];
}

/** The first colour that no railroad has; where each is taken, the first pattern in which one of them is not. */
export function freeLook(): Look {
  const taken = Object.values(railroads.value).map(({ colour, pattern }) => `${colour.toLowerCase()} ${pattern}`);
  const looks = PATTERNS.flatMap(({ value: pattern }): Look[] => OF_RAILROADS.map((colour) => ({ colour, pattern })));
  const none = { colour: UNKNOWN, pattern: "solid" } as const;
  return looks.find(({ colour }) => !taken.some((look) => look.startsWith(colour))) ?? looks.find(({ colour, pattern }) => !taken.includes(`${colour} ${pattern}`)) ?? none;
}

/** The first of numbered names that is not taken: name, name-2, name-3. */
export function free(name: string, taken: ReadonlySet<string>, joint = "-"): string {
  if (!taken.has(name)) return name;
  let number = 2;
  while (taken.has(`${name}${joint}${number}`)) number += 1;
  return `${name}${joint}${number}`;
}

/** A reporting mark for a name: its initials, or its first letters. */
export function markFor(name: string): string {
  const words = name.trim().split(/\s+/);
  const mark = words.length > 1 ? words.map((word) => word[0]!.toUpperCase()).join("") : name.trim().slice(0, 5).toUpperCase();
  const marks = Object.values(railroads.value).map((row) => row.short.toUpperCase());
  return free(mark, new Set(marks), "");
}

/** A price as people type it, "12,000"; null, with a word why, if it is none. */
export function priceOf(text: string): number | null {
  const price = readPrice(text);
  if (typeof price === "number") return price;
  toast(price, "error");
  return null;
}

/** The price that a text says, or why it says none. */
export function readPrice(text: string): number | string {
  const value = Number(text.replaceAll(/[\s,_$]/g, ""));
  if (text.trim() !== "" && Number.isInteger(value) && value >= 0) return value;
  return `${text.trim() || "Nothing"} is not a price; type a whole number such as 12000.`;
}

/** What railroads of the board cost, for a new one to compare with. */
export function usualPrices(): string {
  const prices = Object.values(railroads.value).map((row) => row.price).filter((price) => price > 0);
  if (prices.length === 0) return "What a player pays to the bank, such as 12000.";
  const [least, most] = [Math.min(...prices), Math.max(...prices)].map((price) => price.toLocaleString("en-US"));
  return least === most ? `The others cost ${least!}.` : `The others cost ${least!} to ${most!}.`;
}

export function newRailroad(): void {
  let [name, short, price] = ["", "", ""];
  openDialog((close) => {
    const add = async (): Promise<void> => {
      const id = slug(short || name);
      if (!name.trim() || !id) return void toast("Type a name with letters or digits first.", "error");
      const cost = priceOf(price);
      if (cost === null) return;
      const own = free(id, new Set(Object.keys(railroads.value)));
      const add: Command = { kind: "add-railroad", id: own, name: name.trim(), short: short.trim() || markFor(name), price: cost, ...freeLook() };
      if (!(await confirmFindings(add, "Add it all the same")) || !(await run(add)).ok) return;
      currentRailroad.value = own;
      close();
    };
    return (
      <FormDialog title="New railroad" done="Add it" onClose={close} onDone={() => void add()}>
        <Field label="Name" value="" autoFocus onInput={(text) => (name = text)} />
        <Field label="Reporting mark" value="" placeholder="its initials, if you leave this empty" onInput={(text) => (short = text)} />
        <Field label="Price" value="" hint={usualPrices()} onInput={(text) => (price = text)} />
      </FormDialog>
    );
  });
}

register({ id: "new-railroad", label: "New railroad …", group: "Draw", run: newRailroad });
