// How much the server takes at once, as it says when it greets. What is larger is refused here, before it is sent.
import type { Limits } from "./wire";

let limits: Limits = { step: Infinity, request: Infinity, files: {} };
export const setLimits = (now: Limits): void => void (limits = now);

const MB = 2 ** 20;
const rounded = (bytes: number): string => `${(Math.ceil((bytes / MB) * 10) / 10).toLocaleString("en")} MB`;
const bytesOf = (text: string): number => new Blob([text]).size;

/** Why a step cannot be sent; null if it can. */
export function stepRefusal(text: string): string | null {
  const bytes = bytesOf(text);
  if (bytes <= limits.step) return null;
  return `This step has ${rounded(bytes)}, and the editor takes at most ${rounded(limits.step)} a step. Nothing was changed; do it in smaller steps.`;
}

/** Refuse what is too large for a request, such as a table that was pasted. */
export function checkRequest(text: string): void {
  const bytes = bytesOf(text);
  if (bytes > limits.request)
    throw new Error(`This has ${rounded(bytes)}, and the editor takes at most ${rounded(limits.request)} at once. Nothing was changed; give it in smaller parts.`);
}

/** Refuse a file that is too large for an address. */
export function checkFile(path: string, file: File): void {
  const most = limits.files[path] ?? limits.request;
  if (file.size > most)
    throw new Error(`${file.name} has ${rounded(file.size)}; at most ${rounded(most)} are taken. Make it smaller, or cut out the part that you need.`);
}
