/** What to say about something that was thrown. */
export const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What to say about a file that was not taken in. The server says itself what is wrong with it. */
export const notTakenIn = (what: string, error: unknown): string =>
  error instanceof TypeError ? `The ${what} ${what.endsWith("s") ? "were" : "was"} not taken in: ${error.message}` : errorText(error);

const COMMANDS: readonly RegExp[] = [
  / \(mapkit [^)]*\)/g,
  /(?:,|;)? or (?:run|let) mapkit [^,;]*/g,
  /[;,] (?:see|run:?) mapkit [^;]*/g,
  /: mapkit [a-z][^;]*(?=;|$)/g,
  /; mapkit [a-z]+ [^;]*(?:lists|names|says|shows) [^;]*/g,
];

/** A message without the commands of the command line that it offers; the page has buttons of its own. */
export const withoutCommands = (message: string): string => COMMANDS.reduce((text, pattern) => text.replace(pattern, ""), message);
