// The way in: the address holds a ticket that is good once. The page exchanges it for a secret, which it keeps where only
// pages of this port can read it, and says with every request; see mapkit/editor/server/tickets.py.
import { waiting } from "./answering";
import { replyOf } from "./json";
import { checkRequest } from "./limits";
import type { Bodies, Knock } from "./wire";

const KEPT = "mapkit-secret";
const TICKET = "ticket";

const secret = (): string => sessionStorage.getItem(KEPT) ?? "";
/** Whether the page was let in; the server may have forgotten it since. */
export const wasLetIn = (): boolean => secret() !== "";
export const hasTicket = (): boolean => new URLSearchParams(location.search).has(TICKET);

function post(body: object): RequestInit {
  const text = JSON.stringify(body);
  checkRequest(text);
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: text };
}

/** Exchange the ticket in the address, and take it out of there; where it is not good any more, an older secret stays. */
export async function enter(): Promise<void> {
  const ticket = new URLSearchParams(location.search).get(TICKET) ?? "";
  const body: Bodies["POST /api/enter"] = { ticket };
  const response = await fetch("/api/enter", post(body));
  if (response.ok) sessionStorage.setItem(KEPT, (await replyOf("POST /api/enter", response)).secret);
  history.replaceState(null, "", location.pathname);
}

/** What the socket says first. */
export const knock = (): string => JSON.stringify({ type: "enter", secret: secret() } satisfies Knock);

/** Ask the server for something, with the secret. */
export async function askServer(address: string, init: RequestInit = {}): Promise<Response> {
  const come = waiting(isThere);
  try {
    return await withSecret(address, init);
  } finally {
    come();
  }
}

/** Ask the server a question with JSON; one that is too large is refused. */
export const askJson = async (address: string, body: object, init: RequestInit = {}): Promise<Response> => askServer(address, { ...post(body), ...init });

/** Ask the server whether it is there. */
export async function isThere(stop: AbortSignal): Promise<Response> {
  const answer = await withSecret("/api/alive", { signal: stop });
  // an answer that is never read stays open, and the page never comes to rest
  await answer.arrayBuffer();
  return answer;
}

function withSecret(address: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set("Authorization", `Bearer ${secret()}`);
  return fetch(address, { ...init, headers });
}

/** A picture of the server as an address of this page's own; who has it gives it back with `URL.revokeObjectURL`. */
export async function pictureAt(address: string): Promise<string> {
  const response = await askServer(address);
  if (!response.ok) throw new Error(`The server answered ${response.status}.`);
  return URL.createObjectURL(await response.blob());
}

/** Open another window of this page: the browser gives it a copy of what this one keeps, and so the secret. */
export const openWindow = (): void => void window.open(location.pathname);

/** An address with a ticket of its own, for what the browser asks for itself and can send no secret with. */
async function withTicket(address: string): Promise<string> {
  const body: Bodies["POST /api/tickets"] = { path: address.replace(/\?.*$/, "") };
  const { ticket } = await replyOf("POST /api/tickets", await askJson("/api/tickets", body));
  return `${address}${address.includes("?") ? "&" : "?"}${TICKET}=${encodeURIComponent(ticket)}`;
}

/** Have the browser download a file of the server. */
export async function download(address: string): Promise<void> {
  const link = document.createElement("a");
  link.href = await withTicket(address);
  link.download = "";
  link.click();
}
