// Figures of what is dragged, beside the pointer; a screen reader hears them from the board.
import { dragged, draggedAt, milesText } from "../board/dragged";
import { Icon } from "../ui";

/** Pixels between the pointer and the card. */
const BESIDE = 20;

export function DragCard() {
  const now = dragged.value;
  if (!now) return null;
  const { x, y, width, height } = draggedAt.value;
  // on the side that has more room, so that it stays in the canvas
  const [right, below] = [x < width / 2, y < height / 2];
  const shift = `translate(${right ? "0" : "-100%"}, ${below ? "0" : "-100%"})`;
  return (
    <div class="drag-card" aria-hidden="true" style={{ transform: `translate(${x + (right ? BESIDE : -BESIDE)}px, ${y + (below ? BESIDE : -BESIDE)}px) ${shift}` }}>
      <strong>{now.title}</strong>
      {now.notes.map((note) => (
        <p class="warning" key={note}>
          <Icon of="warning" /> {note}
        </p>
      ))}
      <ul>
        {now.neighbours.map(({ key, name, railroads, miles, was }) => (
          <li key={key}>
            <span class="to">{name}</span>
            {railroads.map(({ short, colour }) => (
              <span class="chip" key={short} style={{ borderColor: colour }}>
                {short}
              </span>
            ))}
            <span class="figure">
              {milesText(miles)} mi
              {milesText(miles) !== milesText(was) && <small> was {milesText(was)}</small>}
            </span>
          </li>
        ))}
      </ul>
      {now.more > 0 && <small>and {now.more} more</small>}
    </div>
  );
}
