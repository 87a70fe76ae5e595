// Files that may be scanned charts: chosen, pasted, or let fall on a part of the page.
import type { RefObject } from "preact";
import { useEffect } from "preact/hooks";

export const KINDS = ".pdf,.png,.jpg,.jpeg,.tif,.tiff,.webp";
const TAKEN = /\.(pdf|png|jpe?g|tiff?|webp)$/i;

/** The files of a paste or a drop that may be scanned charts. */
const chartFiles = (files: FileList | undefined): File[] =>
  [...(files ?? [])].filter((file) => TAKEN.test(file.name) || /^(image\/(?!svg)|application\/pdf)/.test(file.type));

/** Take files that are let fall on an element, or pasted there or where nothing is chosen. */
export function useChartFiles(box: RefObject<HTMLElement | null>, take: (files: readonly File[]) => void): void {
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes("Files")) element.classList.add("dropping");
    };
    const away = (event: DragEvent): void => {
      if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) element.classList.remove("dropping");
    };
    const drop = (event: DragEvent): void => {
      element.classList.remove("dropping");
      const files = chartFiles(event.dataTransfer?.files);
      if (files.length === 0) return;
      event.preventDefault();
      // the page would lay it under the board
      event.stopPropagation();
      take(files);
    };
    const paste = (event: ClipboardEvent): void => {
      const at = event.target;
      const here = at === document.body || (at instanceof Node && element.contains(at));
      const files = chartFiles(event.clipboardData?.files);
      // cells of a spreadsheet come as a picture too
      const text = event.clipboardData?.getData("text/plain").trim() ?? "";
      if (event.defaultPrevented || !here || files.length === 0 || text !== "" || document.querySelector("dialog[open]")) return;
      event.preventDefault();
      event.stopPropagation();
      take(files);
    };
    element.addEventListener("dragover", over);
    element.addEventListener("dragleave", away);
    element.addEventListener("drop", drop);
    document.addEventListener("paste", paste, true);
    return () => {
      element.removeEventListener("dragover", over);
      element.removeEventListener("dragleave", away);
      element.removeEventListener("drop", drop);
      document.removeEventListener("paste", paste, true);
    };
  }, []);
}
