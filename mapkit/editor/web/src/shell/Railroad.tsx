// The railroad of selected track in the inspector, with what can be changed of it.
import { readPrice } from "../draw/newRailroad";
import { run } from "../edit";
import { PATTERNS } from "../patterns";
import { railroads } from "../store";
import { Check } from "../ui";
import type { EditRailroad } from "../generated";
import { ChoiceFact, Fact, Facts, TextFact, type Send } from "./Facts";

const QUIET = { quiet: true };

export function RailroadFacts({ id }: { id: string }) {
  const row = railroads.value[id];
  if (!row) return null;
  const edit = (values: Omit<EditRailroad, "kind" | "id">): ReturnType<Send> => run({ kind: "edit-railroad", id, ...values }, QUIET);
  const price: Send = (text) => {
    const value = readPrice(text);
    return typeof value === "string" ? value : edit({ price: value });
  };
  return (
    <Facts>
      <TextFact label="Name" name="Its name" value={row.name} send={(name) => edit({ name })} />
      <TextFact label="Mark" name="Its reporting mark" value={row.short} send={(short) => edit({ short })} />
      <TextFact label="Price" name="Its price" value={String(row.price)} send={price} />
      <TextFact label="Colour" name="Its colour" type="color" value={row.colour} send={(colour) => edit({ colour })} />
      <ChoiceFact label="Pattern" name="Its pattern" value={row.pattern} options={PATTERNS} send={(pattern) => edit({ pattern: pattern as typeof row.pattern })} />
      <Fact label="Public">
        <Check label="Every player may ride it" checked={row.public} onCommit={(on) => void run({ kind: "edit-railroad", id, public: on })} />
      </Fact>
    </Facts>
  );
}
