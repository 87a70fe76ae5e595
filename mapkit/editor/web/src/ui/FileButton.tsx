import { useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./Button";

interface FileButtonProps extends Omit<ButtonProps, "onClick"> {
  /** What the file is for. */
  purpose: string;
  /** Kinds of files, as an input's `accept` has them. */
  accept: string;
  onFile: (file: File) => void;
}

/** A button that asks for a file; the same file may be chosen again. */
export function FileButton({ purpose, accept, onFile, ...rest }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...rest} onClick={() => input.current?.click()} />
      <input
        ref={input}
        type="file"
        class="unseen"
        tabIndex={-1}
        aria-label={purpose}
        accept={accept}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          event.currentTarget.value = "";
          if (file) onFile(file);
        }}
      />
    </>
  );
}
