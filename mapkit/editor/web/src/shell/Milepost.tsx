// A milepost in the inspector: the cities on it, or its own name, where it lies, and what is next to it.
import { board } from "../board";
import { UNKNOWN } from "../colours";
import { placeOf } from "../commands";
import { EXAMPLES, readCoordinates } from "../draw/coordinates";
import { run } from "../edit";
import { select, type Item } from "../selection";
import { cities, mileposts, railroads, rows, segments } from "../store";
import { Button } from "../ui";
import type { Milepost as Post } from "../wire";
import { ChoiceFact, Fact, Facts, TextFact, type Send } from "./Facts";

export function called(id: string): string {
  return mileposts.value[id]?.name ?? id;
}

export function pickItem(item: Item): void {
  select([item]);
  board.flyTo([item]);
}

const QUIET = { quiet: true };

const move =
  (place: string): Send =>
  (text) => {
    const spot = readCoordinates(text);
    return spot === null || "problem" in spot ? (spot?.problem ?? `Write the position, ${EXAMPLES}.`) : run({ kind: "edit-place", place, lon: spot.lon, lat: spot.lat }, QUIET);
  };

/** The facts of a city; where several share a milepost, each can have one of its own. */
function CityFacts({ id, several }: { id: string; several: boolean }) {
  const city = cities.value[id];
  if (!city) return null;
  const of = several ? ` (${city.name})` : "";
  return (
    <>
      <TextFact label="Name" name={`Its name${of}`} value={city.name} send={(name) => run({ kind: "edit-city", id, name }, QUIET)} />
      <ChoiceFact
        label="Region"
        name={`Its region${of}`}
        value={city.region}
        options={rows("regions").map((row) => ({ value: row.key, label: row.name }))}
        send={(region) => run({ kind: "edit-city", id, region }, QUIET)}
      />
      {several && (
        <Fact label="Twin">
          <Button aria-label={`Give ${city.name} a milepost of its own`} onClick={() => void run({ kind: "edit-city", id, milepost: "" })}>
            Take apart
          </Button>
        </Fact>
      )}
    </>
  );
}

function kindText(post: Post): string {
  if (post.kind !== "city") return "Milepost";
  return post.cities.length > 1 ? `City: ${post.cities.map((city) => cities.value[city]?.name ?? city).join(", ")}` : "City";
}

function Neighbours({ id }: { id: string }) {
  const arms = Object.entries(segments.value).filter(([, s]) => s.a === id || s.b === id);
  return (
    <>
      <h4>Next mileposts</h4>
      <ul class="neighbours">
        {arms.map(([key, s]) => {
          const other = s.a === id ? s.b : s.a;
          return (
            <li key={key}>
              <button type="button" class="link" title={called(other)} onClick={() => pickItem({ kind: "milepost", id: other })}>
                {called(other)}
              </button>
              <span class="chip" style={{ borderColor: railroads.value[s.railroad]?.colour ?? UNKNOWN }}>
                {railroads.value[s.railroad]?.short ?? s.railroad}
              </span>
              <span class="figure">{s.miles.toFixed(0)} miles</span>
            </li>
          );
        })}
      </ul>
    </>
  );
}

export function Milepost({ id }: { id: string }) {
  const post = mileposts.value[id];
  if (!post) return null;
  const place = placeOf(id);
  return (
    <>
      <h3>{post.name}</h3>
      <Facts>
        <Fact label="Kind">{kindText(post)}</Fact>
        {post.cities.map((city) => (
          <CityFacts key={city} id={city} several={post.cities.length > 1} />
        ))}
        {post.cities.length === 0 && (
          <TextFact label="Name" name="Its name" value={place.startsWith("@") ? "" : place} send={(name) => run({ kind: "edit-place", place, name }, QUIET)} />
        )}
        <TextFact label="Position" name="Its position" value={`${post.lat.toFixed(4)}, ${post.lon.toFixed(4)}`} send={move(place)} />
      </Facts>
      <Neighbours id={id} />
    </>
  );
}
