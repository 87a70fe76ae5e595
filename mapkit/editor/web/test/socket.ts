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
  onclose: (() => void) | null = null;

  constructor(readonly address: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Sent);
  }
  say(message: FromServer): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  cut(): void {
    this.readyState = 3;
    this.onclose?.();
  }
}

Object.assign(globalThis, { WebSocket: Socket });
