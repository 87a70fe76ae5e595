/**
 * Return the cell of a chart for one die for odd or even and two dice for the row.
 * @template Cell
 * @param {readonly (readonly Cell[])[]} chart columns for odd and even, each by the sums 2 to 12
 * @param {number} coloured
 * @param {number} first
 * @param {number} second
 * @returns {Cell}
 */
export function readChart(chart, coloured, first, second) {
  return /** @type {Cell} */ (chart[coloured % 2 ? 0 : 1]?.[first + second - 2]);
}
