// A press on a button counts though the button moves from under the pointer before it is released, as when the field that
// loses the focus settles and grows by a line: browsers make no click of it then.

/** Pixels that a pointer may move between press and release. */
const STILL = 6;

export function keepPresses(): void {
  let pressed: { button: HTMLButtonElement; x: number; y: number } | null = null;
  addEventListener(
    "pointerdown",
    ({ target, button, clientX: x, clientY: y }) => {
      const found = button === 0 && target instanceof Element ? target.closest("button") : null;
      pressed = found && { button: found, x, y };
    },
    true,
  );
  addEventListener("click", () => (pressed = null), true);
  addEventListener(
    "pointerup",
    ({ target, clientX, clientY }) => {
      const now = pressed;
      pressed = null;
      if (!now || !now.button.isConnected || Math.hypot(clientX - now.x, clientY - now.y) > STILL) return;
      if (target instanceof Node && !now.button.contains(target)) now.button.click();
    },
    true,
  );
}
