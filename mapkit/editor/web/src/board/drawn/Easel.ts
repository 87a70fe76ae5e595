// The page's end of the painter: hands it what there is to draw, and asks for tiles, a few at a time.
import type { PartLayer } from "../../generated";
import type { FromPainter, LayerName, NamesToShow, Outdated, TileWanted, ToPainter } from "./messages";

const AT_ONCE = 2;
type Asked = Omit<TileWanted, "ticket">;

export class Easel {
  private readonly painter = new Worker("/static/painter.js", { type: "module" });
  private readonly waiting = new Map<number, (picture: ImageBitmap | null) => void>();
  private tickets = 0;

  constructor(private readonly free: () => void) {
    this.painter.addEventListener("message", ({ data }: MessageEvent<FromPainter>) => {
      const take = this.waiting.get(data.ticket);
      this.waiting.delete(data.ticket);
      take?.(data.picture);
      this.free();
    });
  }

  dispose(): void {
    this.painter.terminate();
  }

  private say(message: ToPainter): void {
    this.painter.postMessage(message);
  }

  setLayer(name: LayerName, layer: PartLayer | null): void {
    this.say({ kind: "layer", name, layer });
  }

  setNames(names: NamesToShow): void {
    this.say({ kind: "names", names });
  }

  setOutdated(outdated: Outdated): void {
    this.say({ kind: "outdated", outdated });
  }

  /** Whether it takes another tile now; `free` is called when it does again. */
  get takes(): boolean {
    return this.waiting.size < AT_ONCE;
  }

  paint(tile: Asked, take: (picture: ImageBitmap | null) => void): void {
    this.tickets += 1;
    this.waiting.set(this.tickets, take);
    this.say({ kind: "tile", tile: { ...tile, ticket: this.tickets } });
  }
}
