// Earlier moments of the board that it can be compared with.
import { history } from "../store";

export function momentOptions(): { value: string; label: string }[] {
  const steps = [...history.value.steps, ...history.value.other];
  return [
    { value: "saved", label: "the last save" },
    { value: "0", label: "the board was first opened" },
    ...steps.flatMap((one) => one.checkpoints.map((name) => ({ value: String(one.n), label: `checkpoint ${name}` }))),
  ];
}

export const momentOf = (value: string): "saved" | number => (value === "saved" ? "saved" : Number(value));
