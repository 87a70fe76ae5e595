// The line to the server. Requests stay in the outbox until they are answered and are sent again, under the same id,
// after the line was cut; the server answers an id that it knows without doing it twice.
import { signal } from "@preact/signals";
import { waiting } from "./answering";
import { enter, hasTicket, isThere, knock, wasLetIn } from "./entry";
import { withoutCommands } from "./errors";
import { messageOf } from "./json";
import { setLimits, stepRefusal } from "./limits";
import type { Answer, FromServer, Request } from "./wire";

/** "locked out": the server does not know the page. */
export type Line = "connecting" | "open" | "cut" | "locked out";

interface Waiting {
  type: Request["type"];
  text: string;
  sent: boolean;
  settle: (answer: Answer) => void;
  /** Ends the waiting for an answer; null while it is not sent. */
  come: (() => void) | null;
}

const PAUSES = [200, 500, 1000, 2000, 4000];
/** The code with which the server ends a line whose page it does not know. */
const LOCKED_OUT = 4403;

export class Connection {
  readonly line = signal<Line>("connecting");
  /** Whether the server has ever greeted this page. */
  readonly wasOpen = signal(false);
  /** How many requests have no answer yet. */
  readonly pending = signal(0);
  private readonly name = Array.from(crypto.getRandomValues(new Uint8Array(6)), (b) => b.toString(16).padStart(2, "0")).join("");
  private count = 0;
  private tries = 0;
  private socket: WebSocket | null = null;
  private greeted = false;
  private readonly outbox = new Map<string, Waiting>();

  constructor(private readonly heard: (message: FromServer) => void) {}

  /** Go in, by the ticket in the address if there is one. */
  open(): void {
    if (!hasTicket()) this.dial();
    else
      enter().then(
        () => this.dial(),
        () => this.wait("cut"),
      );
  }

  private dial(): void {
    if (!wasLetIn()) {
      this.line.value = "locked out";
      return;
    }
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws?page=${this.name}`);
    this.socket = socket;
    this.greeted = false;
    socket.onopen = () => socket.send(knock());
    socket.onmessage = (event: MessageEvent<string>) => this.take(messageOf(event.data));
    socket.onclose = (event: CloseEvent) => {
      if (socket === this.socket) this.wait(event.code === LOCKED_OUT ? "locked out" : "cut");
    };
  }

  /** Send a request; the promise settles when the server has answered, however long the line is cut. */
  request(request: Request): Promise<Answer> {
    this.count += 1;
    const id = `${this.name}-${this.count}`;
    return new Promise((settle) => {
      this.outbox.set(id, { type: request.type, text: JSON.stringify({ ...request, id }), sent: false, settle, come: null });
      this.pending.value = this.outbox.size;
      this.flush();
    });
  }

  /** What a request asks for that has no answer yet. */
  typeOf(id: string): Request["type"] | undefined {
    return this.outbox.get(id)?.type;
  }

  private take(message: FromServer): void {
    this.heard(message);
    if (message.type === "hello") {
      setLimits(message.limits);
      this.tries = 0;
      this.greeted = true;
      this.line.value = "open";
      this.wasOpen.value = true;
      for (const asked of this.outbox.values()) asked.sent = false;
      this.flush();
    } else if (message.type === "done") this.settle(message.id, { ok: true, revision: message.revision });
    else if (message.type === "refused")
      this.settle(message.id, {
        ok: false,
        message: withoutCommands(message.message),
        conflict: message.conflict ?? [],
        ...(message.cause ? { cause: message.cause } : {}),
      });
  }

  private settle(id: string, answer: Answer): void {
    const asked = this.outbox.get(id);
    this.outbox.delete(id);
    this.pending.value = this.outbox.size;
    asked?.come?.();
    asked?.settle(answer);
  }

  private flush(): void {
    if (!this.greeted || this.socket?.readyState !== WebSocket.OPEN) return;
    for (const [id, asked] of this.outbox) {
      if (asked.sent) continue;
      const refusal = stepRefusal(asked.text);
      if (refusal !== null) {
        this.settle(id, { ok: false, message: refusal, conflict: [] });
        continue;
      }
      this.socket.send(asked.text);
      asked.sent = true;
      asked.come ??= waiting(isThere);
    }
  }

  /** Go in again after a while; the editor may be started again on the same port, with the same board. */
  private wait(line: Line): void {
    for (const asked of this.outbox.values()) {
      asked.come?.();
      asked.come = null;
    }
    // while nobody answers, nobody says that the page is known again
    if (this.line.value !== "locked out") this.line.value = line;
    const pause = PAUSES[Math.min(this.tries, PAUSES.length - 1)] ?? 4000;
    this.tries += 1;
    setTimeout(() => this.open(), pause);
  }
}
