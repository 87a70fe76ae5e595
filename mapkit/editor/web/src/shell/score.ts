// How well a name fits what was typed into the palette.

/** Smaller is better; null does not fit. Words may come in any order, the beginning of a word counts most. */
export function score(label: string, typed: string): number | null {
  const text = label.toLowerCase();
  let sum = 0;
  for (const word of typed.toLowerCase().split(/\s+/).filter(Boolean)) {
    const found = text.indexOf(word);
    if (found < 0) return null;
    const begins = found === 0 || /[\s(/-]/.test(text[found - 1] ?? "");
    sum += found + (begins ? 0 : 50);
  }
  return sum + text.length / 100;
}
