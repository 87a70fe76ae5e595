// A board that does not exist yet: what should it begin with?
import { useEffect, useState } from "preact/hooks";
import { send } from "../asked";
import { wish, type Wish } from "../drafting/wish";
import { isPicture } from "../draw/background";
import { pictureAt } from "../entry";
import { errorText } from "../errors";
import { choosing } from "../store";
import { asTitle, slug } from "../names";
import { Button, Field, FileButton, Select } from "../ui";

type Source = "example" | "empty" | "copy" | "file" | Wish;
const WISHES: readonly Source[] = ["where", "picture", "draft"] satisfies Wish[];
const CHOICES: readonly { id: Source; title: string; text: string }[] = [
  { id: "where", title: "A country or region", text: "Name it or draw a box on a map: projection, page, coasts and place names follow." },
  { id: "picture", title: "A picture", text: "A scan or any map of yours, to draw over." },
  { id: "file", title: "A file", text: "Lines of railroads in any format of geodata, or a board that was exported. You may also drop it on this page." },
  { id: "empty", title: "Nothing", text: "An empty page for an invented land, and a list of what to do first." },
  { id: "example", title: "A small example", text: "Six cities and three railroads, to change and replace." },
  { id: "draft", title: "A draft of a region", text: "Choose a region on a map: cities, lines, railroads and prices are made up, for you to improve." },
  { id: "copy", title: "A copy of another board", text: "All of it, to make your own version." },
];

/** A small picture of a board; an empty frame until it comes, and for a board that was never built. */
function BoardPicture({ board }: { board: string }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let gone = false;
    let shown = "";
    pictureAt(`/api/boards/${encodeURIComponent(board)}/picture`).then(
      (found) => {
        if (gone) return URL.revokeObjectURL(found);
        shown = found;
        setAddress(found);
      },
      () => undefined,
    );
    return () => {
      gone = true;
      URL.revokeObjectURL(shown);
    };
  }, [board]);
  return <span class="picture">{address && <img src={address} alt="" />}</span>;
}

/** The boards that can be opened: those of the workspace, used last first, then those that come with the program. */
function Shelf({ boards, recent, called, busy, onOpen }: { boards: readonly string[]; recent: readonly string[]; called: (board: string) => string; busy: boolean; onOpen: (board: string) => void }) {
  const shipped = boards.filter((board) => !recent.includes(board));
  return (
    <section class="shelf">
      <h1>Open a board</h1>
      {[
        { title: "Yours", of: recent },
        { title: "Shipped", of: shipped },
      ].map(({ title, of }) =>
        of.length === 0 ? null : (
          <div key={title}>
            <h2>{title}</h2>
            <ul aria-label={title}>
              {of.map((board) => (
                <li key={board}>
                  <Button disabled={busy} onClick={() => onOpen(board)}>
                    <BoardPicture board={board} />
                    {called(board)}
                  </Button>
                </li>
              ))}
            </ul>
          </div>
        ),
      )}
    </section>
  );
}

export function Begin() {
  const now = choosing.value;
  const [source, setSource] = useState<Source>("where");
  const [copied, setCopied] = useState(now?.boards[0] ?? "");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const [name, setName] = useState("");
  const [file, setFile] = useState<File | null>(null);
  const [crs, setCrs] = useState<string | null>(null);
  if (!now) return null;
  const id = now.board || slug(name);
  const takeFile = (taken: File): void => {
    setSource(isPicture(taken) ? "picture" : "file");
    setFile(taken);
    setCrs(null);
    setWrong("");
    if (name === "") setName(asTitle(taken.name.replace(/\..*$/, "")));
  };
  const called = (board: string): string => now.titles[board] ?? board;
  const begin = async (work: () => Promise<unknown>, another: boolean): Promise<void> => {
    setBusy(true);
    setWrong("");
    try {
      await work();
      // boards of another kind have another page
      if (another) location.reload();
    } catch (error) {
      setWrong(error instanceof TypeError ? "There is no connection to the editor; start it again." : errorText(error));
      setBusy(false);
    }
  };
  const open = (board: string): Promise<void> => begin(() => send("POST /api/begin", { body: { source: "open", board } }), true);
  const openFile = async (taken: File): Promise<void> => {
    const reply = await send("POST /api/begin-file", { file: taken, query: { name: taken.name, board: id, crs: crs?.trim() ?? "" } });
    if (!("suggested_crs" in reply)) return;
    setCrs(reply.suggested_crs);
    throw new Error(`${taken.name} does not say its coordinate system, or its lines lie elsewhere; name it below.`);
  };
  const make = (): Promise<void> => {
    if (source === "file" && file) return begin(() => openFile(file), false);
    const wished = WISHES.includes(source);
    if (wished) wish(source as Wish, source === "picture" ? file : null);
    return begin(() => send("POST /api/begin", { body: { source: source === "copy" ? copied : wished ? "empty" : source, board: id } }), source === "copy");
  };
  return (
    <main
      class="begin"
      onDrop={(event) => {
        event.preventDefault();
        // the page would lay it under a board
        event.stopPropagation();
        const [taken] = event.dataTransfer?.files ?? [];
        if (taken && !busy) takeFile(taken);
      }}
    >
      {now.board === "" && <Shelf boards={now.boards} recent={now.recent} called={called} busy={busy} onOpen={(board) => void open(board)} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        {now.board === "" ? <h2>A new board</h2> : <h1>A new board: {now.board}</h1>}
        {now.board === "" && <Field label="Its name" value={name} placeholder="Emerald Isle" onInput={setName} />}
        <fieldset>
          <legend>Where is it, and what does it begin with?</legend>
          {CHOICES.map(({ id, title, text }) => (
            <label key={id} class="choice">
              <input type="radio" name="source" value={id} checked={source === id} autoFocus={now.board !== "" && id === source} onChange={() => setSource(id)} />
              <span>
                <b>{title}</b>
                <span class="hint">{text}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {source === "copy" && <Select label="Which board" value={copied} options={now.boards.map((board) => ({ value: board, label: called(board) }))} onCommit={setCopied} />}
        {(source === "file" || (source === "picture" && file)) && (
          <FileButton purpose="A file to begin with" accept="" onFiles={([taken]) => taken && takeFile(taken)}>
            {file ? file.name : "Choose a file …"}
          </FileButton>
        )}
        {wrong && (
          <p class="error" role="alert">
            {wrong}
          </p>
        )}
        {source === "file" && crs !== null && <Field label="Coordinate system" value={crs} hint="EPSG:4326 is degrees; latlon are degrees with the latitude first." onInput={setCrs} />}
        <Button kind="primary" type="submit" disabled={busy || id === "" || (source === "file" && file === null)}>
          {busy ? "Making it …" : "Make the board"}
        </Button>
        <p class="hint">Nothing is written before you choose.{id && ` Its files will be in sources/${id}.`}</p>
      </form>
    </main>
  );
}
