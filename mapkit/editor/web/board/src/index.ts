export type * from "./board.js";
export { destination, milepostOf, neighbours, payoff, route, type Dice, type Neighbour, type Route } from "./lookups.js";
export { highlight, hitTest, pagePoint, placePawn, type Place } from "./marks.js";
export { BoardError, loadBoard } from "./validate.js";
