import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutCommands } from "../src/errors";

test("messages in the page offer no commands of the command line", () => {
  const said: readonly (readonly [string, string])[] = [
    [
      "lower what trips pay (mapkit payoffs compute usa --mean 8 --into table, or --into chart), or raise the cash",
      "lower what trips pay, or raise the cash",
    ],
    ["write its lon and lat, such as 25.9,-24.6, or run mapkit match", "write its lon and lat, such as 25.9,-24.6"],
    [
      "give one of them another pattern, or let mapkit colours --solve choose colours",
      "give one of them another pattern",
    ],
    ["long-run odds need full charts, see mapkit check usa", "long-run odds need full charts"],
    ["the board has no picture; build it: mapkit build usa", "the board has no picture; build it"],
    ["not a format; mapkit import --list-formats lists the formats", "not a format"],
    ["give a file that mapkit export wrote", "give a file that mapkit export wrote"],
  ];
  for (const [message, shown] of said) assert.equal(withoutCommands(message), shown);
});
