// Which figures the board shows as colours.
import { Button } from "../ui";
import { onBoard, type OnBoard } from "./onBoard";

export function Colours({ choices }: { choices: readonly { id: OnBoard; label: string }[] }) {
  return (
    <div class="bar" role="group" aria-label="Colours on the board">
      <span>On the board:</span>
      {[{ id: "off" as const, label: "Own colours" }, ...choices].map(({ id, label }) => (
        <Button key={id} kind="quiet" aria-pressed={onBoard.value === id} onClick={() => (onBoard.value = id)}>
          {label}
        </Button>
      ))}
    </div>
  );
}
