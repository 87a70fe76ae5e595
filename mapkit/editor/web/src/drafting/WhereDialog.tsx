// Where the board is: a country or a box on a map of the world sets projection, page and place names together, as one step.
import { useState } from "preact/hooks";
import { fitPage, query, run } from "../edit";
import { errorText } from "../errors";
import { Button, Dialog, Field, toast } from "../ui";
import { boxOf, boxText } from "./regions";
import { WorldMap } from "./WorldMap";

export function WhereDialog({ close }: { close: () => void }) {
  const [region, setRegion] = useState("");
  const [box, setBox] = useState("");
  const [error, setError] = useState("");
  const [busy, setBusy] = useState(false);
  const bounds = boxOf(box);
  const wrong = box.trim() !== "" && (bounds === null || bounds[0] >= bounds[2]);
  const put = async (): Promise<void> => {
    setError("");
    setBusy(true);
    try {
      const { values } = await query("region-settings", { region: region.trim(), box: bounds });
      const place = region.trim() || "the box";
      const { ok } = await run({ kind: "set-settings", values, label: `Put the board in ${place}` });
      if (!ok) return;
      await fitPage();
      toast(`The page shows ${place} now. Undo takes it back.`);
      close();
    } catch (problem) {
      setError(errorText(problem));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title="Where is the board?"
      onClose={close}
      buttons={
        <Button kind="primary" disabled={busy || wrong || (region.trim() === "" && bounds === null)} onClick={() => void put()}>
          {busy ? "Putting it there …" : "Put it there"}
        </Button>
      }
    >
      <div class="drafting">
        <p class="hint">Projection, page, coasts and place names follow, as one step that Undo takes back. Without a place the board shows the world.</p>
        <Field label="Country or region" value={region} placeholder="Ireland, or IE,GB-NIR" hint="Countries by name or code, or parts of them, with commas." error={error || null} onInput={setRegion} />
        <WorldMap box={bounds} onBox={(now) => setBox(boxText(now))} />
        <Field
          label="Only this box"
          value={box}
          placeholder="west,south,east,north"
          hint="Drag over the map, or write degrees; empty for the whole region."
          error={wrong ? "Write four numbers: west, south, east and north, in degrees, west less than east." : null}
          onInput={setBox}
        />
      </div>
    </Dialog>
  );
}
