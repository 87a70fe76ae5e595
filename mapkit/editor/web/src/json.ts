// The one place where JSON gets a type. What Python sends has the types of generated.ts, because both are made from
// the same models; what the page itself put into the browser's storage may be anything.
import type { CardAnswers } from "./cards/wire";
import { withoutCommands } from "./errors";
import type { TableCommand, TableMessage } from "./tabled/wire";
import type { AnswerTo, Command, FromServer, JsonValue, QuestionName, Replies } from "./wire";

/** A message of the server. */
export const messageOf = (text: string): FromServer => JSON.parse(text) as FromServer;

/** The answer to a question, or the reply of an address; a refusal is thrown as an error. */
export async function answerOf<Name extends QuestionName>(_: Name, response: Response): Promise<AnswerTo<Name>> {
  return (await body(response)) as AnswerTo<Name>;
}
export async function replyOf<At extends keyof Replies>(_: At, response: Response): Promise<Replies[At]> {
  return (await body(response)) as Replies[At];
}

// a board whose page shows its tables has those, a view and commands of its own in the same messages
export const tableMessage = <View>(message: FromServer): TableMessage<View> => message as unknown as TableMessage<View>;
export const tableCommand = (command: TableCommand): Command => command as unknown as Command;
/** The answer to a question about such a board. */
export async function tableAnswer(response: Response): Promise<Fields> {
  return objectOf((await body(response)) as JsonValue);
}

/** The answer to a question about a card game has the type of its model. */
export const cardAnswer = <Name extends keyof CardAnswers>(_: Name, answer: Fields): CardAnswers[Name] => answer as unknown as CardAnswers[Name];

async function body(response: Response): Promise<unknown> {
  const text = await response.text();
  if (response.ok) return JSON.parse(text);
  throw new Error(refusal(text) ?? `The server answered ${response.status}.`);
}

/** Why something was refused, by the text of the reply. */
export function refusal(text: string): string | null {
  const said = fields(text)["message"];
  return typeof said === "string" ? withoutCommands(said) : null;
}

type Fields = Readonly<Record<string, JsonValue | undefined>>;

/** The fields of a JSON object that may hold anything; none if it is not an object. */
export function fields(text: string | null): Fields {
  try {
    return objectOf(JSON.parse(text ?? "{}") as JsonValue);
  } catch {
    return {};
  }
}
/** The texts of a JSON list that may hold anything; none if it is not a list. */
export function textsOf(text: string | null): string[] {
  try {
    const found = JSON.parse(text ?? "[]") as JsonValue;
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function objectOf(value: JsonValue | undefined): Fields {
  return isObject(value) ? value : {};
}
const isObject = (value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
