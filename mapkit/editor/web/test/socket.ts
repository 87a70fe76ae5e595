// A line to a server that answers when the test says so.
import type { FromServer } from "../src/wire";

interface Sent {
  type: string;
  id: string;
  command?: unknown;
}

export class Socket {
  static readonly OPEN = 1;
  static readonly all: Socket[] = [];
  /** The newest, which the page uses. */
  static get last(): Socket {
    return Socket.all.at(-1)!;
  }
  readyState = Socket.OPEN;
  readonly sent: Sent[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onopen: (() => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  /** What the page said first, before any request. */
  knocked: unknown = null;

  constructor(readonly address: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    const said = JSON.parse(text) as Sent;
    if (said.type === "enter") this.knocked = said;
    else this.sent.push(said);
  }
  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  cut(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
}

Object.assign(globalThis, { WebSocket: Socket });
