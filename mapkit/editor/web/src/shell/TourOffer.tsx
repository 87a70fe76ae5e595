// A tour is offered on boards that come with the program, until it was taken or declined.
import { computed } from "@preact/signals";
import { board, ready } from "../store";
import { Button } from "../ui";
import { Banner } from "./Banners";
import { onPhone } from "./room";
import { declineTour, startTour, tourAt, tourKnown } from "./Tour";

const SHIPPED = new Set(["usa", "mexico", "portugal"]);
const offered = computed(() => ready.value && SHIPPED.has(board.value) && !tourKnown.value && tourAt.value === null);

export function TourOffer() {
  if (!offered.value || onPhone.value) return null;
  return (
    <Banner
      level="info"
      buttons={
        <>
          <Button kind="primary" onClick={() => startTour(true)}>
            Take the tour
          </Button>
          <Button onClick={declineTour}>Not now</Button>
        </>
      }
    >
      New here? A tour of two minutes shows what is where.
    </Banner>
  );
}
