// Pointer and keyboard of the canvas, turned into the gestures that tools know. Arrow keys move a cross; Enter clicks
// there, Space takes hold and lets go, so every tool can be worked without a pointer.
import DragPan from "ol/interaction/DragPan.js";
import Kinetic from "ol/Kinetic.js";
import type OlMap from "ol/Map.js";
import type MapBrowserEvent from "ol/MapBrowserEvent.js";
import { hovered, itemKey, select, selectedKeys } from "../../selection";
import type { Point } from "../../wire";
import type { At, BoardView } from "../BoardView";
import { draggedAt, draggedText } from "../dragged";
import { described, emptyPlace, say } from "../saying";
import { menuAt, pointed } from "../sight";

/** What it needs of the canvas beside what all see. */
interface PointedBoard extends BoardView {
  /** Millimetres to a pixel. */
  readonly resolution: number;
}

/** Pixels that an arrow moves the cross, and with Shift. */
const STEP = 10;
const SMALL_STEP = 1;
const ARROWS: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** How far the pointer may move between press and release of a click, in pixels. */
const CLICK = 5;

/** Milliseconds that a finger rests before it asks for the menu, and how far it may move meanwhile, in pixels. */
const LONG_PRESS = 500;
const FINGER = 12;

/** What needs Space to type or to choose. */
const TYPED = "input, textarea, select, [contenteditable=true]";

export class Pointing {
  private pressed: "no" | "pointer" | "keyboard" = "no";
  /** What the keyboard has taken hold of, in a word. */
  private held: string | null = null;
  private cross: { x: number; y: number } | null = null;
  private last: At | null = null;
  /** Where the pointer is, to say what is there after the page has moved under it. */
  private over: PointerEvent | null = null;
  /** Whether the pointer was moved after the cross was. */
  private pointing = false;
  /** Space is held while the pointer is over the canvas: dragging moves the page. */
  private spaced = false;
  /** Where the right button was pressed, to tell a click from a drag. */
  private right: { x: number; y: number } | null = null;
  /** Where a finger was put down, until it is a drag, a menu or one of several. */
  private tapped: { x: number; y: number; id: number } | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  /** A finger that asked for the menu is still down. */
  private asking = false;
  private readonly stop = new AbortController();

  constructor(
    private readonly board: PointedBoard,
    private readonly map: OlMap,
    private readonly element: HTMLElement,
  ) {
    const options = { signal: this.stop.signal };
    element.addEventListener("pointerdown", (event) => this.down(event), options);
    element.addEventListener("pointermove", (event) => this.move(event), options);
    element.addEventListener("pointerup", (event) => this.up(event), options);
    element.addEventListener("pointercancel", () => {
      this.lift();
      this.breakOff();
    }, options);
    // or the click that follows would take the focus from the menu
    element.addEventListener("touchend", (event) => this.asking && event.preventDefault(), { ...options, passive: false });
    element.addEventListener("pointerleave", () => this.leave(), options);
    element.addEventListener("dblclick", (event) => this.board.tool?.double?.(this.at(event), this.board), options);
    element.addEventListener("contextmenu", (event) => this.menu(event), options);
    addEventListener("keyup", (event) => event.key === " " && this.spaced && this.space(false), options);
    addEventListener("blur", () => this.spaced && this.space(false), options);
    addEventListener("keydown", (event) => this.anyKey(event), { ...options, capture: true });
    element.addEventListener("keydown", (event) => this.key(event), options);
    element.addEventListener("focus", () => this.showCross(), options);
    element.addEventListener("blur", () => this.board.sketch("cross", []), options);
    map.on("moveend", () => this.point());
  }

  dispose(): void {
    this.lift();
    this.stop.abort();
  }

  /** A finger is put down: if it rests, it asks for the menu of what lies there. */
  private touch(event: PointerEvent): void {
    const finger = event.isPrimary ? { x: event.clientX, y: event.clientY, id: event.pointerId } : null;
    this.lift();
    this.asking = false;
    this.tapped = finger;
    if (!finger) return;
    this.resting = setTimeout(() => {
      this.lift();
      this.asking = true;
      this.ask(this.at(event), finger.x, finger.y);
    }, LONG_PRESS);
  }

  /** What the finger does is no tap. */
  private lift(): void {
    clearTimeout(this.resting);
    this.tapped = null;
  }

  /** Dragging the page: with the hand, the middle button, or Alt held. */
  panning(): DragPan {
    const condition = (event: MapBrowserEvent): boolean => {
      const from = event.originalEvent as PointerEvent;
      return this.pans(from) || from.pointerType === "touch";
    };
    return new DragPan({ condition, kinetic: new Kinetic(-0.005, 0.05, 100) });
  }

  private pans(event: PointerEvent): boolean {
    return event.button === 1 || event.button === 2 || this.spaced || this.board.tool?.pans === true;
  }

  /** Forget a gesture that was begun. */
  breakOff(): void {
    if (this.pressed === "no") return;
    this.pressed = "no";
    this.held = null;
    this.board.tool?.cancel?.(this.board);
  }

  private at(event: PointerEvent | MouseEvent): At {
    const [x, y] = this.map.getEventCoordinate(event);
    const place = this.truly([x ?? 0, -(y ?? 0)]);
    const item = this.board.hit(place.x, place.y);
    return { ...place, item, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey, keyboard: false };
  }

  private truly(shown: Point): { x: number; y: number } {
    const [x, y] = this.board.truePlace(shown);
    return { x, y };
  }

  private down(event: PointerEvent): void {
    this.element.focus({ preventScroll: true });
    if (this.pressed === "keyboard") this.breakOff();
    this.right = event.button === 2 ? { x: event.clientX, y: event.clientY } : null;
    this.cross = null;
    this.board.sketch("cross", []);
    if (event.pointerType === "touch") this.touch(event);
    if (event.button !== 0 || this.pans(event) || event.pointerType === "touch") return;
    this.element.setPointerCapture(event.pointerId);
    this.pressed = "pointer";
    this.board.tool?.down?.(this.at(event), this.board);
  }

  private move(event: PointerEvent): void {
    if (this.tapped?.id === event.pointerId && Math.hypot(event.clientX - this.tapped.x, event.clientY - this.tapped.y) > FINGER) this.lift();
    const at = this.at(event);
    this.last = at;
    // a page that moves under a pointer at rest sends its place again
    if (this.over?.clientX !== event.clientX || this.over.clientY !== event.clientY) this.pointing = true;
    this.over = event;
    this.point();
    if (this.pressed === "no") hovered.value = at.item;
    this.place(this.map.getEventPixel(event));
    this.board.tool?.move?.(at, this.board, this.pressed === "pointer");
  }

  /** Say where what is dragged is, without asking the page for its layout. */
  private place([x = 0, y = 0]: readonly number[]): void {
    const [width = 0, height = 0] = this.map.getSize() ?? [];
    draggedAt.value = { x, y, width, height };
  }

  private up(event: PointerEvent): void {
    const isTap = this.tapped?.id === event.pointerId;
    this.lift();
    if (isTap && this.pressed === "no") {
      this.board.tool?.down?.(this.at(event), this.board);
      this.board.tool?.up?.(this.at(event), this.board);
    }
    const { right } = this;
    this.right = null;
    if (right && event.button === 2 && Math.hypot(event.clientX - right.x, event.clientY - right.y) < CLICK) this.ask(this.at(event), event.clientX, event.clientY);
    if (this.pressed !== "pointer") return;
    this.pressed = "no";
    this.board.tool?.up?.(this.at(event), this.board);
  }

  private leave(): void {
    hovered.value = null;
    this.over = null;
    this.point();
  }

  private point(): void {
    const at = this.over ? this.at(this.over) : null;
    pointed.value = at ? [at.x, at.y] : null;
  }

  private space(held: boolean): void {
    this.spaced = held;
    this.element.style.cursor = held ? "grab" : (this.board.tool?.cursor ?? "");
  }

  /** The menu by its key, at the cross; a click of the right button asks for it when it is let go. */
  private menu(event: MouseEvent): void {
    event.preventDefault();
    // a finger that rests has asked already
    if (event.button === 2 || (event as PointerEvent).pointerType === "touch") return;
    const center = this.map.getView().getCenter() ?? [0, 0];
    const place = this.cross ?? this.truly([center[0] ?? 0, -(center[1] ?? 0)]);
    const { x, y } = this.board.toScreen([place.x, place.y]);
    const item = this.board.hit(place.x, place.y, undefined, 12);
    this.ask({ ...place, item, shift: false, ctrl: false, alt: false, keyboard: true }, x, y);
  }

  private ask(at: At, x: number, y: number): void {
    if (at.item === null) select([]);
    else if (!selectedKeys.value.has(itemKey(at.item))) select([at.item]);
    menuAt.value = { x, y };
  }

  private here(event: KeyboardEvent): At {
    const center = this.map.getView().getCenter() ?? [0, 0];
    this.cross ??= this.last ? { x: this.last.x, y: this.last.y } : this.truly([center[0] ?? 0, -(center[1] ?? 0)]);
    const place = this.cross;
    const item = this.board.hit(place.x, place.y, undefined, 12);
    return { ...place, item, shift: event.shiftKey, ctrl: event.ctrlKey || event.metaKey, alt: event.altKey, keyboard: true };
  }

  /** Space moves the page wherever the focus is, such as on a button that was clicked, if the pointer came after the keys. */
  private anyKey(event: KeyboardEvent): void {
    if (event.key === "Tab" || event.key in ARROWS) this.pointing = false;
    if (event.key !== " " || event.ctrlKey || event.metaKey || event.altKey) return;
    if (!this.pointing || pointed.value === null || this.pressed === "keyboard") return;
    if (document.querySelector("dialog[open]") || (event.target instanceof Element && event.target.matches(TYPED))) return;
    this.space(true);
    event.preventDefault();
    event.stopPropagation();
  }

  private key(event: KeyboardEvent): void {
    if (event.target !== this.element) return;
    const arrow = ARROWS[event.key];
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (arrow && plain) {
      const from = this.here(event);
      const step = (event.shiftKey ? SMALL_STEP : STEP) * this.board.resolution;
      const [x, y] = this.board.shownPlace([from.x, from.y]);
      this.cross = this.truly([x + arrow[0] * step, y + arrow[1] * step]);
      this.follow();
      const at = this.here(event);
      if (this.pressed === "no") hovered.value = at.item;
      this.board.tool?.move?.(at, this.board, this.pressed === "keyboard");
      this.showCross();
      say(this.held === null ? this.lying(at, event.shiftKey) : `Holding ${this.held}. ${draggedText() || this.lying(at, event.shiftKey)}`);
    } else if (event.key === "Escape" && this.pressed !== "no") {
      this.breakOff();
      say("Let go; nothing was changed.");
    }
    else if (this.board.tool?.onKey?.(event, this.board)) {
      // the tool has used it
    } else if (event.key === "Enter" && plain) {
      const at = this.here(event);
      if (this.pressed === "no") this.board.tool?.down?.(at, this.board);
      this.pressed = "no";
      this.board.tool?.up?.(at, this.board);
      this.showCross();
    } else if (event.key === " " && plain && this.cross === null && pointed.value !== null) this.space(true);
    else if (event.key === " " && plain && !event.repeat) {
      const at = this.here(event);
      if (this.pressed === "no") {
        this.pressed = "keyboard";
        this.held = at.item ? described(at.item).replace(/[,;].*/, "") : "an empty place";
        this.board.tool?.down?.(at, this.board);
        say(`Took hold of ${this.held}. Arrows drag it, Space lets go, Escape puts it back.`);
      } else {
        this.pressed = "no";
        this.board.tool?.up?.(at, this.board);
        say(`Let go of ${this.held ?? "it"}.`);
        this.held = null;
      }
      this.showCross();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What lies under the cross, in words. */
  private lying(at: At, small: boolean): string {
    return at.item ? described(at.item) : emptyPlace(at.x, at.y, (small ? SMALL_STEP : STEP) * this.board.resolution);
  }

  /** Put the cross on a place, as a search does. */
  setCross(x: number, y: number): void {
    this.cross = { x, y };
    this.pointing = false;
    const item = this.board.hit(x, y, undefined, 12);
    if (item) say(described(item));
    if (document.activeElement === this.element) this.showCross();
  }

  private follow(): void {
    if (!this.cross) return;
    const [x, y] = this.board.shownPlace([this.cross.x, this.cross.y]);
    // null before the first drawing, though its type does not say so
    // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition
    const [px, py] = this.map.getPixelFromCoordinate([x, -y]) ?? [0, 0];
    this.place([px ?? 0, py ?? 0]);
    const [w, h] = this.map.getSize() ?? [0, 0];
    const edge = 40;
    const out = (v: number, size: number): number => (v < edge ? v - edge : v > size - edge ? v - size + edge : 0);
    const [dx, dy] = [out(px ?? 0, w ?? 0), out(py ?? 0, h ?? 0)];
    if (dx || dy) this.board.pan(dx / (w || 1), dy / (h || 1));
  }

  private showCross(): void {
    if (!this.cross) return;
    const { x, y } = this.cross;
    this.board.sketch("cross", [
      { kind: "cross", at: [x, y] },
      ...(this.pressed === "keyboard" ? [{ kind: "dot", at: [x, y], radius: 4 } as const] : []),
    ]);
  }
}
