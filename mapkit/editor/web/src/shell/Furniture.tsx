// What stands in the corners of the canvas: zoom, the scale, and where north is.
import { effect, signal } from "@preact/signals";
import { perform } from "../actions";
import { seen } from "../board/sight";
import { degrees } from "../commands";
import { page, ready } from "../store";
import { Icon } from "../ui";

const ZOOMS = [
  ["zoom-in", "Zoom in"],
  ["zoom-out", "Zoom out"],
  ["fit", "Show the whole page"],
] as const;
const METRES = 1609.344;
/** The narrowest bar is two fifths of it, and has room for "1,000 miles". */
const WIDEST = 180;

/** The longest round number of miles whose bar is not wider than so many pixels, and the width of the bar. */
export function scaleBar(milesPerPixel: number, widest = WIDEST): { miles: number; width: number } {
  const most = milesPerPixel * widest;
  const power = 10 ** Math.floor(Math.log10(most));
  const miles = [5, 2, 1].map((n) => n * power).find((n) => n <= most) ?? power;
  return { miles, width: miles / milesPerPixel };
}

/** Degrees by which north is turned from upwards, to the right, in the middle of what is seen. */
const north = signal<number | null>(null);
let waiting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const now = seen.value;
  clearTimeout(waiting);
  if (!now || !ready.value) return; // before there is a board nobody can say where north is
  const [x, y] = now.middle;
  waiting = setTimeout(() => {
    degrees([[x, y], [x, y - 1]]).then(
      ([here, above]) => {
        if (here && above) north.value = (-Math.atan2((above[0] - here[0]) * Math.cos((here[1] * Math.PI) / 180), above[1] - here[1]) * 180) / Math.PI;
      },
      () => (north.value = null),
    );
  }, 250);
});

export function Furniture() {
  const { scale_mm_per_m: scale } = page.value.projection;
  const now = seen.value;
  const bar = now && scale > 0 ? scaleBar(now.resolution / scale / METRES) : null;
  return (
    <>
      <div class="zooms" role="group" aria-label="Zoom">
        {ZOOMS.map(([id, label]) => (
          <button type="button" class="button" key={id} aria-label={label} title={label} onClick={() => perform(id)}>
            <Icon of={id} />
          </button>
        ))}
      </div>
      <div class="scale">
        {north.value !== null && (
          <span class="north" role="img" aria-label="North" title="North" style={{ transform: `rotate(${north.value.toFixed(1)}deg)` }}>
            N
          </span>
        )}
        {bar && (
          <span class="scale-bar" style={{ width: `${bar.width}px` }}>
            {bar.miles.toLocaleString("en")} {bar.miles === 1 ? "mile" : "miles"}
          </span>
        )}
      </div>
    </>
  );
}
