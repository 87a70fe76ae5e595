// A board that does not exist yet: what should it begin with?
import { useState } from "preact/hooks";
import { send } from "../asked";
import { wish, type Wish } from "../drafting/wish";
import { errorText } from "../errors";
import { choosing } from "../store";
import { Button, Select } from "../ui";

type Source = "example" | "empty" | "copy" | Wish;
const WISHES: readonly Source[] = ["where", "picture", "draft"] satisfies Wish[];
const CHOICES: readonly { id: Source; title: string; text: string }[] = [
  { id: "where", title: "A country or region", text: "Name it or draw a box on a map: projection, page, coasts and place names follow." },
  { id: "picture", title: "A picture", text: "A scan or any map of yours, to draw over." },
  { id: "empty", title: "Nothing", text: "An empty page for an invented land, and a list of what to do first." },
  { id: "example", title: "A small example", text: "Six cities and three railroads, to change and replace." },
  { id: "draft", title: "A draft of a region", text: "Choose a region on a map: cities, lines, railroads and prices are made up, for you to improve." },
  { id: "copy", title: "A copy of another board", text: "All of it, to make your own version." },
];

export function Begin() {
  const now = choosing.value;
  const [source, setSource] = useState<Source>("where");
  const [copied, setCopied] = useState(now?.boards[0] ?? "");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  if (!now) return null;
  const make = async (): Promise<void> => {
    setBusy(true);
    setWrong("");
    try {
      const wished = WISHES.includes(source);
      if (wished) wish(source as Wish);
      await send("POST /api/begin", { body: { source: source === "copy" ? copied : wished ? "empty" : source } });
    } catch (error) {
      setWrong(error instanceof TypeError ? "There is no connection to mapkit edit; start it again." : errorText(error));
      setBusy(false);
    }
  };
  return (
    <main class="begin">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <h1>A new board: {now.board}</h1>
        <fieldset>
          <legend>Where is it, and what does it begin with?</legend>
          {CHOICES.map(({ id, title, text }) => (
            <label key={id} class="choice">
              <input type="radio" name="source" value={id} checked={source === id} autoFocus={id === source} onChange={() => setSource(id)} />
              <span>
                <b>{title}</b>
                <span class="hint">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {source === "copy" && <Select label="Which board" value={copied} options={now.boards.map((board) => ({ value: board, label: board }))} onCommit={setCopied} />}
        {wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
        <Button kind="primary" type="submit" disabled={busy}>
          {busy ? "Making it …" : "Make the board"}
        </Button>
        <p class="hint">Nothing is written before you choose. Its files will be in sources/{now.board}.</p>
      </form>
    </main>
  );
}
