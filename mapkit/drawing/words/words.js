// The page's language: its texts, with what stands in braces filled in, and its numbers and amounts.
function makeWords(table) {
  const fill = (text, parts) => text.replace(/\{(\w+)\}/g, (_, name) => parts[name]);
  function number(value, decimals = 0) {
    const [whole, part] = Math.abs(value).toFixed(decimals).split(".");
    const grouped = whole.replace(/\B(?=(\d{3})+$)/g, table.groups);
    const sign = value < 0 && Number(value.toFixed(decimals)) ? "-" : "";
    return sign + grouped + (part ? table.point + part : "");
  }
  return {
    number,
    say: (name, parts) => fill(table.texts[name], parts || {}),
    count: (name, n) => fill(table.texts[name][n === 1 ? 0 : 1], { n: number(n) }),
    // With the decimals that it has.
    plain: (value) => String(value).replace(".", table.point),
    money: (symbol, amount) => fill(table.money, { symbol, amount: number(amount) }),
    percent: (share, decimals) => fill(table.percent, { number: number(share, decimals) }),
    sorter: (options) => new Intl.Collator(table.language, options),
  };
}
