// What Python knows of patterns and of colour vision; see mapkit/kinds/rail/queries/looks.py.
import { once } from "../asked";

export const { value: looks, ask: askLooks } = once("looks", {});
