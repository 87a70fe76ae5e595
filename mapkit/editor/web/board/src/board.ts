// Board, as its JSON Schema has it; made by mapkit 0.2.0.

/** Raising cash for fees, and bankruptcy (RB-A). */
export interface Auction {
  /** RB-A02: Express and SuperChief may be sold too */
  readonly engines_for_sale: boolean;
  /** RB-A03, RB-A11: what the bank pays, percent of the list price */
  readonly sell_back_percent: number;
  /** RB-A05: lowest first bid, percent of the list price */
  readonly opening_percent: number;
  /** RB-A06: step of a bid, currency units */
  readonly bid_step: number;
  /** RB-A06: a bid is higher by `bid_step` or more, or higher and a multiple of `bid_step` */
  readonly bid_rule: "at-least-step" | "multiple-of-step";
  /** RB-A08: after a pass a player may bid again, until all pass in a row, or is out */
  readonly passing: "may-return" | "out";
  /** RB-A10: an offered railroad may be withdrawn */
  readonly withdrawal: boolean;
  /** RB-A13: trains of others on the railroad sold stay established at the fee due without the auction, or pay the full opponent's fee */
  readonly others_on_it: "former-fee" | "full-fee";
  /** RB-A14: the seller's ride on it: free this turn and while established; or `fees.own`, or `fees.bank`, to the bank this turn and to the new owner while established */
  readonly seller_ride: "free" | "own-fee" | "bank-fee";
  /** RB-A16: rest cash of a bankrupt; no creditor gets any either way */
  readonly bankrupt_cash: "to-bank" | "kept";
}

/** A box of a board, which carries its picture. */
export interface BoardBox {
  readonly kind: "title" | "legend" | "destinations" | "payoffs" | "deeds" | "inset" | "picture" | "text";
  /** Left and top edge, mm; `auto` is where the map is emptiest, over water first, clear of track, symbols and names */
  readonly at: readonly [number, number] | "auto";
  /** Width and height, mm */
  readonly size: readonly [number, number];
  /** Text of a text box; a line break begins a paragraph */
  readonly text: string;
  /** PNG, JPEG or SVG file of the package, in `pictures/` */
  readonly file: string | null;
  /** City (id) in the middle of an inset */
  readonly around: string | null;
  /** Enlargement of an inset around a city */
  readonly zoom: number;
  /** Degrees that an inset shows: west, south, east, north */
  readonly extent: readonly [number, number, number, number] | null;
  /** Destination charts (ids; `regions`) or railroads (ids) to show; all by default */
  readonly only: readonly string[];
  /** Its picture's file, in base64 */
  readonly content?: string | null;
}

/** The bonus roll (RB-B). */
export interface Bonus {
  /** RB-B01: roll that earns Freight a bonus */
  readonly freight: "double-six" | "any-double" | "always";
  /** RB-B02: roll that earns Express a bonus */
  readonly express: "double-six" | "any-double" | "always";
  /** RB-B03: roll that earns SuperChief a bonus */
  readonly superchief: "double-six" | "any-double" | "always";
  /** RB-B04, RB-C18: coloured dice; their sum is the bonus in mileposts */
  readonly dice: number;
  /** RB-B05: when SuperChief rolls its bonus; either: the player chooses */
  readonly superchief_timing: "with-normal-roll" | "after-normal-move" | "either";
  /** RB-B07: most bonus rolls in a turn */
  readonly rolls_per_turn: number;
}

/** A row of the charts; twins (RB-C06) name the same milepost. */
export interface City {
  readonly id: string;
  readonly name: string;
  readonly region: string;
  readonly milepost: string;
  /** What its symbol shows; left out of other cities */
  readonly mark?: "capital" | "port" | null;
  /** Middle of its square in the picture, mm; twins have one beside the other */
  readonly drawn_x: number;
  /** Middle of its square in the picture, mm */
  readonly drawn_y: number;
}

/** Crossing of two drawn lines without a common end of pieces: they do not connect there (RB-C10). */
export interface Crossing {
  /** The piece whose line lies above, on a bridge */
  readonly over: string;
  /** The piece whose line lies below */
  readonly under: string;
  /** Where they cross in the picture, mm from the left */
  readonly drawn_x: number;
  /** Where they cross in the picture, mm from the top */
  readonly drawn_y: number;
}

/** 22 cells, `"2"` to `"12"` for odd and for even (RB-C14, RB-D01); None is an empty cell. */
export interface DestinationChart {
  readonly odd: { readonly [key: string]: string | null };
  readonly even: { readonly [key: string]: string | null };
}

/** Rolling a destination (RB-D). */
export interface Destinations {
  /** RB-D04: the rolled region is the train's own, so the player picks any, the same one too */
  readonly choose_region_when_in_it: boolean;
}

/** `[drawing]`: theme, language and sizes, unless a command gives others. */
export interface DrawingSettings {
  /** The theme that the board is drawn in */
  readonly theme: "classic" | "atlas" | "dark" | "print" | "engraved" | "poster" | "school" | "night";
  /** The language of the words on board, sheets and reports; left out where it is English */
  readonly language?: "en" | "es" | "es-MX" | "pt" | "pt-BR";
  /** Shading of mountains, `plain` or over tints by height (`hypsometric`) */
  readonly relief?: "none" | "plain" | "hypsometric";
  /** How strong the relief is */
  readonly relief_strength?: number;
  /** Degrees between meridians, and between parallels; none are drawn without it */
  readonly graticule?: number | null;
  /** Draw a compass */
  readonly compass?: boolean;
  /** Name seas, lakes and rivers */
  readonly water_names?: boolean;
  /** Sizes of symbols, lines and text, millimetres of the page */
  readonly sizes: Sizes;
}

/** Fees for a turn's riding (RB-F). */
export interface Fees {
  /** RB-F02: fee a turn for riding bank-held and public railroads in all, currency units */
  readonly bank: number;
  /** RB-F03, RB-V16: fee a turn to the bank for riding own railroads, one sum with `bank`: whoever rides both pays the larger once; 0 (ICI, or the house rule) is free, currency units */
  readonly own: number;
  /** RB-F04: fee a turn to each opponent used before sell-out, currency units */
  readonly opponent: number;
  /** RB-F05: fee a turn to each opponent used after sell-out, currency units */
  readonly opponent_after_sell_out: number;
  /** RB-F06: the fee rises when the bank holds no private railroad (one sold back counts as never bought), or when each has been bought at some time */
  readonly sell_out: "bank-sold-out" | "all-bought-once";
  /** RB-F07: the raised fee stays for good, sell-backs or not */
  readonly raised_fee_stays: boolean;
  /** RB-F10: fees are due whether asked for or not */
  readonly compulsory: boolean;
  /** RB-F08: a fee is flat, whatever the distance or the number of railroads */
  readonly per: "turn";
  /** RB-F11, RB-F12: where a standing train keeps the old fee (D23: same effect) */
  readonly established_on: "all-serving" | "line-in-use";
}

/** Railroads sold together at a fixed total (RB-V01). */
export interface Group {
  /** Name of the merged railroad */
  readonly name: string;
  /** Ids of the railroads; idle where the board lacks one */
  readonly members: readonly string[];
  /** Fixed total, currency units, even when the bank holds only some */
  readonly price: number;
}

/** The option to buy a merged group as one purchase (RB-V01). */
export interface GroupPurchase {
  /** RB-V01: groups may be bought as one purchase */
  readonly enabled: boolean;
  /** RB-V01: a member may still be bought alone, as when cash covers no more (G02) */
  readonly single_purchases: boolean;
  /** RB-V02, RB-V03, RB-V04, RB-V05, RB-V06, RB-V07: the groups of the classic board (D33: the sixth is also named Illinois Gulf Central) */
  readonly groups: readonly Group[];
}

/** House rules in the author's own words. */
export interface House {
  /** House rules in the author's words, which the rule sheet shows */
  readonly words: readonly HouseRule[];
}

/** A rule of the house: a title and a text; the text may have several lines. */
export interface HouseRule {
  readonly title: string;
  readonly text: string;
}

/** Information that players must share (RB-I). */
export interface Information {
  /** RB-I01: cash to be announced, currency units */
  readonly announce_cash: number;
  /** RB-I01: told on reaching `announce_cash` (ICI), or only above it (AH) */
  readonly announce_when: "reached" | "exceeded";
  /** RB-I02: told at the first crossing only, or whenever cash is at that level */
  readonly announce_times: "once" | "whenever";
  /** RB-I04: whether a player who is asked must tell the home city (ICI: yes; AH does not say) */
  readonly home: "told" | "secret" | "unstated";
  /** RB-I05: whether cash lies where all see it, stacked or not (ICI: yes; AH does not say) */
  readonly cash_lies: "in-view" | "hidden" | "unstated";
}

export type JsonValue = unknown;

/** A free junction of one railroad off any milepost. */
export interface Junction {
  readonly id: string;
  readonly railroad: string;
  readonly lon: number;
  readonly lat: number;
  /** Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y` */
  readonly x: number;
  /** Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y` */
  readonly y: number;
  /** Its place in the picture, mm from the left */
  readonly drawn_x: number;
  /** Its place in the picture, mm from the top */
  readonly drawn_y: number;
}

/**
 * Coordinates of a drawing, y downward, and the miles of a unit.
 *
 * Args:
 *     scale_mi: Statute miles of a unit.
 *     middle: The point around which lengths are exact, in units.
 */
export interface LandPlane {
  readonly scale_mi: number;
  readonly middle: readonly [number, number];
}

/** A point that costs one step to enter (RB-C03, RB-C04). */
export interface Milepost {
  readonly id: string;
  readonly name: string;
  readonly kind: "city" | "dot";
  readonly lon: number;
  readonly lat: number;
  /** Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y` */
  readonly x: number;
  /** Where the projection puts it, mm; the picture may have it centimetres off, at `drawn_x`, `drawn_y` */
  readonly y: number;
  /** Middle of its dot or square in the picture, mm from the left */
  readonly drawn_x: number;
  /** Middle of its dot or square in the picture, mm from the top */
  readonly drawn_y: number;
}

/** Moving from milepost to milepost (RB-M). */
export interface Movement {
  /** RB-M01, RB-C18: white dice; their sum is the move in mileposts */
  readonly dice: number;
  /** RB-C18: sides of every die, numbered from 1 */
  readonly die_sides: number;
  /** RB-M02: planning after the roll, before the first step */
  readonly thinking: "allowed" | "forbidden" | "not-enforced";
  /** RB-M03: how long a move may be redone: never once the pawn moved, until fees are being paid, or (the compromise) with no stop once the pawn is lifted */
  readonly take_back: "never" | "until-fees" | "until-pawn-lifted";
  /** RB-M07, RB-V17: a player's use of one segment in one trip, in either direction; unlimited is the Boxcars rule */
  readonly segment_reuse: "once-per-trip" | "unlimited";
}

/** The option to win by net worth: cash, railroads and special trains (RB-V09). */
export interface NetWorth {
  /** RB-V09: net worth wins in place of `winning.cash` */
  readonly enabled: boolean;
  /** RB-V09: net worth to win by players, currency units; the rules list none for two */
  readonly target: PlayersTable;
  /** RB-V10: net worth is told whenever cash is over this, currency units */
  readonly announce_cash: number;
  /** RB-V09: what loses declared status by falling too low; not given, so assumed (D34) */
  readonly undeclared_by: "net-worth" | "cash";
}

/** Options that can be switched on; half-time play is a bundle of them (RB-V14). */
export interface Options {
  /** RB-D08, RB-V14: destinations and payoffs are looked up by software */
  readonly software_lookup: boolean;
  /** RB-V08, RB-V14: SuperChief costs `superchief_prices`; where None, the usual price */
  readonly superchief_by_players: boolean;
  /** RB-V08: price of SuperChief by players, currency units; AH lists none for two */
  readonly superchief_prices: PlayersTable;
  /** RB-V11, RB-V14: an owner of Express may take SuperChief as a purchase at no price */
  readonly free_upgrade: boolean;
  /** RB-V12, RB-V14: added to the starting cash, as agreed, currency units; 0 is off. The rules fix no figure; their example is 20,000 */
  readonly extra_starting_cash: number;
  /** RB-V13, RB-V14: a random deed is auctioned for each player after homes are set; one without a bid goes back to the bank after all */
  readonly opening_auctions: boolean;
}

/** Origin of an element. */
export interface Origin {
  readonly how: "traced" | "station list" | "table" | "generated" | "solved" | "computed" | "imported" | "variant";
  /** Path inside the source package */
  readonly file: string | null;
  /** Line of the file, the header being 1 */
  readonly row: number | null;
  /** The feature of a drawing that the row came from, `file#feature`; left out where there is none */
  readonly feature?: string | null;
}

/** The author's own layers in degrees (EPSG:4326), to five decimals; None stands for the layer of the base map. */
export interface OwnLayers {
  readonly land: readonly (readonly (readonly (readonly [number, number])[])[])[] | null;
  readonly lakes: readonly (readonly (readonly (readonly [number, number])[])[])[] | null;
  readonly rivers: readonly (readonly (readonly [number, number])[])[] | null;
  readonly borders: readonly (readonly (readonly [number, number])[])[] | null;
  /** Ridges, or closed outlines of mountains; the base map has none */
  readonly mountains?: readonly (readonly (readonly [number, number])[])[] | null;
  /** Name of a sea, bay or range -> the middles of its labels; the base map has none */
  readonly labels?: { readonly [key: string]: readonly (readonly [number, number])[] } | null;
  /** Region id -> its areas; the ground of other regions follows from their mileposts */
  readonly regions: { readonly [key: string]: readonly (readonly (readonly (readonly [number, number])[])[])[] } | null;
}

/** The page in millimetres; the map lies inside `frame` (left, top, right, bottom). */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly frame: readonly [number, number, number, number];
  /** West, south, east, north in degrees: what the frame shows beside the board, if its author said so */
  readonly extent?: readonly [number, number, number, number] | null;
}

/** The square payoff matrix in thousands (RB-C13); None is a missing cell. */
export interface Payoffs {
  readonly cities: readonly string[];
  readonly thousands: readonly (readonly (number | null)[])[];
}

/** A track piece: `line` in degrees and `path` in page millimetres, from `a` to `b`. */
export interface Piece {
  readonly id: string;
  readonly railroad: string;
  readonly a: string;
  readonly b: string;
  readonly miles: number;
  readonly line: readonly (readonly [number, number])[];
  /** Where the projection puts it, mm, from `a` to `b`; the picture has it at `drawn_path` */
  readonly path: readonly (readonly [number, number])[];
  /** The middle of its line in the picture, mm, from `a` to `b`; it ends within the mileposts' symbols */
  readonly drawn_path: readonly (readonly [number, number])[];
}

/** Amounts by number of players, in currency units; None if the rules list none. */
export interface PlayersTable {
  /** Two players */
  readonly two: number | null;
  /** Three players */
  readonly three: number | null;
  /** Four players */
  readonly four: number | null;
  /** Five players */
  readonly five: number | null;
  /** Six players */
  readonly six: number | null;
}

/**
 * Projection of a page: `crs` (PROJ), then scale and offset to millimetres, y downward.
 *
 * `x = offset_x + scale * easting`, `y = offset_y - scale * northing`.
 */
export interface Projection {
  readonly name: string;
  readonly crs: string;
  readonly scale_mm_per_m: number;
  readonly offset_x_mm: number;
  readonly offset_y_mm: number;
  /** The plane of an invented land, whose degrees mean nothing; left out for a map of the earth */
  readonly plane?: LandPlane | null;
}

/** Origin of the board: tool, files, origin of each element, findings accepted by the author. */
export interface Provenance {
  readonly tool: string;
  readonly version: string;
  readonly credits: readonly string[];
  readonly licence: string;
  readonly sources: readonly SourceFile[];
  /** Kind of element (mileposts, segments, cities, payoffs ...) -> id -> origin */
  readonly elements: { readonly [key: string]: { readonly [key: string]: Origin } };
  /** Id of an accepted finding -> the author's reason */
  readonly accepted: { readonly [key: string]: string };
  /** What happened to traced lines */
  readonly notes: readonly TraceNote[];
}

/** Buying on arrival (RB-P). */
export interface Purchase {
  /** RB-P03: railroads or engines bought at each payoff, at most */
  readonly per_payoff: number;
  /** RB-P04: price of Express, currency units */
  readonly express_price: number;
  /** RB-P05: price of SuperChief from either engine, currency units */
  readonly superchief_price: number;
  /** RB-P06: taken off SuperChief for an Express given up, currency units; 0 is not a trade-in. `options.free_upgrade` overrides it */
  readonly express_trade_in: number;
  /** RB-P07: an owner may buy another SuperChief */
  readonly second_superchief: boolean;
  /** RB-P10, RB-C11: railroads flagged public are sold too (D22: AH knows none) */
  readonly public_for_sale: boolean;
}

/** A railroad and its list price in whole currency units (RB-C11, RB-C12). */
export interface Railroad {
  readonly id: string;
  readonly name: string;
  readonly short: string;
  readonly price: number;
  readonly public: boolean;
  readonly style: Style;
}

/** A region of the destination chart (RB-C07). */
export interface Region {
  readonly id: string;
  readonly name: string;
  readonly short: string;
  readonly colour: string;
}

/** All parameters of the rules of a board's game; those that are not given come from `preset`. */
export interface Rules {
  /** RB-V18, RB-V19: the rule set that these rules started from; ah-faq is tournament play */
  readonly preset: "ah" | "ici" | "ah-faq";
  /** Players, what they start with, and homes */
  readonly setup: Setup;
  /** Rolling a destination */
  readonly destinations: Destinations;
  /** Moving from milepost to milepost */
  readonly movement: Movement;
  /** The bonus roll */
  readonly bonus: Bonus;
  /** Buying on arrival */
  readonly purchase: Purchase;
  /** What a turn's riding costs */
  readonly fees: Fees;
  /** Raising cash for fees, and bankruptcy */
  readonly auction: Auction;
  /** What players must tell each other */
  readonly information: Information;
  /** Declaring, rover play and winning */
  readonly winning: Winning;
  /** Options that can be switched on */
  readonly options: Options;
  /** Buying a merged group */
  readonly group_purchase: GroupPurchase;
  /** Winning by net worth */
  readonly net_worth: NetWorth;
  /** The imaginary third owner */
  readonly two_players: TwoPlayers;
  /** House rules in the author's words */
  readonly house: House;
}

/** One step on one railroad (RB-M04, RB-C09); its pieces are used up together (RB-M07). */
export interface Segment {
  readonly id: string;
  readonly railroad: string;
  readonly a: string;
  readonly b: string;
  readonly miles: number;
  readonly pieces: readonly string[];
  /** Where the projection puts it, mm, from `a` to `b`; the picture has it at `drawn_path` */
  readonly path: readonly (readonly [number, number])[];
  /** Its line in the picture, mm, from the middle of `a`'s symbol to that of `b`'s */
  readonly drawn_path: readonly (readonly [number, number])[];
}

/** Players, their starting equipment, and homes (RB-S). */
export interface Setup {
  /** RB-C20: fewest players; two need `two_players` under the AH rules (G03) */
  readonly min_players: number;
  /** RB-C17, RB-C20: most players, one token set each */
  readonly max_players: number;
  /** RB-S01: cash of each player, currency units */
  readonly starting_cash: number;
  /** RB-S02, RB-C15: engine of each player */
  readonly starting_engine: "freight" | "express" | "superchief";
  /** RB-C15, RB-S02: whether the freight engine has a card of its own (ICI: yes) */
  readonly freight_card: boolean;
  /** RB-C15: titles each of Express and SuperChief; None: no figure given (ICI) */
  readonly engine_titles: number | null;
  /** RB-S04: highest of three dice (ICI), or a high roll of dice that are not named (AH) */
  readonly first_player: "three-dice" | "high-roll";
  /** RB-S04: ties for first player roll again; no source says, so assumed (G02) */
  readonly reroll_ties: boolean;
  /** RB-S07: players of one home city; reroll: the later rolls region and city again */
  readonly same_home: "allowed" | "reroll";
  /** RB-S08: twin cities count as the same home; matters only when `same_home` is reroll */
  readonly twins_are_one_home: boolean;
  /** RB-S09: where a player's two chips stand at the start */
  readonly markers: "both-chips-at-home" | "chip-at-home-and-destination";
  /** RB-S11: home and first destination may be exchanged before the first movement roll */
  readonly home_swap: boolean;
}

/** Sizes in millimetres. */
export interface Sizes {
  readonly city_side: number;
  readonly dot_radius: number;
  readonly junction_radius: number;
  readonly symbol_edge: number;
  readonly least_gap: number;
  readonly line: number;
  readonly casing_edge: number;
  readonly lane: number;
  readonly clearance: number;
  readonly hit: number;
  readonly city_text: number;
  readonly dot_text: number;
  readonly dot_text_most: number;
  readonly initials_text: number;
  readonly initials_halo: number;
  readonly region_text: number;
  readonly dot_names: "fit" | "none";
  readonly city_halo: number;
  readonly dot_halo: number;
}

/** A file that the board was compiled from. */
export interface SourceFile {
  readonly path: string;
  readonly sha256: string;
}

/** Colour and pattern of a railroad (RB-C08). */
export interface Style {
  readonly colour: string;
  readonly pattern: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave";
}

/** Change of a line on its way to the network, and its place (EPSG:4326). */
export interface TraceNote {
  readonly kind: "repair" | "ambiguity" | "left out" | "crossing" | "spacing" | "older package" | "position" | "seam";
  readonly message: string;
  /** The kind of repair or doubt: `undershoot`, `pin between lines` ... */
  readonly what: string;
  /** The source feature, `file#feature` */
  readonly feature: string;
  readonly lon: number | null;
  readonly lat: number | null;
  /** Line of the file, where the feature is a row */
  readonly row?: number | null;
}

/** The option for two: an imaginary third owner (RB-T). */
export interface TwoPlayers {
  /** RB-T01: an imaginary third owner is given random railroads of the bank */
  readonly third_owner: boolean;
  /** RB-T02: purchases in all before the first gift */
  readonly first_gift_after: number;
  /** RB-T03: further purchases by the players between gifts; a sell-back takes one off */
  readonly gift_every: number;
  /** RB-T06: bank's share of the third owner's fee, percent; the other player gets the rest */
  readonly fee_to_bank_percent: number;
}

/** Units of the board's numbers. */
export interface Units {
  /** ISO 4217 code */
  readonly currency: string;
  /** Currency sign to print */
  readonly symbol: string;
  /** What one unit of the payoff chart is worth */
  readonly payoff: number;
  readonly distance: "mile";
}

/** Declaring, rover play and winning (RB-W). */
export interface Winning {
  /** RB-W01: least cash to declare and, at home after all fees, to win, currency units */
  readonly cash: number;
  /** RB-W14: paid by a declared player to the first that catches, currency units */
  readonly rover_payment: number;
  /** RB-W06: an alternate equal to the current city still declares but loses the turn (D15, D35: the AH text can be read both ways) */
  readonly same_alternate_loses_turn: boolean;
  /** RB-W10, RB-B13: home reached with a bonus due: fees-first calculates the fees so far, and a win that stands drops the bonus; bonus-first moves it before any fee (D16: unclear in AH) */
  readonly bonus_pending_at_home: "fees-first" | "bonus-first";
  /** RB-W21: which used segments a caught player may use again, as few as needed */
  readonly reuse_to_alternate: "segments-of-trip" | "segments-heading-home";
}

/** A finished board. Every list is sorted by id, except payoff cities and regions (chart order). */
export interface Board {
  readonly format: "mapkit/board";
  readonly version: 2;
  /** What kind of board it is */
  readonly kind: "rail";
  readonly id: string;
  readonly title: string;
  readonly variants: readonly string[];
  readonly units: Units;
  readonly projection: Projection;
  readonly page: Page;
  readonly regions: readonly Region[];
  readonly mileposts: readonly Milepost[];
  readonly cities: readonly City[];
  readonly railroads: readonly Railroad[];
  readonly junctions: readonly Junction[];
  readonly pieces: readonly Piece[];
  readonly segments: readonly Segment[];
  /** "regions" and one chart for each region id */
  readonly destinations: { readonly [key: string]: DestinationChart };
  readonly payoffs: Payoffs;
  /** Odds that print or the author declares, as exact fractions: chart -> region or city -> odds */
  readonly declared?: { readonly [key: string]: { readonly [key: string]: string } };
  /** How the author wants the board drawn; left out where it is as usual */
  readonly drawing?: DrawingSettings;
  /** Boxes of the page by name, as the author asked for them; left out where there are none */
  readonly boxes?: { readonly [key: string]: BoardBox };
  /** The author's own layers, drawn in place of the base map's; left out where there are none */
  readonly layers?: OwnLayers | null;
  readonly rules: Rules;
  /** Name -> anything: what others add to a board, kept by all who read it and do not know it */
  readonly extensions: { readonly [key: string]: JsonValue };
  readonly provenance: Provenance;
  /** Sorted; where lines of pieces without a common end cross */
  readonly crossings: readonly Crossing[];
}

/** One move: a segment from a milepost to the next (ids). */
export interface Step {
  readonly segment: string;
  readonly railroad: string;
  readonly start: string;
  readonly end: string;
  readonly miles: number;
}

/**
 * Route between two mileposts (ids) without reuse of track pieces; `payoff` in thousands.
 *
 * The payoff is None unless both ends are cities, and where a milepost of twins (RB-C06) was named that do
 * not earn the same.
 */
export interface Route {
  readonly start: string;
  readonly end: string;
  readonly mileposts: number;
  readonly miles: number;
  readonly payoff: number | null;
  readonly railroads: readonly string[];
  readonly steps: readonly Step[];
}
