/** What to say about something that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What to say about a file that was not taken in. The server says itself what is wrong with it. */
export const notTakenIn = (what: string, error: unknown): string =>
  error instanceof TypeError ? `The ${what} ${what.endsWith("s") ? "were" : "was"} not taken in: ${error.message}` : errorText(error);
