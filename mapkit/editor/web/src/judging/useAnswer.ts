import { useEffect, useState } from "preact/hooks";
import { query } from "../edit";

const PAUSE = 250;

/**
 * The answer to a question, asked again a moment after what it depends on has changed; the last one stays meanwhile.
 * `null` as the question asks nothing.
 */
export function useAnswer<T>(name: string | null, body: object, depends: readonly unknown[]): { answer: T | null; wrong: string; asking: boolean } {
  const [answer, setAnswer] = useState<T | null>(null);
  const [wrong, setWrong] = useState("");
  const [asking, setAsking] = useState(false);
  useEffect(() => {
    if (name === null) return undefined;
    const stop = new AbortController();
    setAsking(true);
    const timer = setTimeout(
      () => {
        query<T>(name, body, stop.signal).then(
          (got) => {
            setWrong("");
            setAnswer(got);
            setAsking(false);
          },
          (error: unknown) => {
            if (stop.signal.aborted) return;
            setWrong(error instanceof Error ? error.message : String(error));
            setAnswer(null);
            setAsking(false);
          },
        );
      },
      answer === null ? 0 : PAUSE,
    );
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [name, ...depends]);
  return { answer, wrong, asking };
}
