import { useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./Button";

interface FileButtonProps extends Omit<ButtonProps, "onClick"> {
  /** What the file is for. */
  purpose: string;
  /** Kinds of files, as an input's `accept` has them. */
  accept: string;
  /** Whether several may be chosen. */
  several?: boolean;
  onFiles: (files: readonly File[]) => void;
}

/** A button that asks for files; the same file may be chosen again. */
export function FileButton({ purpose, accept, several = false, onFiles, ...rest }: FileButtonProps) {
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
        multiple={several}
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])];
          event.currentTarget.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </>
  );
}
