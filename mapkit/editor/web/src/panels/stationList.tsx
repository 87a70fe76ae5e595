// A line of the current railroad from a pasted station list: names in doubt are shown with the places they may mean.
import { useState } from "preact/hooks";
import { board } from "../board";
import { query, run } from "../edit";
import { errorText } from "../errors";
import { Button, Select, TextArea, toast } from "../ui";
import type { ChosenPlace, MatchCandidate, PlaceMatchingMatchedName as MatchedName } from "../generated";

const NONE = "";

function described(place: MatchCandidate): string {
  const off = place.off_line_mi === null ? "" : `, ${Math.round(place.off_line_mi)} miles off the line`;
  const people = place.population === null ? "" : `, ${place.population.toLocaleString("en-US")} people`;
  return `${place.place}${place.country && ` (${place.country})`}${off}${people}`;
}

/** Names in doubt, each with its candidates; the first choice is the proposal. */
function Doubts({ names, picked, onPick }: { names: readonly MatchedName[]; picked: Readonly<Record<string, string>>; onPick: (name: string, index: string) => void }) {
  return names.map((one) => {
    const first = one.meant ? `${one.meant}, which the board has` : one.proposal ? described(one.proposal) : "choose a place";
    const others = one.candidates.flatMap((place, index) => (described(place) === first ? [] : [{ value: String(index), label: described(place) }]));
    return (
      <Select
        key={one.name}
        label={one.name}
        hint={one.reason}
        value={picked[one.name] ?? NONE}
        options={[{ value: NONE, label: first }, ...others]}
        onCommit={(index) => onPick(one.name, index)}
      />
    );
  });
}

export function StationList({ railroad, name }: { railroad: string; name: string }) {
  const [text, setText] = useState("");
  const [doubts, setDoubts] = useState<readonly MatchedName[]>([]);
  const [picked, setPicked] = useState<Readonly<Record<string, string>>>({});
  const change = (typed: string): void => {
    setText(typed);
    setDoubts([]);
    setPicked({});
  };
  const add = async (): Promise<void> => {
    const chosen: Record<string, ChosenPlace> = {};
    for (const one of doubts) {
      const place = picked[one.name] ? one.candidates[Number(picked[one.name])] : undefined;
      if (place) chosen[one.name] = { lon: place.lon, lat: place.lat, source: place.fits === "between" ? place.place : `GeoNames: ${place.place} (${place.country})` };
    }
    try {
      const found = await query("station-list", { railroad, text, yes: doubts.length > 0, chosen });
      setDoubts(found.remaining);
      if (!found.command || !(await run(found.command)).ok) return;
      change("");
      board.fit();
    } catch (error) {
      toast(errorText(error), "error");
    }
  };
  return (
    <details class="part">
      <summary>A line from a station list</summary>
      <TextArea label={`Stations of ${name}, in order`} hint="With commas between them, such as Cape Town, Bellville, Paarl" value={text} onInput={change} />
      <Doubts names={doubts} picked={picked} onPick={(one, index) => setPicked({ ...picked, [one]: index })} />
      <div class="bar">
        <Button kind="primary" disabled={text.trim() === ""} onClick={() => void add()}>
          {doubts.length > 0 ? "Take these places, add the line" : "Add the line"}
        </Button>
      </div>
    </details>
  );
}
