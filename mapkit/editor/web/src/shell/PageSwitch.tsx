// Whether the canvas shows the true map or the printed page, which moves what is crowded.
import { layingOut, layOutPage, printed, showTrueMap } from "../drawing";
import { revision } from "../store";
import { Button } from "../ui";

export function PageSwitch() {
  const shown = printed.value;
  return (
    <div class="page-switch" role="group" aria-label="What the canvas shows">
      <Button aria-pressed={!shown} title="Everything where it lies on the earth" onClick={showTrueMap}>
        True map
      </Button>
      <Button
        aria-pressed={shown !== null}
        disabled={layingOut.value}
        title="As it is printed: what is crowded is moved apart"
        onClick={() => {
          if (!shown) void layOutPage();
        }}
      >
        {layingOut.value ? "Laying out …" : "Printed page"}
      </Button>
      {shown && shown.at !== revision.value && (
        <Button disabled={layingOut.value} title="Move what is crowded now, and show what moves" onClick={() => void layOutPage()}>
          Lay out again
        </Button>
      )}
    </div>
  );
}
