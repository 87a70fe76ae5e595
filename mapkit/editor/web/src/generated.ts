// Written by tools/make_docs.py from the models of Python; change those instead.

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Accept a finding, with the reason. */
export interface AcceptFinding {
  readonly kind: "accept-finding";
  readonly reason: string;
  /** Its id: code and sorted ids, `N04:somewhere` */
  readonly finding: string;
}

/** An accepted finding, with its reason. */
export interface Accepted {
  readonly rank: number;
  readonly reason: string;
}

/**
 * Add a city at `lon`, `lat` or at a milepost, there perhaps as a twin of another (RB-C06).
 *
 * The payoff chart gets a row and a column for it, with the `payoffs` that are given (thousands by city id); trips to
 * a twin pay 0. Its region's chart has no cell for it until set or solved.
 */
export interface AddCity {
  readonly kind: "add-city";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id?: string | null;
  readonly name: string;
  readonly region: string;
  readonly lon?: number | null;
  readonly lat?: number | null;
  readonly milepost?: string | null;
  readonly weight?: number | null;
  readonly payoffs?: { readonly [key: string]: number };
  /** City of the payoff chart before which it stands; else last */
  readonly before?: string | null;
}

/** Add a house rule in words: no program plays by it, but the rule sheet and the board file have it. */
export interface AddHouseRule {
  readonly kind: "add-house-rule";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly title: string;
  readonly text: string;
}

/** Add a free junction of a railroad off any milepost (RB-C10); `add-piece` leads track to it. */
export interface AddJunction {
  readonly kind: "add-junction";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly railroad: string;
  readonly lon: number;
  readonly lat: number;
}

/**
 * Add track of a railroad along places, a segment from each milepost to the next; bends stand between.
 *
 * With `along` a segment runs beside that of another railroad where it joins the same two mileposts; `*` is any
 * railroad. In station lists it is a line, called by its ends without a name; other track has no `name`.
 */
export interface AddLine {
  readonly kind: "add-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly railroad: string;
  readonly name?: string | null;
  readonly stops: readonly (string | StopInput)[];
  readonly along?: string | null;
}

/**
 * Add a milepost: on segments, one of each railroad that runs there, which it cuts in two, or off any track yet.
 *
 * Without a position it stands on the first segment's line, at the share `at` of its length from `a`.
 */
export interface AddMilepost {
  readonly kind: "add-milepost";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly name: string;
  readonly segments?: readonly string[];
  readonly at?: number;
  readonly lon?: number | null;
  readonly lat?: number | null;
}

/**
 * Add a track piece between two mileposts or junctions; segments follow from the pieces.
 *
 * Without `id` it gets the next free one of the usual form.
 */
export interface AddPiece {
  readonly kind: "add-piece";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly railroad: string;
  readonly a: string;
  readonly b: string;
  readonly line?: readonly (readonly [number, number])[] | null;
  readonly id?: string | null;
}

/** Add a railroad, without track yet; `price` in whole currency units. */
export interface AddRailroad {
  readonly kind: "add-railroad";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly name: string;
  readonly short: string;
  readonly price?: number;
  readonly public?: boolean;
  readonly colour?: string;
  readonly pattern?: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave";
}

/** Add a region, last in order; where charts are typed it gets an empty one. */
export interface AddRegion {
  readonly kind: "add-region";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id?: string | null;
  readonly name: string;
  readonly short: string;
  readonly colour?: string;
}

/**
 * Add a place to a line before its place `index`, and to all stretches of its railroad between the same two.
 *
 * `railroads` names others that get it too where they run between the same two places.
 */
export interface AddStop {
  readonly kind: "add-stop";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly index: number;
  readonly stop: StopInput;
  readonly railroads?: readonly string[];
}

/** Board of the server, and its revision. */
export interface Alive {
  readonly board: string;
  readonly revision: number;
}

/**
 * A picture that illustrates a finding: file, description, and relevant part.
 *
 * `box` is left, top, right, bottom in pixels; null for all of it.
 */
export interface Attachment {
  readonly file: string;
  readonly about: string;
  readonly box: readonly [number, number, number, number] | null;
}

/** Moment to compare with, and the railroads of requested incomes, which take a second each. */
export interface Balance {
  readonly against?: "saved" | number | null;
  readonly income?: readonly string[];
}

/** Changes of a railroad since the other moment: percent, and cities by id. */
export interface BalanceChange {
  readonly service: number;
  readonly monopoly: number;
  readonly gained: readonly string[];
  readonly lost: readonly string[];
}

/**
 * Railroads and cities, and how they were at the other moment.
 *
 * `gone` are the railroads that were there then, with their names. `income` holds what owning each of the railroads
 * asked for means for travel (`mapkit report --railroads`), `income_before` the same at the other moment. `pairs` are
 * the ten of greatest access.
 */
export interface BalanceFound {
  readonly railroads: readonly BalanceRow[];
  readonly gone: readonly string[];
  readonly gone_names: readonly string[];
  readonly income: { readonly [key: string]: Holding };
  readonly income_before: { readonly [key: string]: Holding };
  readonly pairs: readonly CombinationRow[];
  readonly cities: readonly CityOdds[];
}

/** Railroad, its best partner, and its changes; null if it is new, or nothing is compared. */
export interface BalanceRow {
  readonly railroad: string;
  readonly short: string;
  readonly name: string;
  readonly price: number;
  readonly public: boolean;
  readonly cities: readonly string[];
  readonly service: number;
  readonly service_exact: string;
  readonly monopoly: number;
  readonly monopoly_exact: string;
  readonly connects: readonly string[];
  readonly service_per_thousand: number | null;
  readonly best_pair: Partner | null;
  readonly change: BalanceChange | null;
}

/** Do commands one after the other as one step, all or none. */
export interface Batch {
  readonly kind: "batch";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly label: string;
  readonly commands: readonly Command[];
}

/** How many there are, and will be. */
export interface BeforeAfter {
  readonly before: number;
  readonly after: number;
}

/**
 * Start of a new board: `example`, `empty`, or the name of a board to copy; `open` opens the board that is named.
 *
 * `board` is its id, where the program was not told one.
 */
export interface Begin {
  readonly source: string;
  readonly board?: string;
}

/** The board that was made. */
export interface Begun {
  readonly board: string;
}

/** How many rows and columns of the block do not fit. */
export interface Beyond {
  readonly rows: number;
  readonly columns: number;
}

/**
 * Region and options of a draft.
 *
 * A box is `WEST,SOUTH,EAST,NORTH` in degrees, a polygon its corners, `lon,lat lon,lat lon,lat`, or the file that the
 * board was drafted with.
 */
export interface BoardDraft {
  readonly region: string;
  readonly bbox: string;
  readonly polygon: string;
  readonly cities: number;
  readonly railroads: number | null;
  readonly seed: number;
}

/**
 * Region and options of a draft.
 *
 * A box is `WEST,SOUTH,EAST,NORTH` in degrees, a polygon its corners, `lon,lat lon,lat lon,lat`, or the file that the
 * board was drafted with.
 */
export interface BoardDraftInput {
  readonly region?: string;
  readonly bbox?: string;
  readonly polygon?: string;
  readonly cities?: number;
  readonly railroads?: number | null;
  readonly seed?: number;
}

/** Name of a compared board. */
export interface BoardName {
  readonly id: string;
  readonly title: string;
  readonly variants: readonly string[];
}

/** A part of the page, in millimetres. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A cell of a destination chart: a region's or city's id; None is empty. */
export interface Cell {
  readonly rank: number;
  readonly item: string | null;
}

/** Cell of a picture with more than one possible reading. */
export interface CellInDoubt {
  /** City of the row */
  readonly a: string;
  /** City of the column */
  readonly b: string;
  readonly where: string;
  /** What was read first; ? if nothing was */
  readonly text: string;
  readonly why: string;
  /** What it may say, the likeliest first */
  readonly candidates: readonly string[];
  readonly page: number;
  /** As in Standing */
  readonly box: readonly [number, number, number, number];
}

/** Amount explained by a slip, and the amount suggested in its place; thousands. */
export interface CellOfSlip {
  readonly a: string;
  readonly b: string;
  readonly value: number | null;
  readonly suggested: number | null;
}

/** A chance, as a fraction and in percent. */
export interface Chance {
  readonly exact: string;
  readonly percent: number;
}

/**
 * Change the id of a city, railroad or region, with everything on the board that names it; its name stays.
 *
 * Lines, charts, spacing, merged groups, accepted findings and layers follow. Variants in other files do not.
 */
export interface ChangeId {
  readonly kind: "change-id";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly city?: string | null;
  readonly railroad?: string | null;
  readonly region?: string | null;
  readonly to: string;
}

/** Change of the board, with the parts to draw again. */
export interface ChangedBoard {
  readonly type: "changed";
  readonly revision: number;
  readonly position: number;
  readonly client: string;
  readonly id: string | number | null;
  readonly label: string;
  readonly changes: readonly TableChange[];
  readonly history: ListedHistory;
  readonly unsaved: boolean;
  readonly view: ViewDelta;
}

/** Two cities and their distance in mileposts, null where there is no way. */
export interface ChangedPair {
  readonly a: string;
  readonly b: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Changed row: its name, its differences, and its position in page millimetres. */
export interface ChangedRow {
  readonly table: string;
  readonly key: string;
  readonly how: "added" | "removed" | "changed";
  readonly title: string;
  readonly text: string;
  readonly at: readonly [number, number] | null;
}

/** The changes of a table; the first 400 are listed. */
export interface ChangedTable {
  readonly table: string;
  readonly title: string;
  readonly count: number;
  readonly rows: readonly ChangedRow[];
}

/** Differences by meaning and by table. */
export interface ChangesFound {
  readonly count: number;
  readonly story: readonly StoryStep[];
  readonly groups: readonly ChangedTable[];
}

/** The moment to compare with. */
export interface ChangesSince {
  readonly since?: "saved" | number;
}

/**
 * A payoff chart that was read from a PDF or pictures: its pages, its cells, notes, and the unit of candidates.
 *
 * `left_out` are names that fit no city of the board.
 */
export interface ChartScan {
  readonly pages: readonly ScannedPage[];
  readonly cells: readonly ScannedCell[];
  readonly left_out: readonly NameLeftOut[];
  readonly notes: readonly string[];
  readonly unit: number;
}

/** Run all checks, also of the drawing; every page gets the findings when they are done; `stop` ends them. */
export interface CheckAll {
  readonly id?: string;
  readonly type: "check";
  readonly stop?: boolean;
}

/** All findings of a revision; without `drawing` those of the drawing are left out. */
export interface Checked {
  readonly findings: readonly ShownFinding[];
  readonly checks: { readonly [key: string]: "passed" | "found" | "skipped" | "crashed" };
  readonly type: "findings";
  readonly revision: number;
  readonly drawing: boolean;
}

/** Progress of all checks; `of` is 0 before the first, and, with an empty `what`, when they broke off. */
export interface Checking {
  readonly type: "checking";
  readonly done: number;
  readonly of: number;
  readonly what: string;
}

/** Give the present step a name. */
export interface Checkpoint {
  readonly id?: string;
  readonly type: "checkpoint";
  readonly name?: string;
}

/** A setting with a few values. */
export interface ChoiceSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "choice";
  readonly value: string | number;
  readonly usual: string | number;
  readonly choices: readonly SettingChoice[];
}

/**
 * Request for the start of a board that does not exist yet, or, where `board` is empty, of any board.
 *
 * `recent` are the boards of this workspace, those used last first; `boards` are all that can be opened or copied, and
 * `titles` says how each is called.
 */
export interface Choose {
  readonly type: "choose";
  readonly board: string;
  readonly boards: readonly string[];
  readonly recent: readonly string[];
  readonly titles: { readonly [key: string]: string };
}

/**
 * Start the rules from a preset; changes by the board's own rules are dropped (RB-V19).
 *
 * Rules that the same draft set before stay on top of the preset, so that the order of variants does not matter.
 */
export interface ChoosePreset {
  readonly kind: "choose-preset";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly preset: string;
}

/** Position chosen for a name, degrees (EPSG:4326), and its source. */
export interface ChosenPlace {
  readonly lon: number;
  readonly lat: number;
  readonly source?: string;
}

/** A row of `cities.csv`, degrees (EPSG:4326); an empty `milepost` is the city's own name. */
export interface City {
  readonly rank: number;
  readonly name: string;
  readonly region: string;
  readonly lon: number;
  readonly lat: number;
  readonly milepost: string;
  readonly weight: number | null;
  readonly mark: "capital" | "port" | null;
}

/** The chance of a city, and how many of the 72 of its chart it has. */
export interface CityChance {
  readonly exact: string;
  readonly percent: number;
  readonly in_chart: number;
}

/** Fields of a city to expect; a field that is not given may have any value. */
export interface CityFields {
  readonly name?: string | null;
  readonly region?: string | null;
  readonly weight?: number | null;
  readonly milepost?: string | null;
}

/** A city, and how its chance changed; null if it is new, or nothing is compared. */
export interface CityOdds {
  readonly city: string;
  readonly name: string;
  readonly region: string;
  readonly chance: number;
  readonly chance_exact: string;
  readonly railroads: readonly string[];
  readonly change: number | null;
}

/** Take typed charts out, all of them or one, so that they are solved from weights. */
export interface ClearCharts {
  readonly kind: "clear-charts";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly chart?: string | null;
}

/** Remove the payoff chart, so that it is computed by `[payoffs]`. */
export interface ClearPayoffs {
  readonly kind: "clear-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
}

/** Nothing more to say. */
export interface ColourDistances {
}

/** Two railroads or regions that touch, and the CIEDE2000 differences of their colours. */
export interface ColourPair {
  readonly a: string;
  readonly b: string;
  readonly kind: "beside" | "touch" | "regions";
  readonly normal: number;
  readonly protan: number;
  readonly deutan: number;
  readonly tritan: number;
  readonly smallest: number;
  readonly grey: number;
  readonly patterns_differ: boolean;
}

/** The railroads that keep their colours, and how far a colour may go (CIEDE2000; 100 for anywhere). */
export interface ColourSuggestions {
  readonly keep?: readonly string[];
  readonly near?: number;
}

/** The look of each railroad that should change, and a command that does it; none if nothing should. */
export interface ColoursSuggested {
  readonly styles: { readonly [key: string]: Look };
  readonly command: Command | null;
}

/** The columns of a destination chart: sum -> item, null for an empty cell. */
export interface Columns {
  readonly odd: { readonly [key: string]: string | null };
  readonly even: { readonly [key: string]: string | null };
}

/** Railroads owned together, with their access, monopoly and price. */
export interface CombinationRow {
  readonly railroads: readonly string[];
  readonly price: number;
  readonly access: number;
  readonly access_exact: string;
  readonly monopoly: number;
  readonly monopoly_exact: string;
}

/** Two versions; `drawn` requests their drawings. */
export interface Compared {
  readonly before?: Version;
  readonly after?: Version;
  readonly drawn?: boolean;
}

/** The result of playing on two boards with common random numbers. */
export interface ComparisonComparison {
  readonly a: PlayedOn;
  readonly b: PlayedOn;
  /** Of each player; of a panel, of each style */
  readonly policies: readonly string[];
  readonly players: number;
  readonly matches: number;
  /** How often two play-tests of one board differ by as much, of 1 */
  readonly chance: number;
  /** Whether that is below 0.05 */
  readonly different: boolean;
  readonly figures: readonly FigureDifference[];
  /** Differences by style, in the order of policies */
  readonly panel: readonly PanelFigure[];
}

/** A pixel of a picture, y downward, and its place: degrees, or a city's name. */
export interface ControlPoint {
  readonly rank: number;
  readonly x: number;
  readonly y: number;
  readonly lon: number | null;
  readonly lat: number | null;
  readonly city: string;
  readonly note: string;
}

/** Lay parallel track: the same places, or some of them, as lines of other railroads. */
export interface CopyLine {
  readonly kind: "copy-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly railroads: readonly string[];
  readonly start?: number;
  readonly end?: number | null;
  readonly name?: string | null;
}

/** Odds that a chart is said to give, as typed. */
export interface Declared {
  readonly rank: number;
  readonly chart: string;
  readonly item: string;
  readonly odds: string;
}

/** The same points as `[lon, lat]` in degrees (EPSG:4326), to five decimals. */
export interface Degrees {
  readonly points: readonly (readonly [number, number])[];
}

/** Points on the page, millimetres, y down. */
export interface DegreesOf {
  readonly points: readonly (readonly [number, number])[];
}

/**
 * Delete a city, its cells and amounts in the charts, and accepted findings about it; its milepost stays.
 *
 * `charts` leaves its cells empty (`keep`), or gives them to the other cities of its region, so that they come nearest
 * to their old chances (`solve`); all other cells stay.
 */
export interface DeleteCity {
  readonly kind: "delete-city";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly charts?: "keep" | "solve";
}

/** Delete a control point. */
export interface DeleteControlPoint {
  readonly kind: "delete-control-point";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly key: string;
}

/** Delete a house rule, by its title. */
export interface DeleteHouseRule {
  readonly kind: "delete-house-rule";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly title: string;
}

/**
 * Delete lines, and the places that no other line names; of one line perhaps a section only.
 *
 * The section is that between its places `start` and `end`, counted from 0; the rest becomes one line or two.
 */
export interface DeleteLine {
  readonly kind: "delete-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly lines: readonly string[];
  readonly start?: number;
  readonly end?: number | null;
}

/** Delete a track piece, and every segment that runs over it. */
export interface DeletePiece {
  readonly kind: "delete-piece";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
}

/**
 * Take a milepost or bend out of all track, or that of some railroads; or a junction that joins none any more.
 *
 * `track` is the treatment of the track through it: `straight` leads it past the place; `join` keeps its shape, and
 * the place becomes a bend (with three or more arms a junction); `remove` deletes it up to the next places. Track that
 * ends there ends at the milepost before.
 */
export interface DeletePlace {
  readonly kind: "delete-place";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly place: string;
  readonly railroads?: readonly string[] | null;
  readonly track?: "straight" | "join" | "remove";
}

/** Delete a railroad with its track, its spacing, and accepted findings about it; mileposts of others stay. */
export interface DeleteRailroad {
  readonly kind: "delete-railroad";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
}

/** Delete a region and its chart; its cities go to another region, if one is given. */
export interface DeleteRegion {
  readonly kind: "delete-region";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly move_to?: string | null;
}

/** Delete segments with the track that only they use; a junction that is left bare goes too. */
export interface DeleteSegments {
  readonly kind: "delete-segments";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly segments: readonly string[];
}

/**
 * Take a place out of a line, counted from 0, and out of the same stretch on its railroad's other lines.
 *
 * At an end the line becomes shorter, up to the next milepost.
 */
export interface DeleteStop {
  readonly kind: "delete-stop";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly index: number;
}

/** Changed cell of a destination chart (RB-C14); None is an empty cell or a missing chart. */
export interface DestinationChange {
  readonly chart: string;
  readonly column: "odd" | "even";
  readonly sum: number;
  readonly a: string | null;
  readonly b: string | null;
}

/** 22 cells, `"2"` to `"12"` for odd and for even (RB-C14, RB-D01); None is an empty cell. */
export interface DestinationChart {
  readonly odd: { readonly [key: string]: string | null };
  readonly even: { readonly [key: string]: string | null };
}

/** Chart, and the targets of some items in percent; the others keep their proportions. */
export interface DestinationsAsked {
  readonly chart: string;
  readonly percent?: { readonly [key: string]: number };
  readonly seconds?: number;
}

/** Destination charts of a file; `names` has the names of ids, `notes` those of the reader. */
export interface DestinationsRead {
  readonly charts: { readonly [key: string]: DestinationChart };
  readonly names: { readonly [key: string]: string };
  readonly left_out: readonly NameLeftOut[];
  readonly notes: readonly string[];
}

/** A chart by sum; `largest` is the largest error, `proven` says that no chart comes nearer. */
export interface DestinationsSolved {
  readonly odd: { readonly [key: string]: string | null };
  readonly even: { readonly [key: string]: string | null };
  readonly items: { readonly [key: string]: Solved };
  readonly largest: number;
  readonly proven: boolean;
  readonly notes: readonly string[];
  readonly command: Command;
}

/** Two moments; without `after` the board as it is now. */
export interface DiffAsked {
  readonly before?: "saved" | number;
  readonly after?: "saved" | number | null;
}

/** The difference of two boards as `mapkit variant diff` has it, and its story. */
export interface DifferenceFound {
  readonly format: "mapkit/board-diff";
  readonly version: 1;
  readonly a: BoardName;
  readonly b: BoardName;
  /** The steps that lead from A to B, elements first */
  readonly story: readonly StoryStep[];
  readonly elements: readonly ElementChange[];
  readonly destinations: readonly DestinationChange[];
  readonly payoffs: readonly PayoffChange[];
  readonly rules: readonly ValueChange[];
  /** Units, page, projection, the order of charts, declared odds */
  readonly values: readonly ValueChange[];
}

/** How far apart colours that touch are, for people with any colour vision, as `mapkit colours` has it. */
export interface DistancesFound {
  readonly board: string;
  readonly theme: string;
  readonly limit: number;
  readonly grey_limit: number;
  readonly railroads: readonly ColourPair[];
  readonly regions: readonly ColourPair[];
  readonly alike: readonly (readonly [string, string])[];
  readonly alike_in_grey: readonly (readonly [string, string])[];
  readonly smallest: number | null;
  readonly smallest_same_pattern: number | null;
  readonly smallest_grey: number | null;
}

/** Do a command; `seen` is the revision that the author saw, `force` does it though others changed the same rows. */
export interface Do {
  readonly id?: string;
  readonly type: "do";
  readonly command?: Command;
  readonly seen?: number | null;
  readonly force?: boolean;
}

/** A request was done. */
export interface Done {
  readonly type: "done";
  readonly id: string;
  readonly revision: number;
}

/** A dot or a square: its middle and width in pixels of the picture. */
export interface DotInPicture {
  readonly kind: "dot" | "square";
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A name for each of the dots and squares in their order, empty where there is none; whether a map places them. */
export interface DotsNamed {
  readonly placed: boolean;
  readonly names: readonly string[];
}

/** Dots and squares of the picture that the control points are of, and the kind of map. */
export interface DotsToName {
  readonly model?: "affine" | "projective" | "tps";
  readonly dots: readonly DotInPicture[];
}

/** A control point as it would be: a pixel, and millimetres on the page. */
export interface DraftPoint {
  /** The point that it replaces; any other key adds one */
  readonly key: string;
  readonly x: number;
  readonly y: number;
  readonly at: readonly [number, number];
}

/**
 * Data for the page before it requests a draft.
 *
 * `before` is how the board was drafted last, if it was; `empty` says that nothing is on it. A board that is neither
 * is not drafted over.
 */
export interface DraftReady {
  readonly before: BoardDraft | null;
  readonly empty: boolean;
}

/** Operations of a variant between two versions, and the differences that none expresses. */
export interface Drafted {
  readonly operations: readonly ShownOperation[];
  readonly left: readonly string[];
}

/**
 * Size of a drawing and extent of its content, in its own units with y downward.
 *
 * `page` is the upper left corner, width and height (None where the file gives none); `drawn` is left, top, right
 * and bottom of all its lines and points (None where it has none).
 */
export interface DrawingExtent {
  readonly file: string;
  readonly page: DrawnPage | null;
  readonly drawn: readonly [number, number, number, number] | null;
}

/** Changes of placing the drawings again, and its command; `changes` is false if there are none. */
export interface DrawingsPreview {
  readonly label: string;
  readonly command: Command;
  readonly changes: boolean;
  readonly report: PlacingReport;
  readonly view: ViewDelta;
}

/**
 * Drawing of a board alone, in page millimetres.
 *
 * A milepost is its id, x, y, its region and the names of its cities; a segment its id, railroad and path. `regions`
 * are colours by id.
 */
export interface DrawnBoard {
  readonly title: string;
  readonly variants: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly railroads: { readonly [key: string]: DrawnRailroad };
  readonly regions: { readonly [key: string]: string };
  readonly mileposts: readonly (readonly [string, number, number, string | null, string | null])[];
  readonly segments: readonly (readonly [string, string, readonly (readonly [number, number])[]])[];
  readonly figures: Figures;
}

/** Page of a drawing in its own units, y downward: upper left corner and size. */
export interface DrawnPage {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * A part of the drawing: the layer `ground`, or `lines` and `symbols`; nothing if the page has it (`same`).
 *
 * `lines` are the drawn lines of segments by id. Colours are those that the theme has for names; millimetres are those
 * of its symbols: the width of a line, the side of a square, the radius of a dot.
 */
export interface DrawnPart {
  readonly digest: string;
  readonly same: boolean;
  readonly layers: { readonly [key: string]: PartLayer };
  readonly lines: { readonly [key: string]: readonly (readonly [number, number])[] };
  readonly ink: string;
  readonly halo: string;
  readonly line: number;
  readonly square: number;
  readonly dot: number;
}

/** A railroad of a drawn board. */
export interface DrawnRailroad {
  readonly short: string;
  readonly name: string;
  readonly colour: string;
}

/** Change the title, the page or the projection; positions on the page follow. */
export interface EditBoard {
  readonly kind: "edit-board";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly title?: string | null;
  readonly page?: Page | null;
  readonly projection?: Projection | null;
}

/**
 * Change the given fields of a city; lines, charts and control points follow its name; weight 0 removes the weight.
 *
 * `lon` and `lat` move it, degrees (EPSG:4326); of twins only this one, so that their milepost moves half as far. An
 * empty `milepost` gives a twin its own again; lines that named the shared one stay with the other.
 * `charts` is the effect of a move to another region on the destination charts (RB-D01). `keep` leaves them. `cities`
 * changes only the city's own cells in the old region's chart, and gives it the fewest cells nearest to its old chance
 * in the new one; the region chart stays, unless the new region has no cell in it or the old one no city. `solve` also
 * moves the fewest cells of the region chart that come nearest to the city's old chance.
 */
export interface EditCity {
  readonly kind: "edit-city";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly region?: string | null;
  readonly weight?: number | null;
  readonly mark?: "capital" | "port" | "none" | null;
  readonly milepost?: string | null;
  readonly lon?: number | null;
  readonly lat?: number | null;
  readonly was?: CityFields;
  readonly charts?: "keep" | "cities" | "solve";
}

/**
 * Change the given fields of lines: name, railroad, direction; the id of a line follows its railroad and name.
 *
 * Lines of track in tables are called by their ends and have no direction.
 */
export interface EditLine {
  readonly kind: "edit-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly lines: readonly string[];
  readonly name?: string | null;
  readonly railroad?: string | null;
  readonly reverse?: boolean;
}

/**
 * Change the given fields of a milepost or bend: its position, its name in all rows, its note in `places.csv`.
 *
 * It is given by its id, or as station lists write it. `lon` and `lat` (degrees, EPSG:4326) move it with all track
 * through it, and a city with it, twins together. In tables its id stays when it is renamed.
 */
export interface EditPlace {
  readonly kind: "edit-place";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly place: string;
  readonly name?: string | null;
  readonly lon?: number | null;
  readonly lat?: number | null;
  readonly note?: string | null;
  readonly was?: PlaceFields;
}

/** Change the given fields of a railroad: name, mark, price, colour, pattern, or whether it is public (RB-C11). */
export interface EditRailroad {
  readonly kind: "edit-railroad";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly short?: string | null;
  readonly price?: number | null;
  readonly public?: boolean | null;
  readonly colour?: string | null;
  readonly pattern?: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave" | null;
  readonly was?: RailroadFields;
}

/** Change the given fields of a region: name, short name or colour. */
export interface EditRegion {
  readonly kind: "edit-region";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly id: string;
  readonly name?: string | null;
  readonly short?: string | null;
  readonly colour?: string | null;
  readonly was?: RegionFields;
}

/** Choose a preset, switch options on and off, set single settings; null takes one back to the preset's. */
export interface EditRules {
  readonly kind: "edit-rules";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly preset?: string | null;
  readonly on?: readonly string[];
  readonly off?: readonly string[];
  readonly values?: { readonly [key: string]: JsonValue };
}

/** An element that was added (no `a`), removed (no `b`), or changed: its id in each board and the fields. */
export interface ElementChange {
  readonly kind: "region" | "milepost" | "city" | "railroad" | "junction" | "segment";
  readonly how: "added" | "removed" | "changed";
  readonly a: string | null;
  readonly b: string | null;
  readonly fields: readonly FieldChange[];
}

/** The reply where there is nothing to say. */
export interface EmptyResult {
}

/**
 * Fees an owner collects from one opponent and trip, by the opponent's engine, currency units.
 *
 * `mileposts` are those that the opponent rides on the owner's lines in a trip; `mean_turn` are the mileposts of a
 * turn.
 */
export interface EngineFees {
  readonly engine: string;
  readonly mean_turn: number;
  readonly mileposts: number;
  readonly fees: number;
  readonly fees_after_sell_out: number;
}

/** The ticket in the address that a page was opened by. */
export interface Enter {
  readonly ticket: string;
}

/** Secret of a page that was let in, to be sent with every request. */
export interface Entered {
  readonly secret: string;
}

/** Option excluded by another, and the matter of their disagreement. */
export interface Excluded {
  readonly id: string;
  readonly about: string;
}

/** Extend a line beyond one of its ends; places in drawing order. */
export interface ExtendLine {
  readonly kind: "extend-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly end: "start" | "end";
  readonly stops: readonly StopInput[];
}

/** Field with different values on two boards; `a` is in B's ids for elements of both boards. */
export interface FieldChange {
  readonly field: string;
  readonly a: JsonValue;
  readonly b: JsonValue;
}

/** A figure on both boards, with the 95 % interval of its difference. */
export interface FigureDifference {
  /** What it is of: match, player, seat, or what the board has, as railroad */
  readonly part: string;
  /** Which one: a number from 1, or an id */
  readonly id: string;
  readonly figure: string;
  readonly a: number;
  readonly b: number;
  /** B less A */
  readonly difference: number;
  readonly low: number;
  readonly high: number;
  /** How many times larger the variance of the difference would be with independent runs; none if the difference is the same in all matches */
  readonly saving: number | null;
}

/** How many elements a board has. */
export interface Figures {
  readonly mileposts: number;
  readonly segments: number;
  readonly railroads: number;
  readonly cities: number;
}

/** Another file of the source package, such as a drawing; `content` is base64. */
export interface File {
  readonly rank: number;
  readonly sha256: string;
}

/** The lines of a file in page millimetres, y downward, clipped to the page as the base map is. */
export interface FileLines {
  readonly lines: readonly (readonly (readonly [number, number])[])[];
}

/** The moment. */
export interface FindingIds {
  readonly at?: "saved" | number;
}

/** Location of a finding: file and row of the source package, and a position on the map (EPSG:4326). */
export interface FindingsPlace {
  readonly file: string | null;
  readonly row: number | null;
  /** Path to a value of a file without rows, such as `$.payoffs[3][4]` */
  readonly path: string | null;
  readonly lon: number | null;
  readonly lat: number | null;
}

/** Fit projection and page to the board as a build would now. */
export interface FitPage {
  readonly id?: string;
  readonly type: "fit-page";
}

/** The page was refitted: where everything is now. */
export interface Fitted {
  readonly type: "view";
  readonly view: ViewDelta;
}

/** Fixes of a finding that fit the present board, the likeliest first. */
export interface FixesFound {
  readonly fixes: readonly OfferedFix[];
}

/** A finding, as the page has it. */
export interface FixesOf {
  readonly code: string;
  readonly severity?: Severity;
  readonly elements?: readonly string[];
  readonly accepted?: string | null;
  readonly data?: { readonly [key: string]: JsonValue };
}

/** A setting that is on or off. */
export interface FlagSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "flag";
  readonly value: boolean;
  readonly usual: boolean;
  readonly words_on: string;
  readonly words_off: string;
}

/** Place: degrees (EPSG:4326), its country, and its population if known. */
export interface FoundPlace {
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
  readonly source: "board" | "gazetteer";
  readonly population: number | null;
}

/**
 * Accuracy of a georeference.
 *
 * `worst` is the row of the point that fits the others least (None where that is not known); `matrix` takes
 * `(x, y, 1)` to the plane of `crs` (None for a spline, which is fixed by its points).
 */
export interface GeoreferenceReport {
  readonly format: "mapkit/georeference";
  readonly model: "affine" | "projective" | "tps";
  readonly crs: string;
  readonly matrix: readonly (readonly [number, number, number])[] | null;
  readonly rms_pixels: number | null;
  readonly rms_miles: number | null;
  readonly left_out_rms_pixels: number | null;
  readonly left_out_rms_miles: number | null;
  readonly miles_per_pixel: number;
  readonly worst: number | null;
  readonly warnings: readonly GeoreferenceWarning[];
  readonly points: readonly PointErrors[];
  readonly drawings: readonly DrawingExtent[];
}

/** Doubtful property of a georeference; `row` is the control point to look at. */
export interface GeoreferenceWarning {
  readonly code: "bad-point" | "bending" | "folding" | "mirrored" | "nearly-on-a-line" | "no-check" | "other-projection" | "outside-drawing" | "outside-points";
  readonly row: number | null;
  readonly message: string;
}

/** Moment of the requested track. */
export interface Ghost {
  readonly moment?: "saved" | number;
}

/** The track of a moment in page millimetres, y downward: lines, and dots for mileposts. */
export interface GhostDrawn {
  readonly lines: readonly (readonly (readonly [number, number])[])[];
  readonly dots: readonly (readonly [number, number])[];
}

/** Go to any step; 0 is the start. */
export interface GoTo {
  readonly id?: string;
  readonly type: "goto";
  readonly to: number;
}

/** A change that must be taken back with others: its title, and the title of its table. */
export interface GoesAlong {
  readonly title: string;
  readonly how: "added" | "removed" | "changed";
  readonly group: string;
}

/**
 * A grid from edge to edge of the page in cells of one size, millimetres.
 *
 * `points` are `[lon, lat]` in degrees of its corners, row by row from the top, null off the map.
 */
export interface GridDegrees {
  readonly cell: readonly [number, number];
  readonly columns: number;
  readonly points: readonly (readonly [number, number] | null)[];
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

/** A setting that is a list of groups of railroads. */
export interface GroupsSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "groups";
  readonly value: readonly Group[] | null;
  readonly usual: readonly Group[] | null;
}

/**
 * The whole board, as a page first gets it.
 *
 * `notices` are what the author should know first, such as that a shipped board was copied; `writable` says whether
 * the folder of the board can be written to; `disk` are files that another program changed, until that is settled;
 * `limits` say how much a page may send.
 */
export interface Hello {
  readonly revision: number;
  readonly position: number;
  readonly board: string;
  readonly title: string;
  readonly tables: Tables;
  readonly history: ListedHistory;
  readonly unsaved: boolean;
  readonly type: "hello";
  readonly client: string;
  readonly kind: string;
  readonly view: View;
  readonly findings: readonly ShownFinding[];
  readonly notices: readonly string[];
  readonly writable: boolean;
  readonly disk: OnDisk | null;
  readonly limits: Limits;
}

/**
 * Effects of owning some railroads (ids) on travel; shares in percent, lengths in mileposts.
 *
 * Args:
 *     railroads: The railroads.
 *     price: Their price, currency units.
 *     access: Chance that the next destination is a city they serve.
 *     access_exact: The same as a fraction.
 *     monopoly: Chance that it is a city only they serve.
 *     monopoly_exact: The same as a fraction.
 *     foreign_travel: Share of travel that must use other lines: the fewest mileposts that the owner's trips need on
 *         them, of the fewest mileposts that all trips take.
 *     foreign_trips: Share of the owner's trips that cannot be made on his lines alone.
 *     used_trips: Share of all trips whose shortest route, of fewest mileposts, may use the railroads.
 *     average_haul: Mileposts on the railroads of a trip that uses them, on shortest routes that use them most.
 *     fees: Fees collected from an opponent a trip, by the opponent's engine, if all other lines are the bank's and
 *         the opponent takes the route of least fees, then of fewest mileposts.
 *     shortens: The pairs that are farther apart without them, most lost mileposts times chance first.
 *     shortened_pairs: Number of all such pairs.
 */
export interface Holding {
  readonly railroads: readonly string[];
  readonly price: number;
  readonly access: number;
  readonly access_exact: string;
  readonly monopoly: number;
  readonly monopoly_exact: string;
  readonly foreign_travel: number;
  readonly foreign_trips: number;
  readonly used_trips: number;
  readonly average_haul: number;
  readonly fees: readonly EngineFees[];
  readonly shortens: readonly ShortenedPair[];
  readonly shortened_pairs: number;
}

/** Players grouped by the percentage of destinations that their railroads reached at the end. */
export interface HoldingFigures {
  readonly low: number;
  readonly high: number;
  /** Wins of those with such access */
  readonly access: Share;
  /** Wins of those with such a monopoly */
  readonly monopoly: Share;
}

/** A rule of the house: a title and a text; the text may have several lines. */
export interface HouseRule {
  readonly title: string;
  readonly text: string;
}

/** The ids of the findings of a moment, without those of the drawing. */
export interface IdsFound {
  readonly ids: readonly string[];
}

/**
 * Take the payoff chart of a file beside the variant; the reader fills in `cities` and `thousands`.
 *
 * Cities that the file does not name keep their cells.
 */
export interface ImportPayoffs {
  readonly kind: "import-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  /** Path, relative to the variant's folder */
  readonly file?: string | null;
  readonly cities?: readonly string[];
  readonly thousands?: readonly (readonly (number | null)[])[];
}

/**
 * All files, railroads added, notes on placing, and files written.
 *
 * `by_rule` counts the board's mileposts that no drawing has a point for.
 */
export interface ImportReport {
  readonly files: readonly ImportedFile[];
  readonly new_railroads: readonly string[];
  readonly by_rule: number;
  /** Gap of mileposts, miles, where the board has none and the files have no points */
  readonly suggested_gap_mi: number | null;
  readonly notes: readonly string[];
  /** Whether it is a step of the board, which undo takes back */
  readonly is_step: boolean;
  /** Why it is not, where there was a board before */
  readonly undo_obstacle: string;
  readonly written: readonly string[];
}

/** Content of a file; `miles` is None for a drawing in pixels, which has an `extent` instead. */
export interface ImportedFile {
  readonly file: string;
  readonly pixels: boolean;
  /** Of a land that is invented, on its plane */
  readonly invented: boolean;
  readonly lines: number;
  readonly vertices: number;
  readonly miles: number | null;
  readonly points: number;
  readonly named_points: number;
  readonly columns: readonly string[];
  readonly keys: readonly ImportedKey[];
  readonly notes: readonly string[];
  readonly problems: readonly string[];
  readonly extent: DrawingExtent | null;
}

/** Key in a file: its number of lines, and their railroad; None while the railroad is unknown. */
export interface ImportedKey {
  readonly key: string;
  readonly lines: number;
  readonly railroad: string | null;
}

/** Output, version of the board, and options of a job. */
export interface JobAsked {
  readonly what: "draw" | "print" | "sheets" | "export" | "report" | "rules";
  readonly of?: Version;
  readonly theme?: string;
  readonly form?: "svg" | "png" | "pdf";
  readonly dpi?: number;
  readonly fonts?: "name" | "embed" | "paths";
  readonly dot_names?: boolean;
  readonly contrast?: number;
  readonly paper?: "a4" | "letter" | "a3" | "tabloid" | "poster";
  readonly only?: readonly string[];
  readonly scale?: number;
  readonly duplex?: boolean;
  readonly booklet?: boolean;
  readonly low_ink?: boolean;
  readonly formats?: readonly string[];
}

/** Progress of a job: its stage, and its messages, such as the reason of a failure. */
export interface JobState {
  readonly id: string;
  readonly state: "waiting" | "running" | "done" | "failed" | "stopped";
  readonly stage: string;
  readonly said: readonly string[];
  readonly files: readonly MadeFile[];
}

/** Join two lines of one railroad at the end that they share; the first keeps its name. */
export interface JoinLines {
  readonly kind: "join-lines";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly a: string;
  readonly b: string;
}

/** Two cities and the payoff that all other amounts predict for them; thousands. */
export interface JudgedCell {
  readonly a: string;
  readonly b: string;
  /** As it stands; None: no amount, or two that differ */
  readonly value: number | null;
  /** What the other amounts say */
  readonly expected: number;
  /** Standard deviation of value minus expected */
  readonly sd: number;
  /** Chance that the amount is wrong; None: not judged */
  readonly score: number | null;
  /** What explains the amount best, if it is wrong */
  readonly slip: string;
  /** What should stand there, if it is wrong */
  readonly suggested: number | null;
}

/** Data of a finding on a payoff chart: of an amount, or of the cells of a slip of many. */
export interface JudgedData {
  readonly value?: number | null;
  readonly expected?: number | null;
  readonly suggested?: number | null;
  readonly cause?: string;
  readonly score?: number | null;
  readonly mirrored?: number;
  readonly cells?: readonly CellOfSlip[];
}

/** A finding with its id. */
export interface JudgedFinding {
  readonly code: string;
  /** Name of the check, such as `line-ends-short-of-city` */
  readonly name: string;
  readonly severity: Severity;
  readonly elements: readonly string[];
  readonly place: FindingsPlace;
  readonly message: string;
  /** The author's reason, if accepted */
  readonly accepted: string | null;
  readonly data: JudgedData;
  /** Id of the finding that it follows from */
  readonly follows: string | null;
  /** Pictures that show it */
  readonly attachments: readonly Attachment[];
  /** Return the id. */
  readonly id: string;
}

/** A free junction of a railroad by its id, degrees (EPSG:4326). */
export interface Junction {
  readonly rank: number;
  readonly railroad: string;
  readonly lon: number;
  readonly lat: number;
}

/** Folder and names of a job's written files. */
export interface KeptFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

/** Stored file of lines: its numbers of lines and vertices, and notes of the reader. */
export interface KeptLines {
  readonly id: string;
  readonly name: string;
  readonly lines: number;
  readonly vertices: number;
  readonly notes: readonly string[];
}

/** First message of a page on the socket. */
export interface Knock {
  readonly type: "enter";
  readonly secret: string;
}

/** A computer player; one with an error cannot play. `own` are files of the workspace. */
export interface KnownPolicy {
  readonly name: string;
  readonly about: string;
  readonly own: boolean;
  readonly error: string | null;
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
  readonly middle?: readonly [number, number];
}

/** Effect of a variant of a stack, by meaning; `asked` is false for a base of another. */
export interface Layer {
  readonly name: string;
  readonly title: string;
  readonly asked: boolean;
  readonly steps: readonly ShownStep[];
}

/** The most bytes of a step, of any other request, and of the files that addresses take, by their path. */
export interface Limits {
  readonly step: number;
  readonly request: number;
  readonly files: { readonly [key: string]: number };
}

/** A line of a station list: its railroad's id, its name, the file it stands in, and its places in order. */
export interface Line {
  readonly rank: number;
  readonly railroad: string;
  readonly name: string;
  readonly file: string;
  /** The feature of a drawing that it came from, `file#feature` */
  readonly feature: string;
  readonly stops: readonly (readonly [string, "milepost" | "via"])[];
}

/** A file of lines that was taken in. */
export interface LineFile {
  readonly id: string;
}

/** The files of lines of a board, by name. */
export interface LineFileList {
  readonly files: readonly KeptLines[];
}

/**
 * Choice of the author: the railroad of each key, `""` to leave its lines out; other keys become railroads.
 *
 * `gap_mi` is how far apart mileposts are, miles, where the board does not say it yet.
 */
export interface LineImport {
  readonly railroads?: { readonly [key: string]: string };
  readonly gap_mi?: number | null;
}

/**
 * The history in the form for pages: the current position, and the saved step.
 *
 * `steps` go from the start to the present step, then come those that redo would do; `other` are the steps of other
 * branches, by number.
 */
export interface ListedHistory {
  readonly position: number;
  readonly saved: number;
  readonly steps: readonly ListedStep[];
  readonly other: readonly ListedStep[];
}

/**
 * A step in the form for pages: `n` is 0 for the board when it was first opened.
 *
 * `done` says whether the board as it is now holds the step; the others can be done again. `branches` are the steps
 * of other branches that begin here.
 */
export interface ListedStep {
  readonly n: number;
  readonly parent: number | null;
  readonly label: string;
  readonly client: string;
  readonly done: boolean;
  readonly checkpoints: readonly string[];
  readonly branches: readonly number[];
}

/** A variant; one with an error has nothing else but its name. `own` are those of this workspace. */
export interface ListedVariant {
  readonly name: string;
  readonly own: boolean;
  readonly error: string | null;
  readonly title: string;
  readonly description: string;
  readonly board: string | null;
  readonly fits: boolean;
  readonly bases: readonly string[];
  readonly operations: readonly ShownOperation[];
  readonly count: number;
}

/** A colour and a pattern. */
export interface Look {
  readonly colour: string;
  readonly pattern: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave";
}

/** Nothing more to say. */
export interface Looks {
}

/**
 * Samples of all patterns as the classic theme draws them, and how colours are seen.
 *
 * A swatch is a list of SVG paths, millimetres from (0, 0) to (`long`, 0), from the bottom up.
 */
export interface LooksFound {
  readonly long: number;
  readonly swatches: { readonly [key: string]: readonly SwatchPath[] };
  readonly visions: Visions;
}

/** A file that a job made: its path in the job's folder, and its size. */
export interface MadeFile {
  readonly name: string;
  readonly bytes: number;
}

/** Themes and formats; formats that cannot be loaded are left out. */
export interface Makes {
  readonly themes: readonly OfferedTheme[];
  readonly formats: readonly OfferedFormat[];
}

/** Nothing more to say. */
export interface MakesAsked {
}

/** A section of the rule sheet. */
export interface MarkedSection {
  readonly title: string;
  readonly numbered: boolean;
  readonly points: readonly MarkedText[];
}

/** Rule sheet marked against other rules; `open` has sentences on matters that no source settles. */
export interface MarkedSheet {
  readonly title: string;
  readonly rule_set: string;
  readonly options: readonly MarkedText[];
  readonly sections: readonly MarkedSection[];
  readonly open: readonly string[];
}

/** A sentence of the rule sheet: `new`, `gone`, or as it was. */
export interface MarkedText {
  readonly text: string;
  readonly mark: "" | "new" | "gone";
}

/** Place that a name may mean, degrees (EPSG:4326). */
export interface MatchCandidate {
  /** Its name, or the stops between which it is placed */
  readonly place: string;
  /** ISO 3166 alpha-2; empty for a place between stops */
  readonly country: string;
  readonly lon: number;
  readonly lat: number;
  readonly population: number | null;
  /** What fits; `between` places it between the stops beside it */
  readonly fits: "name" | "alternative" | "similar" | "between";
  /** The alternative name that fits; empty where its own name does */
  readonly called: string;
  /** Distance from the line; None for a name on no line */
  readonly off_line_mi: number | null;
}

/** A map of pixels to millimetres, 3 x 3. */
export interface MatrixMap {
  readonly matrix: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
}

/** A mean with its 95 % interval. */
export interface Mean {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Standard deviation of one trial */
  readonly deviation: number;
  /** How many trials */
  readonly of: number;
}

/**
 * Give all track of `railroads` to `into`, one of them; the others go.
 *
 * Where two of them join the same two mileposts, one segment stays, of `into` if it has one. The price is the sum
 * unless given.
 */
export interface MergeRailroads {
  readonly kind: "merge-railroads";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly railroads: readonly string[];
  readonly into: string;
  readonly name?: string | null;
  readonly short?: string | null;
  readonly price?: number | null;
}

/** A milepost by its id: the name to show, degrees (EPSG:4326); it stands there whatever lists and cities say. */
export interface Milepost {
  readonly rank: number;
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
}

/** Milepost moved by placing again, and its distance. */
export interface MovedMilepost {
  readonly name: string;
  readonly miles: number;
}

/** Name that is unknown or ambiguous on the board, and was left out. */
export interface NameLeftOut {
  readonly typed: string;
  readonly where: string;
  /** Ids of what has a name like it, the nearest first */
  readonly near: readonly string[];
  /** Whether the name shortens those of both, which share a milepost */
  readonly twins: boolean;
}

/** A step was named. */
export interface Named {
  readonly type: "checkpoint";
  readonly revision: number;
  readonly history: ListedHistory;
}

/** Place with its position, degrees (EPSG:4326). */
export interface NamedPoint {
  readonly name: string;
  readonly lon: number;
  readonly lat: number;
}

/** City with a name close to an unknown one. */
export interface NearCity {
  readonly id: string;
  readonly name: string;
}

/** The file's coordinate system must be named: the page asks for it, and sends the file again. */
export interface NeedsCrs {
  readonly message: string;
  readonly suggested_crs: string;
}

/** A variant that leads from one version to another. */
export interface NewVariant {
  readonly name: string;
  readonly title?: string;
  readonly before?: Version;
  readonly after?: Version;
  readonly replace?: boolean;
}

/** A sentence for the author. */
export interface Notice {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly message: string;
}

/** A setting that is a whole number, or nothing if it is `nullable`. */
export interface NumberSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "number";
  readonly value: number | null;
  readonly usual: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly nullable: boolean;
  readonly unit: string;
}

/** Nothing more to say. */
export interface Odds {
}

/**
 * Odds of regions and cities; `unassigned` is the share of empty cells.
 *
 * `charts` holds the cells, also of charts that are `solved` and not typed.
 */
export interface OddsFound {
  readonly regions: { readonly [key: string]: Chance };
  readonly cities: { readonly [key: string]: CityChance };
  readonly unassigned: Chance;
  readonly charts: { readonly [key: string]: Columns };
  readonly solved: boolean;
}

/** Fix of a finding: the label of its button, and its command. */
export interface OfferedFix {
  readonly label: string;
  readonly command: Command;
}

/** A format, as `mapkit list formats` lists it. */
export interface OfferedFormat {
  readonly name: string;
  readonly title: string;
  readonly suffixes: readonly string[];
  readonly carries: string;
  readonly loses: string;
}

/** Theme with its colours. */
export interface OfferedTheme {
  readonly name: string;
  readonly about: string;
}

/** An amount from a city to itself. */
export interface OnDiagonal {
  readonly city: string;
  readonly value: number;
}

/** Another program changed rows on disk that were also changed here. */
export interface OnDisk {
  readonly type: "disk";
  readonly files: readonly string[];
  readonly conflicts: readonly ShownConflict[];
}

/** The water of the base map that is well away from land, of the true map. */
export interface OpenWater {
}

/** The page in millimetres; the map lies inside `frame` (left, top, right, bottom). */
export interface Page {
  readonly width: number;
  readonly height: number;
  readonly frame: readonly [number, number, number, number];
  /** West, south, east, north in degrees: what the frame shows beside the board, if its author said so */
  readonly extent?: readonly [number, number, number, number] | null;
}

/** A grid over the whole page, asked for once. */
export interface PageGrid {
}

/**
 * Paint of shapes: colours as `#rrggbb`, or `#rrggbbaa` if translucent; lengths in millimetres.
 *
 * `size`, `bold`, `anchor` and `spacing` are of texts.
 */
export interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly shift?: number;
  readonly cap?: "round";
  readonly join?: "round";
  readonly evenodd?: boolean;
  readonly size?: number;
  readonly bold?: boolean;
  readonly anchor?: "middle" | "end";
  readonly spacing?: number;
}

/** A figure by several styles of players. */
export interface PanelFigure {
  /** What it is of: match, player, seat, or what the board has, as railroad */
  readonly part: string;
  /** Which one: a number from 1, or an id */
  readonly id: string;
  readonly figure: string;
  /** Mean over styles */
  readonly estimate: number;
  /** Half the width of the 95 % interval for the dice */
  readonly dice: number;
  /** Half the width of the 95 % interval for the choice of styles */
  readonly players: number;
  /** Of the style with the lowest value */
  readonly low: number;
  /** Of the style with the highest value */
  readonly high: number;
  /** Of each style, in their order */
  readonly values: readonly number[];
  /** In how many styles it lies on the side of the estimate; none without sides */
  readonly sign: number | null;
  /** Whether it lies clearly above in one style and clearly below in another */
  readonly depends: boolean;
}

/** A layer in millimetres of the page: shapes from the bottom up, and the paints that they name. */
export interface PartLayer {
  readonly paints: readonly Paint[];
  readonly shapes: readonly Shape[];
}

/** A railroad, and the access that it gives together with another. */
export interface Partner {
  readonly railroad: string;
  readonly access: Chance;
}

/**
 * Reading of a block: the `cells` that would change, `[a, b, thousands]`, each with its present amount.
 *
 * `same` is how many pairs say what the chart says, `empty` how many say nothing. `unit` and `decimal` are how amounts
 * were read; `note` is a doubt about that.
 */
export interface PasteRead {
  readonly cells: readonly (readonly [string, string, number | null])[];
  readonly was: readonly (number | null)[];
  readonly same: number;
  readonly empty: number;
  readonly halves: readonly TwoHalves[];
  readonly layout: string;
  readonly unread: readonly UnreadCell[];
  readonly unread_count: number;
  readonly names: readonly UnknownName[];
  readonly matched: readonly PastingMatchedName[];
  readonly diagonal: readonly OnDiagonal[];
  readonly beyond: Beyond;
  readonly unit: string;
  readonly decimal: string;
  readonly note: string;
}

/**
 * Block of text, its target cell, and the user's options.
 *
 * `rows` and `columns` are the cities from the chosen cell on, in the order in which the page shows them; a block
 * with names goes where its names say. `accept` gives cities for names that are not known, empty to leave one out.
 */
export interface Pasted {
  readonly text: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly accept?: { readonly [key: string]: string };
  readonly unit?: "auto" | "thousands" | "whole";
  readonly decimal?: "auto" | "." | ",";
  readonly halves?: "leave" | "upper" | "lower";
  /** Empty cells of the block empty those of the chart */
  readonly clear?: boolean;
}

/** A heading that was matched loosely, and how. */
export interface PastingMatchedName {
  readonly typed: string;
  readonly city: string;
  readonly how: string;
}

/**
 * A cell of the payoff chart in thousands, without a row: empty, or 0 from a city to itself.
 *
 * `thousands` is the cell in the row of the first city of the key; `below` is the one across the diagonal where it
 * says something else.
 */
export interface Payoff {
  readonly rank: number;
  readonly thousands: number | null;
  readonly below: number | "same" | null;
}

/**
 * Changed cell of the payoff chart (RB-C13) in its units; None is a missing cell.
 *
 * `one_way` marks a cell whose counterpart across the diagonal is not the same.
 */
export interface PayoffChange {
  readonly start: string;
  readonly end: string;
  readonly a: number | null;
  readonly b: number | null;
  readonly one_way: boolean;
}

/** A city of the payoff chart. */
export interface PayoffCity {
  readonly rank: number;
}

/** `[payoffs]` of `board.toml`: thousands = base + sum of rates times distances, rounded to the grid. */
export interface PayoffModel {
  readonly model: "rail" | "rail-ground" | "ground" | "moves" | "rail-ground-moves";
  /** Thousands for any trip */
  readonly base: number;
  /** Thousands per 100 rail miles */
  readonly rail: number;
  /** Thousands per 100 great-circle miles */
  readonly ground: number;
  /** Thousands per move */
  readonly moves: number;
  /** The grid; also the least amount, thousands */
  readonly step: number;
}

/** `[payoffs]` of `board.toml`: thousands = base + sum of rates times distances, rounded to the grid. */
export interface PayoffModelInput {
  readonly model?: "rail" | "rail-ground" | "ground" | "moves" | "rail-ground-moves";
  /** Thousands for any trip */
  readonly base?: number;
  /** Thousands per 100 rail miles */
  readonly rail?: number;
  /** Thousands per 100 great-circle miles */
  readonly ground?: number;
  /** Thousands per move */
  readonly moves?: number;
  /** The grid; also the least amount, thousands */
  readonly step?: number;
}

/** A picture: its size in pixels, and its tiles; each level is half the size of the one before. */
export interface PictureAbout {
  readonly id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly tile: number;
  readonly levels: number;
}

/** The pictures of a board, by name. */
export interface PictureList {
  readonly pictures: readonly PictureAbout[];
}

/**
 * How pixels become page millimetres, and the control points in order.
 *
 * `used` is the kind of map that so few points allow: `page` fills the page, `shift`, `similar`, or one of the
 * models. `rms` is what all points are off, millimetres; `worst` is the key of the point that fits the others least.
 */
export interface PicturePlaced {
  readonly used: "affine" | "projective" | "tps" | "page" | "shift" | "similar";
  readonly problem: string;
  readonly map: MatrixMap | SplineMap;
  readonly rms: number | null;
  readonly worst: string | null;
  readonly warnings: readonly string[];
  readonly points: readonly PlacedPoint[];
}

/**
 * Place the drawings in `drawings/` again, and replace the lines that came from them.
 *
 * Lines without a drawing stay. Manual changes to drawn lines are lost; look at them first.
 */
export interface PlaceDrawings {
  readonly kind: "place-drawings";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  /** Place more than 1,000 mileposts by rule, if `[spacing]` says so */
  readonly many?: boolean;
}

/** Nothing else is asked: all drawings are placed. */
export interface PlaceDrawingsPreview {
}

/** Fields of a place to expect; a field that is not given may have any value. */
export interface PlaceFields {
  readonly name?: string | null;
  readonly lon?: number | null;
  readonly lat?: number | null;
}

/** Name of a board that means no certain place, with candidates, best first. */
export interface PlaceMatchingMatchedName {
  readonly name: string;
  /** Where the board has it */
  readonly uses: readonly string[];
  /** Why it is not taken */
  readonly reason: string;
  readonly proposal: MatchCandidate | null;
  readonly candidates: readonly MatchCandidate[];
  /** The placed stops before and after it on a line */
  readonly beside: readonly NamedPoint[];
  /** The only name of the board near its line that is spelled alike */
  readonly meant: string;
}

/**
 * A picture in pixels, the kind of map, points as they would be while one is dragged, and those proposed.
 *
 * With `alone` the proposed points stand in place of the board's own.
 */
export interface PlacePicture {
  readonly model?: "affine" | "projective" | "tps";
  readonly width: number;
  readonly height: number;
  readonly drafts?: readonly DraftPoint[];
  readonly proposed?: readonly ProposedPoint[];
  readonly alone?: boolean;
}

/**
 * A control point: its pixel, where on the page it should be, and how far from there it comes to lie.
 *
 * `off` is how far the map misses it, `left_out` how far one of the other points alone would; millimetres.
 */
export interface PlacedPoint {
  readonly key: string;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly page: readonly [number, number];
  readonly off: number | null;
  readonly left_out: number | null;
}

/** Places: the board's own first, then the gazetteer's largest. */
export interface PlacesFound {
  readonly places: readonly FoundPlace[];
}

/** Changes by placing the drawings again: mileposts by name, lines as `railroad: line`, and files written. */
export interface PlacingReport {
  readonly drawings: readonly string[];
  readonly moved: readonly MovedMilepost[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly lines_changed: readonly string[];
  readonly lines_added: readonly string[];
  readonly lines_removed: readonly string[];
  readonly by_rule: number;
  readonly notes: readonly string[];
  /** Whether it is a step of the board, which undo takes back */
  readonly is_step: boolean;
  /** Why it is not, where there was a board before */
  readonly undo_obstacle: string;
  readonly written: readonly string[];
}

/** A command as it would be sent, and how many changed rows are wanted at most. */
export interface PlanAsked {
  readonly command: Command;
  readonly most?: number;
}

/** The label of the step, how many rows it changes by table, and the first of them. */
export interface Planned {
  readonly label: string;
  readonly counts: { readonly [key: string]: number };
  readonly changes: readonly PlannedChange[];
}

/** A row that changes, as it is and as it will be; null where there is none. */
export interface PlannedChange {
  readonly table: string;
  readonly key: string;
  readonly before: { readonly [key: string]: JsonValue } | null;
  readonly after: { readonly [key: string]: JsonValue } | null;
}

/**
 * Request for a play-test.
 *
 * A `study` is of the board as it is now, with variants; a `comparison` plays that and the board of an earlier moment
 * with the same dice. `policies` has one name for all players, or one for each; `until` is half the width of the
 * widest interval of a win rate at which to stop, of 1.
 */
export interface PlayTestAsked {
  readonly what: "study" | "comparison";
  readonly variants: readonly string[];
  readonly against: "now" | "saved" | number;
  readonly players: number;
  readonly policies: readonly string[];
  readonly rules: "board" | "ah" | "ici" | "ah-faq";
  readonly matches: number;
  readonly until: number | null;
  readonly seed: number;
  readonly anyway: boolean;
}

/**
 * Request for a play-test.
 *
 * A `study` is of the board as it is now, with variants; a `comparison` plays that and the board of an earlier moment
 * with the same dice. `policies` has one name for all players, or one for each; `until` is half the width of the
 * widest interval of a win rate at which to stop, of 1.
 */
export interface PlayTestAskedInput {
  readonly what?: "study" | "comparison";
  readonly variants?: readonly string[];
  readonly against?: "now" | "saved" | number;
  readonly players?: number;
  readonly policies?: readonly string[];
  readonly rules?: "board" | "ah" | "ici" | "ah-faq";
  readonly matches?: number;
  readonly until?: number | null;
  readonly seed?: number;
  readonly anyway?: boolean;
}

/** The play-tests that the server knows, the newest first. */
export interface PlayTestList {
  readonly tests: readonly PlayTestState[];
}

/**
 * Play-test: its request, the revision of its board, and its progress.
 *
 * `far` is null before the first matches are done; `stopping` says that it ends with what is done, `early` that it
 * ended so. `result` is the name of the file with its figures.
 */
export interface PlayTestState {
  readonly asked: PlayTestAsked;
  readonly revision: number;
  readonly job: JobState;
  readonly far: RunProgress | null;
  readonly stopping: boolean;
  readonly early: boolean;
  readonly result: string;
}

/** One of the two compared boards. */
export interface PlayedOn {
  readonly board: string;
  readonly variants: readonly string[];
  readonly preset: string;
  readonly options: readonly string[];
  readonly seed: number;
}

/** A player, by number; the means are of a match. */
export interface PlayerFigures {
  readonly policy: string;
  readonly wins: Share;
  readonly trips: Mean;
  /** Currency units */
  readonly payoffs: Mean;
  /** To other players, currency units */
  readonly fees_paid: Mean;
  /** Currency units */
  readonly fees_earned: Mean;
  readonly purchases: Mean;
  readonly mileposts: Mean;
  /** Declared trains caught */
  readonly rovers: Mean;
  readonly caught: Mean;
  readonly bankrupt: Mean;
}

/** Nothing more to say. */
export interface PlayersAsked {
}

/** The computer players, and why matches are slow here, with the cure; empty if they are compiled. */
export interface PlayersFound {
  readonly policies: readonly KnownPolicy[];
  readonly slow: string;
}

/**
 * Errors of a control point.
 *
 * `dx`, `dy` lead from its pixel to the pixel at which the model puts its place. `left_out_*` is the same for the
 * model fitted on the other points (None where they do not suffice); all
 * are None where the model has no place or pixel. Lengths in pixels and statute miles;
 * leave-one-out errors in pixels are calculated in the plane, with the affine map that lies closest to the picture.
 */
export interface PointErrors {
  readonly row: number;
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
  readonly dx: number | null;
  readonly dy: number | null;
  readonly pixels: number | null;
  readonly miles: number | null;
  readonly left_out_dx: number | null;
  readonly left_out_dy: number | null;
  readonly left_out_pixels: number | null;
  readonly left_out_miles: number | null;
}

/** A published set of rules. */
export interface Preset {
  readonly id: string;
  readonly title: string;
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

/** A control point that is proposed: a pixel, and degrees (EPSG:4326). */
export interface ProposedPoint {
  readonly key: string;
  readonly name?: string;
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
}

/** Add a control point, or replace one: a pixel, y downward, and degrees (EPSG:4326) or a place's name. */
export interface PutControlPoint {
  readonly kind: "put-control-point";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  /** The point that this replaces */
  readonly key?: string | null;
  readonly x: number;
  readonly y: number;
  readonly lon?: number | null;
  readonly lat?: number | null;
  readonly city?: string;
  readonly note?: string;
}

/** A row of `railroads.csv`; `price` in whole currency units. */
export interface Railroad {
  readonly rank: number;
  readonly name: string;
  readonly short: string;
  readonly price: number;
  readonly public: boolean;
  readonly colour: string;
  readonly pattern: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave";
}

/** Fields of a railroad; a field that is not given stays. */
export interface RailroadFields {
  readonly name?: string | null;
  readonly short?: string | null;
  readonly price?: number | null;
  readonly public?: boolean | null;
  readonly colour?: string | null;
  readonly pattern?: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave" | null;
}

/** Railroad with ownership and win rates. */
export interface RailroadFigures {
  readonly railroad: string;
  readonly short: string;
  readonly price: number;
  /** Wins of who bought it first */
  readonly first: Share;
  /** Wins of who owned it at sell-out */
  readonly sell_out: Share;
  /** Wins of who owned it at the end */
  readonly end: Share;
  /** Fees for its use in a match, currency units */
  readonly income: Mean;
  /** Mileposts ridden on it in a match */
  readonly steps: number;
}

/** Give segments to another railroad. */
export interface ReassignSegments {
  readonly kind: "reassign-segments";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly segments: readonly string[];
  readonly railroad: string;
}

/**
 * Compute the payoff chart of the changed board by a model of distances.
 *
 * Without `model` it is the board's own: that of `[payoffs]` in `board.toml`, else one fitted to the chart before.
 * `cells` computes all amounts, or only those that are missing.
 */
export interface RecomputePayoffs {
  readonly kind: "recompute-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly model?: PayoffModelInput | null;
  readonly cells?: "all" | "missing";
}

/** Go forward one step. */
export interface Redo {
  readonly id?: string;
  readonly type: "redo";
}

/** Reason of a refused request, the reply of every address then. */
export interface Refusal {
  readonly message: string;
}

/** A request was not done; `cause` is `disk` if it could not be written, and would be refused again. */
export interface Refused {
  readonly type: "refused";
  readonly id: string;
  readonly message: string;
  readonly conflict?: readonly ShownConflict[];
  readonly cause?: "disk";
}

/** A region, as `[[regions]]` has it. */
export interface Region {
  readonly rank: number;
  readonly name: string;
  readonly short: string;
  readonly colour: string;
}

/** Fields of a region; a field that is not given stays. */
export interface RegionFields {
  readonly name?: string | null;
  readonly short?: string | null;
  readonly colour?: string | null;
}

/** The settings of `board.toml` that follow from a region, by key; null for those that do not hold there. */
export interface RegionFound {
  readonly values: { readonly [key: string]: JsonValue };
}

/** Put rows of a table in an order; rows that are not named follow as they were. */
export interface Reorder {
  readonly kind: "reorder";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly table: "railroads" | "regions" | "cities" | "payoff_cities" | "lines" | "places";
  readonly keys: readonly string[];
}

/** Replace the places of a line from one to another, counted from 0, both included; all of them by default. */
export interface ReshapeLine {
  readonly kind: "reshape-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly stops: readonly StopInput[];
  readonly start?: number;
  readonly end?: number | null;
}

/** The grid of the amounts. */
export interface Residuals {
  /** The grid of the amounts, thousands; None to infer it */
  readonly step?: number | null;
}

/** Every amount with its expected value, and the findings of `mapkit payoffs check`. */
export interface ResidualsFound {
  readonly findings: readonly JudgedFinding[];
  readonly checks: { readonly [key: string]: "passed" | "found" | "skipped" | "crashed" };
  /** The file, as given */
  readonly chart: string;
  /** Id of the board whose geometry judged */
  readonly board: string | null;
  readonly basis: "board" | "coordinates" | "chart";
  /** The grid of the amounts, thousands */
  readonly step: number;
  /** Median standard deviation of what is expected, thousands */
  readonly sd: number;
  /** Cells with this score or more are findings P08 */
  readonly flag: number;
  /** In the order of the chart */
  readonly cities: readonly string[];
  /** Names of the cities, in the same order */
  readonly names: readonly string[];
  /** Without a board: far off what is expected, yet the rows of both cities allow it; nobody can tell */
  readonly detours: readonly (readonly [string, string])[];
  /** Pairs of cities but twins, by row, then column */
  readonly cells: readonly JudgedCell[];
  /** Names in the file that fit no city */
  readonly left_out: readonly NameLeftOut[];
  /** Cells that a picture leaves in doubt; they were judged as first read */
  readonly in_doubt: readonly CellInDoubt[];
}

/**
 * Replace the mileposts of lines by others, evenly about `gap_mi` miles apart, named after places beside the line.
 *
 * Cities, ends, junctions and mileposts that other lines share stay. The course of the lines stays: mileposts that
 * go become bends.
 */
export interface RespaceLines {
  readonly kind: "respace-lines";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly lines: readonly string[];
  readonly gap_mi: number;
  readonly reach_mi?: number;
  /** Place more than 1,000 mileposts */
  readonly many?: boolean;
}

/** The lines, and how far apart their mileposts should be, miles; as `respace-lines`. */
export interface RespacePreview {
  readonly lines: readonly string[];
  readonly gap_mi: number;
  readonly reach_mi?: number;
}

/**
 * Changes of the number of mileposts, and of distances between cities in mileposts.
 *
 * `pairs` are those whose distance changes most; `changed` is how many change in all, `mean` the mean change.
 */
export interface Respaced {
  readonly label: string;
  readonly command: Command;
  readonly mileposts: BeforeAfter;
  readonly changed: number;
  readonly mean: number;
  readonly pairs: readonly ChangedPair[];
  readonly view: ViewDelta;
}

/**
 * Keep a part of the board: regions, everything in a polygon, or railroads.
 *
 * A milepost of no city belongs to the region of the nearest city. Track with an end outside goes, then track
 * that leads nowhere; of a railroad that falls apart, the part with most cities stays; railroads that serve fewer than
 * `least_cities` cities go. `charts` says how destination charts are filled: all solved from weights (`equal` for
 * all cities, the old `chances`, or the number of `railroads` that serve a city; `weights` by id goes before), or only
 * those that lost something, from the old chances. Payoffs between the cities that stay are kept.
 */
export interface RestrictBoard {
  readonly kind: "restrict-board";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly regions?: readonly string[] | null;
  readonly polygon?: readonly (readonly [number, number])[] | null;
  readonly railroads?: readonly string[] | null;
  readonly charts?: "solve anew" | "cut and renormalise" | "keep";
  readonly weigh_by?: "equal" | "chances" | "railroads";
  readonly weights?: { readonly [key: string]: number };
  readonly least_cities?: number;
  /** Scale and centre what stays inside the page's frame */
  readonly fit_page?: boolean;
}

/** Rows to put back as they were at a moment; none: all that are different. */
export interface Revert {
  readonly rows?: readonly (readonly [string, string])[];
  readonly since?: "saved" | number;
}

/** The command that puts rows back, and the changes that must go with them. */
export interface Reverting {
  readonly command: Command;
  readonly along: readonly GoesAlong[];
}

/** Two cities or mileposts, by id or name, and the railroads that may be ridden; all without any. */
export interface RouteBetween {
  readonly start: string;
  readonly end: string;
  readonly railroads?: readonly string[] | null;
}

/** A route with its path in page millimetres. */
export interface RouteFound {
  readonly start: string;
  readonly end: string;
  readonly mileposts: number;
  readonly miles: number;
  readonly payoff: number | null;
  readonly railroads: readonly string[];
  readonly steps: readonly Step[];
  readonly path: readonly (readonly [number, number])[];
}

/** New state of a row; null, or nothing, removes it. */
export interface RowChange {
  readonly table: string;
  readonly key: string;
  readonly row?: { readonly [key: string]: JsonValue } | null;
}

/** Setting with different values in two sets of rules. */
export interface RuleDifference {
  readonly setting: string;
  readonly matter: string;
  readonly disagreement: string;
  readonly rows: readonly string[];
  readonly a: string;
  readonly b: string;
}

/** Base of marked changes: the saved files, a step, or the plain preset. */
export interface RulesAsked {
  readonly against?: "saved" | number | "preset";
}

/** Options and settings, the changes, and the marked rule sheet; `rows` are titles of rules by id. */
export interface RulesFound {
  readonly preset: string;
  readonly presets: readonly Preset[];
  readonly options: readonly ShownOption[];
  readonly groups: readonly SettingGroup[];
  readonly changes: readonly RuleDifference[];
  readonly rows: { readonly [key: string]: string };
  readonly sheet: MarkedSheet;
  readonly problems: readonly string[];
}

/** A change of the rules to try. */
export interface RulesTried {
  readonly change: EditRules;
}

/** Progress of a run: matches played, expected last match, seconds left. */
export interface RunProgress {
  readonly done: number;
  readonly end: number;
  readonly left: number;
}

/** Write the files. */
export interface Save {
  readonly id?: string;
  readonly type: "save";
}

/** The files were written. */
export interface Saved {
  readonly type: "saved";
  readonly revision: number;
  readonly files: readonly string[];
  readonly history: ListedHistory;
  readonly unsaved: boolean;
}

/**
 * Multiply cells and round them to a grid, in thousands, halves upward; empty cells stay empty.
 *
 * Without `pairs` the whole chart is scaled, and no trip between different places then pays less than a step.
 */
export interface ScalePayoffs {
  readonly kind: "scale-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly pairs?: readonly (readonly [string, string])[] | null;
  readonly factor?: number;
  /** The grid, thousands */
  readonly step?: number;
}

/** Control points that `mapkit scan place` proposes. */
export interface ScanPlacing {
  readonly format: "mapkit/scan-placing";
  readonly picture: string;
  /** Dots and squares found */
  readonly symbols: number;
  /** Names read beside them */
  readonly names: number;
  /** Names that cities.csv or the gazetteer has */
  readonly known: number;
  /** The control points, and what each is off */
  readonly placed: GeoreferenceReport;
  /** The file that was written, relative to the board's folder */
  readonly written: string;
}

/**
 * Cell of a scanned chart: its reading and its position.
 *
 * `a` is the city of its row, `b` that of its column; `value` is in thousands, null if it was not read; `box` is left,
 * top, right, bottom, in the unit of its page. `doubt` says why it is in doubt, and is empty if it is not;
 * `candidates` are what it may say then, the likeliest first.
 */
export interface ScannedCell {
  readonly a: string;
  readonly b: string;
  readonly value: number | null;
  readonly page: number;
  readonly box: readonly [number, number, number, number];
  readonly doubt: string;
  readonly candidates: readonly string[];
}

/** A page that cells stand on: its size in the unit of their boxes, and the file of the job that shows it. */
export interface ScannedPage {
  readonly page: number;
  readonly width: number;
  readonly height: number;
  readonly file: string;
}

/** A part of a name, and how many places are wanted at most. */
export interface SearchPlaces {
  readonly text: string;
  readonly most?: number;
}

/** Set a whole chart: an item, or null, by sum, for odd and even; cells that are left out become empty. */
export interface SetChart {
  readonly kind: "set-chart";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly chart: string;
  readonly odd: { readonly [key: string]: string | null };
  readonly even: { readonly [key: string]: string | null };
}

/** Declare the odds of an item in a chart, `15/72`, `20.83%` or `0.2083`; null removes them. */
export interface SetDeclared {
  readonly kind: "set-declared";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly chart: string;
  readonly item: string;
  readonly odds: string | null;
}

/**
 * Set a cell of a destination chart to a city, or of the region chart to a region (RB-C14); none empties it.
 *
 * The checks report a city of another region.
 */
export interface SetDestination {
  readonly kind: "set-destination";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly chart: string;
  readonly parity: "odd" | "even";
  readonly total: number;
  readonly item?: string | null;
  readonly was?: string | null;
}

/**
 * Set the payoff of a trip between two cities, both ways, thousands (RB-C13); without an amount it is empty.
 *
 * A chart that was computed is typed from then on.
 */
export interface SetPayoff {
  readonly kind: "set-payoff";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly a: string;
  readonly b: string;
  readonly thousands?: number | null;
  readonly was?: number | null;
}

/** Set many cells as one step: `[a, b, thousands]` each; null empties one. */
export interface SetPayoffs {
  readonly kind: "set-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly cells: readonly (readonly [string, string, number | null])[];
}

/**
 * Set and remove rows of any tables as one step; the checks report inconsistencies.
 *
 * A row that does not say its `rank` stays where it is, a new one comes last. Rows that could not be read from the
 * files again are refused.
 */
export interface SetRows {
  readonly kind: "set-rows";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly label: string;
  readonly rows: readonly RowChange[];
}

/** Set a parameter, table or choice of the rules, named by its dotted path: `fees.own`. */
export interface SetRule {
  readonly kind: "set-rule";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly path: string;
  readonly was?: boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue } | null;
  readonly value?: boolean | number | string | readonly JsonValue[] | { readonly [key: string]: JsonValue } | null;
}

/** Set keys of `board.toml`, such as `page.width` or `rules.options`; null removes one. */
export interface SetSettings {
  readonly kind: "set-settings";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly values: { readonly [key: string]: JsonValue };
  readonly label?: string;
}

/** Make a place a milepost or a via of railroads, on all their lines; of all that name it by default. */
export interface SetStopKind {
  readonly kind: "set-stop-kind";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly place: string;
  readonly to: "milepost" | "via";
  readonly railroads?: readonly string[] | null;
  /** For a bend that becomes one */
  readonly name?: string | null;
}

/** Set the target of a solved chart for a city or region, as in `charts/wanted.csv`; all empty removes it. */
export interface SetWanted {
  readonly kind: "set-wanted";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly name: string;
  readonly chart?: string;
  readonly weight?: string;
  readonly least?: string;
  readonly most?: string;
  readonly exactly?: string;
  readonly avoid?: string;
  readonly cells?: string;
}

/** A key of `board.toml`; an empty table is an empty object. */
export interface Setting {
  readonly rank: number;
  readonly value: JsonValue;
}

/** A value that a setting can have, in words. */
export interface SettingChoice {
  readonly value: string | number;
  readonly words: string;
}

/** Settings about one matter. */
export interface SettingGroup {
  readonly id: string;
  readonly about: string;
  readonly settings: readonly (FlagSetting | ChoiceSetting | NumberSetting | TableSetting | WordsSetting | GroupsSetting)[];
}

/** Settings of pages by name, each as the text that the page keeps. */
export interface Settings {
  readonly kept: { readonly [key: string]: string };
}

/** Settings of pages by name, each as the text that the page keeps. */
export interface SettingsInput {
  readonly kept?: { readonly [key: string]: string };
}

/** Take the rows in the files, or keep those here. */
export interface SettleDisk {
  readonly id?: string;
  readonly type: "disk";
  readonly take: "disk" | "mine";
}

/** Decision of a page on files that another program changed; null if nothing was left to decide. */
export interface Settled {
  readonly type: "settled";
  readonly client: string;
  readonly take: "disk" | "mine" | null;
}

/** Severity of a finding. */
export type Severity = "error" | "warning" | "note";

/**
 * A path (`d`, as in SVG), or a text at (`x`, `y`), rotated clockwise about that place by `turn` degrees.
 *
 * `paint` is its number in the list of paints.
 */
export interface Shape {
  readonly paint: number;
  readonly d?: string;
  readonly text?: string;
  readonly x?: number;
  readonly y?: number;
  readonly turn?: number;
}

/** A share of trials with its 95 % interval, all of 1. */
export interface Share {
  readonly share: number;
  readonly low: number;
  readonly high: number;
  /** How many trials */
  readonly of: number;
}

/** Two cities (ids) that are farther apart without the railroads; None: not connected. `chance` in percent. */
export interface ShortenedPair {
  readonly a: string;
  readonly b: string;
  readonly mileposts: number;
  readonly without: number | null;
  readonly chance: number;
}

/** A row with two different changes, in the form for pages; null if deleted. */
export interface ShownConflict {
  readonly table: string;
  readonly key: string;
  readonly mine: { readonly [key: string]: JsonValue } | null;
  readonly theirs: { readonly [key: string]: JsonValue } | null;
}

/**
 * A finding with where to look on the page: `x` and `y`, null where there is no place; `at` has all places.
 *
 * `table` and `key` are the row of the document that a problem is about; `follows` is the id of its cause.
 */
export interface ShownFinding {
  readonly code: string;
  readonly name: string;
  readonly severity: Severity;
  readonly elements: readonly string[];
  readonly place: { readonly [key: string]: JsonValue };
  readonly message: string;
  readonly accepted: string | null;
  readonly data: { readonly [key: string]: JsonValue };
  readonly id: string;
  readonly x: number | null;
  readonly y: number | null;
  readonly at: readonly (readonly [number, number])[];
  readonly table: string | null;
  readonly key: string | null;
  readonly follows: string | null;
}

/** A junction of a railroad off any milepost. */
export interface ShownJunction {
  readonly railroad: string;
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
}

/** A line of a station list. */
export interface ShownLine {
  readonly railroad: string;
  readonly name: string;
  readonly stops: readonly ShownStop[];
}

/** A milepost: millimetres on the page, y down, degrees (EPSG:4326), ids of its cities and of its region. */
export interface ShownMilepost {
  readonly name: string;
  readonly kind: "city" | "dot";
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
  readonly cities: readonly string[];
  readonly region: string | null;
}

/** Operation of a variant, and its reason; `label` is its short text without common parts. */
export interface ShownOperation {
  readonly op: string;
  readonly reason: string;
  readonly label: string;
}

/**
 * An option: whether it is `on`, is in the `preset`, and has `changed`.
 *
 * `sets` says what it sets, `amount` the amount that it has; `refused` why it cannot be switched the other way.
 */
export interface ShownOption {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly string[];
  readonly on: boolean;
  readonly preset: boolean;
  readonly changed: boolean;
  readonly sets: readonly string[];
  readonly includes: readonly string[];
  readonly needs: readonly string[];
  readonly excludes: readonly Excluded[];
  readonly amount: number | null;
  readonly refused: string | null;
}

/** The page in millimetres: its size, the frame of the map, and how degrees become millimetres. */
export interface ShownPage {
  readonly width: number;
  readonly height: number;
  readonly frame: readonly [number, number, number, number];
  readonly projection: ShownProjection;
}

/** How degrees became millimetres, as `Projection` has it. */
export interface ShownProjection {
  readonly name: string;
  readonly crs: string;
  readonly scale_mm_per_m: number;
  readonly offset_x_mm: number;
  readonly offset_y_mm: number;
}

/** A segment, from milepost `a` to `b`. */
export interface ShownSegment {
  readonly railroad: string;
  readonly a: string;
  readonly b: string;
  readonly miles: number;
  readonly path: readonly (readonly [number, number])[];
}

/** A step of a difference by meaning, its elements, and the box around them. */
export interface ShownStep {
  readonly kind: "region" | "railroad added" | "railroad removed" | "railroads merged" | "railroad split" | "railroad changed" | "milepost renamed" | "milepost moved" | "milepost changed" | "milepost added" | "milepost removed" | "milepost inserted" | "milepost taken out" | "line added" | "line removed" | "segments reassigned" | "segments redrawn" | "junctions" | "city" | "destinations" | "payoffs" | "rules" | "board";
  readonly text: string;
  readonly elements: readonly string[];
  readonly box: Box | null;
}

/** A place of a line; `at` is its number in the line as typed, `milepost` the id of the milepost there. */
export interface ShownStop {
  readonly at: number;
  readonly place: string;
  readonly kind: "milepost" | "via";
  readonly x: number;
  readonly y: number;
  readonly lon: number;
  readonly lat: number;
  readonly milepost: string | null;
}

/** A part of the world as paths of an SVG: degrees, y downward. */
export interface SmallMap {
  readonly land: string;
  readonly lakes: string;
  readonly borders: string;
}

/**
 * Solve destination charts again: those named, or all.
 *
 * Without `weights` every city and region keeps its old chances as far as the cells allow; with them, a city has the
 * given weight (1 if none), and a region the sum of its cities unless it is named too.
 */
export interface SolveDestinations {
  readonly kind: "solve-destinations";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly charts?: readonly string[];
  readonly weights?: { readonly [key: string]: number };
}

/** An item of a solved chart: percent that are wanted, 72nds before, 72nds and percent now. */
export interface Solved {
  readonly wanted: number;
  readonly before: number;
  readonly got: number;
  readonly percent: number;
}

/**
 * A small move of everything on the page: a uniform cubic B-spline over a frame in millimetres.
 *
 * `knots` are moves in millimetres, row by row, on a grid from edge to edge of the frame (left, top, right, bottom).
 */
export interface SolvedStep {
  readonly frame: readonly [number, number, number, number];
  readonly knots: readonly (readonly (readonly [number, number])[])[];
}

/** How the printed page moves places of the true map: steps, one after the other. */
export interface SolvedWarp {
  readonly digest: string;
  readonly steps: readonly SolvedStep[];
}

/**
 * The miles below which two mileposts are too close together (N09), and usual segments.
 *
 * Null where the board has too little track to say.
 */
export interface SpacingLimits {
  readonly near: number | null;
  readonly usual: UsualMiles | null;
}

/** A spline that maps pixels to millimetres, in frames `[middle x, middle y, spread]`. */
export interface SplineMap {
  readonly pixels: readonly [number, number, number];
  readonly page: readonly [number, number, number];
  readonly centres: readonly (readonly [number, number])[];
  readonly affine: readonly [readonly [number, number], readonly [number, number], readonly [number, number]];
  readonly bends: readonly (readonly [number, number])[];
}

/** Split a line at one of its places, counted from 0; both parts keep the place. */
export interface SplitLine {
  readonly kind: "split-line";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly line: string;
  readonly index: number;
  readonly name?: string | null;
}

/** Give some segments of a railroad to a new one. */
export interface SplitRailroad {
  readonly kind: "split-railroad";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly railroad: string;
  readonly segments: readonly string[];
  readonly id: string;
  readonly name: string;
  readonly short: string;
  readonly price: number;
  /** Price of what is left; unchanged if not given */
  readonly price_left?: number | null;
  readonly public?: boolean;
  readonly colour: string;
  readonly pattern?: "solid" | "dash" | "dot" | "dash-dot" | "dash-dot-dot" | "double" | "hollow" | "pearl" | "ladder" | "ties" | "beads" | "sawtooth" | "wave";
}

/** Variants, in order, and the version that they are applied to. */
export interface Stack {
  readonly variants: readonly string[];
  readonly at?: Version;
}

/** Effect of each variant of a stack, and the boards before and after. */
export interface Stacked {
  readonly layers: readonly Layer[];
  readonly before: DrawnBoard;
  readonly after: DrawnBoard;
}

/** Players with the same start: home, first destination or first purchase. */
export interface StartFigures {
  /** home, first destination or first purchase */
  readonly start: string;
  /** A city; a railroad or an engine */
  readonly id: string;
  /** Wins of those players */
  readonly wins: Share;
}

/** Give the board a payoff chart of all its cities; missing cities are added with empty cells. */
export interface StartPayoffs {
  readonly kind: "start-payoffs";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
}

/** Station list as text, for a line of a railroad; `yes` accepts the proposals, `chosen` places in their stead. */
export interface StationListPasted {
  readonly railroad: string;
  readonly text: string;
  readonly yes?: boolean;
  readonly chosen?: { readonly [key: string]: ChosenPlace };
}

/** Command that adds the line; none while names remain. */
export interface StationListRead {
  readonly matched: number;
  readonly corrected: { readonly [key: string]: string };
  readonly remaining: readonly PlaceMatchingMatchedName[];
  readonly command: Command | null;
}

/** One move: a segment from a milepost to the next (ids). */
export interface Step {
  readonly segment: string;
  readonly railroad: string;
  readonly start: string;
  readonly end: string;
  readonly miles: number;
}

/** Errors and warnings that the step adds, except calls for the work that comes next. */
export interface StepFindings {
  readonly findings: readonly string[];
}

/** A command that is not done yet, as `do` takes it. */
export interface StepFindingsQuestion {
  readonly command: Command;
}

/** A step that put the work of a job on the board: its label. */
export interface StepTaken {
  readonly label: string;
}

/**
 * Stop of a line: a place of the board or the gazetteer by name, or a new one at `lon, lat` (EPSG:4326).
 *
 * Without a name a via is written as its coordinates, and a milepost is called `Milepost 1`, 2, ...
 */
export interface StopInput {
  readonly place?: string | null;
  readonly kind?: "milepost" | "via";
  readonly lon?: number | null;
  readonly lat?: number | null;
}

/** One edit as a sentence, and the ids of the changes it explains (`segment:pa--a--b`). */
export interface StoryStep {
  readonly kind: "region" | "railroad added" | "railroad removed" | "railroads merged" | "railroad split" | "railroad changed" | "milepost renamed" | "milepost moved" | "milepost changed" | "milepost added" | "milepost removed" | "milepost inserted" | "milepost taken out" | "line added" | "line removed" | "segments reassigned" | "segments redrawn" | "junctions" | "city" | "destinations" | "payoffs" | "rules" | "board";
  readonly text: string;
  readonly elements: readonly string[];
}

/** The result of a play-test; shares and means have 95 % intervals. */
export interface Study {
  readonly board: string;
  readonly variants: readonly string[];
  readonly preset: string;
  readonly options: readonly string[];
  readonly seed: number;
  readonly matches: number;
  readonly players: readonly PlayerFigures[];
  /** Wins by order of play: who moves first, second and so on */
  readonly seats: readonly Share[];
  readonly rounds: Mean;
  /** Matches in which the fee was raised */
  readonly sold_out: Share;
  /** How often another player takes the lead by net worth */
  readonly lead_changes: Mean;
  /** When the winner was last not in the lead, of the length of the match */
  readonly last_doubt: Mean;
  /** Time of the others after their last lead, of the length of the match */
  readonly hopeless: Mean;
  readonly wealth: readonly WealthFigures[];
  /** Wins by home, first destination and first purchase */
  readonly starts: readonly StartFigures[];
  /** By wins of the owner at the end, downward */
  readonly railroads: readonly RailroadFigures[];
  readonly holdings: readonly HoldingFigures[];
  readonly segments: readonly UseFigures[];
  readonly cities: readonly UseFigures[];
  /** Policies of a panel; each match is played by one */
  readonly styles: readonly string[];
  /** Figures by style; the others are of all matches */
  readonly panel: readonly PanelFigure[];
}

/** An amount that a model computes otherwise; thousands. */
export interface SuggestedCell {
  readonly a: string;
  readonly b: string;
  readonly value: number | null;
  readonly suggested: number;
}

/** How amounts are suggested: by a given formula, the model of `board.toml`, or one fitted to the chart as it is. */
export interface Suggestions {
  readonly formula?: PayoffModelInput | null;
  readonly model?: "rail" | "rail-ground" | "ground" | "moves" | "rail-ground-moves" | null;
  readonly step?: number | null;
  readonly only_missing?: boolean;
}

/** The model, and the amounts that it computes otherwise. */
export interface SuggestionsFound {
  readonly model: PayoffModel;
  readonly cells: readonly SuggestedCell[];
}

/** Exchange two cells of one destination chart, each `[parity, total]`. */
export interface SwapDestinations {
  readonly kind: "swap-destinations";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly chart: string;
  readonly a: readonly ["odd" | "even", number];
  readonly b: readonly ["odd" | "even", number];
}

export interface SwatchPath {
  readonly stroke: "line" | "casing";
  readonly "stroke-width"?: string;
  readonly "stroke-linejoin"?: "round" | "miter";
  readonly "stroke-linecap"?: "round";
  readonly "stroke-dasharray"?: string;
  readonly "stroke-dashoffset"?: string;
  readonly d: string;
}

/** Switch an option on by its id (`own-track-free`), or a switch by its path (`options.free_upgrade`). */
export interface SwitchOption {
  readonly kind: "switch-option";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly option: string;
  readonly on?: boolean;
  /** Of options that have one: extra cash */
  readonly amount?: number | null;
}

/** A dot or a square: its middle and its width in pixels. */
export interface SymbolFound {
  readonly kind: "dot" | "square";
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly confidence: number;
}

/** Symbols that `mapkit scan dots` found in a picture, from top to bottom. */
export interface SymbolsFound {
  readonly format: "mapkit/board-dots";
  readonly picture: string;
  readonly width: number;
  readonly height: number;
  /** What dots and squares are filled with */
  readonly colour: string;
  /** Of a dot, in pixels; 0 if there are none */
  readonly dot_width: number;
  readonly square_width: number;
  readonly symbols: readonly SymbolFound[];
  /** Why much of it is in doubt; none if it is not */
  readonly warnings: readonly string[];
}

/** A setting that differs by the number of players; `cells` are its keys. */
export interface TableSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "table";
  readonly value: { readonly [key: string]: number | null };
  readonly usual: { readonly [key: string]: number | null };
  readonly cells: readonly string[];
}

/** A row of `places.csv`, degrees (EPSG:4326). */
export interface TablesPlace {
  readonly rank: number;
  readonly lon: number;
  readonly lat: number;
  readonly note: string;
}

/** Variants, in order. */
export interface TakeVariants {
  readonly variants: readonly string[];
}

/**
 * Command that gives the document the board with its variants, as one step.
 *
 * `left` says what the document cannot hold of it; where there is something, `command` is null.
 */
export interface TakingOver {
  readonly command: Command | null;
  readonly left: readonly string[];
}

/** A ticket that is good once and for a short time, for its path alone; it stands in the address as `ticket`. */
export interface Ticket {
  readonly ticket: string;
}

/** Request of a ticket for the path of an address, such as that of a download. */
export interface TicketFor {
  readonly path: string;
}

/**
 * A track piece by its id, between two mileposts or junctions.
 *
 * `bends` are the places `(lon, lat)` between its ends, from `a` to `b`; the ends are where `a` and `b` stand.
 */
export interface Track {
  readonly rank: number;
  readonly railroad: string;
  readonly a: string;
  readonly b: string;
  readonly bends: readonly (readonly [number, number])[];
}

/** Effect of a change of the rules, or its refusal. */
export interface TriedRules {
  readonly refused: string | null;
  readonly changes: readonly RuleDifference[];
}

/** Let cities share one milepost (RB-C06); without a name it is called `Minneapolis/St. Paul`. */
export interface TwinCities {
  readonly kind: "twin-cities";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly ids: readonly string[];
  readonly milepost?: string | null;
}

/** Pair with different amounts in its two cells of the block. */
export interface TwoHalves {
  readonly a: string;
  readonly b: string;
  readonly upper: number | null;
  readonly lower: number | null;
}

/** Remove an acceptance. */
export interface UnacceptFinding {
  readonly kind: "unaccept-finding";
  /** Why; a variant says it of each of its operations */
  readonly reason?: string;
  readonly finding: string;
}

/** Go back one step. */
export interface Undo {
  readonly id?: string;
  readonly type: "undo";
}

/** A heading that is not a city of the chart, and cities that it may mean. */
export interface UnknownName {
  readonly typed: string;
  readonly near: readonly NearCity[];
}

/** A cell that is not an amount: the cities of its row and column, where it is in the block, its text, and why. */
export interface UnreadCell {
  readonly row: string | null;
  readonly column: string | null;
  readonly where: string;
  readonly text: string;
  readonly why: string;
}

/** A segment or city, and how often it is used in a match. */
export interface UseFigures {
  readonly id: string;
  readonly times: number;
}

/** How long segments usually are, miles: no shorter, most often, no longer (N10). */
export interface UsualMiles {
  readonly least: number;
  readonly middle: number;
  readonly most: number;
}

/** Value that differs between two boards: a rule's dotted path, or `page.width`, `payoffs.cities` ... */
export interface ValueChange {
  readonly path: string;
  readonly a: JsonValue;
  readonly b: JsonValue;
}

/** Two versions for a variant from one to the other. */
export interface VariantDraft {
  readonly before?: Version;
  readonly after?: Version;
}

/** Nothing more to say. */
export interface VariantList {
}

/** All variants of the workspace and the shipped ones. */
export interface VariantsFound {
  readonly variants: readonly ListedVariant[];
}

/** A moment of the board, and the variants that are applied to it, in order. */
export interface Version {
  readonly at?: "now" | "saved" | number;
  readonly variants?: readonly string[];
}

/** The differences by meaning; both boards if they were asked for. */
export interface VersionsComparison {
  readonly same: boolean;
  readonly steps: readonly ShownStep[];
  readonly before: DrawnBoard | null;
  readonly after: DrawnBoard | null;
}

/** Parts to draw again; null for removed ones. */
export interface ViewDelta {
  readonly mileposts: { readonly [key: string]: ShownMilepost | null };
  readonly segments: { readonly [key: string]: ShownSegment | null };
  readonly junctions: { readonly [key: string]: ShownJunction | null };
  readonly lines: { readonly [key: string]: ShownLine | null };
  readonly page?: ShownPage;
}

/**
 * Simulations of colour vision as matrices of linear sRGB, row by row.
 *
 * `tritan` has two, for lights whose product with `side` is positive and for the others.
 */
export interface Visions {
  readonly protan: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
  readonly deutan: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
  readonly tritan: readonly [readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]], readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]]];
  readonly side: readonly [number, number, number];
  readonly grey: readonly [readonly [number, number, number], readonly [number, number, number], readonly [number, number, number]];
}

/** Target of a solved chart as typed; see `charts/wanted.csv`. */
export interface Wanted {
  readonly rank: number;
  readonly name: string;
  readonly chart: string;
  readonly weight: string;
  readonly least: string;
  readonly most: string;
  readonly exactly: string;
  readonly avoid: string;
  readonly cells: string;
}

/**
 * The part of the drawing that is wanted, and its theme or the board's own.
 *
 * `known` is the digest of what the page has of it, `warp` that of how the printed page moves it; nothing is the true
 * map.
 */
export interface WantedPart {
  readonly part: "ground" | "track";
  readonly warp?: string;
  readonly theme?: "classic" | "atlas" | "dark" | "print" | "engraved" | "poster" | "school" | "night" | "board";
  readonly known?: string;
}

/** Where a board is: countries by name or code, a box (west, south, east, north in degrees), or their overlap. */
export interface WantedRegion {
  readonly region?: string;
  readonly box?: readonly [number, number, number, number] | null;
}

/** The distances between mileposts of the board as it is now. */
export interface WantedSpacing {
}

/** Request for the warp of the present board, as it would be printed. */
export interface WantedWarp {
}

/**
 * Areas of water in page millimetres, y downward: rings by the even-odd rule.
 *
 * They keep as far off the coast as a port may lie by G08, for coasts are generalised.
 */
export interface WaterDrawn {
  readonly rings: readonly (readonly (readonly [number, number])[])[];
}

/** Mean wealth at a round, of matches that last so long, in currency units. */
export interface WealthFigures {
  readonly round: number;
  readonly matches: number;
  /** Of those who win in the end */
  readonly cash: number;
  readonly net_worth: number;
  /** Of the others */
  readonly others_cash: number;
  readonly others_net_worth: number;
}

/** Everything that the page draws, by id. */
export interface WholeView {
  readonly mileposts: { readonly [key: string]: ShownMilepost };
  readonly segments: { readonly [key: string]: ShownSegment };
  readonly junctions: { readonly [key: string]: ShownJunction };
  readonly lines: { readonly [key: string]: ShownLine };
  readonly page: ShownPage;
}

/** A setting that is a list of texts. */
export interface WordsSetting {
  readonly path: string;
  readonly matter: string;
  readonly about: string;
  readonly rows: readonly string[];
  readonly disagreement: string;
  readonly words: string;
  readonly usual_words: string;
  readonly before: string | null;
  readonly open: string | null;
  readonly kind: "words";
  readonly value: readonly HouseRule[] | null;
  readonly usual: readonly HouseRule[] | null;
}

/** Path of a written variant, its number of operations, and the differences that it cannot express. */
export interface WrittenVariant {
  readonly name: string;
  readonly file: string;
  readonly operations: number;
  readonly left: readonly string[];
}

/** The document: table, key, row. */
export interface Tables {
  readonly "settings": { readonly [key: string]: Setting };
  readonly "regions": { readonly [key: string]: Region };
  readonly "accepted": { readonly [key: string]: Accepted };
  readonly "railroads": { readonly [key: string]: Railroad };
  readonly "cities": { readonly [key: string]: City };
  readonly "places": { readonly [key: string]: TablesPlace };
  readonly "lines": { readonly [key: string]: Line };
  readonly "mileposts": { readonly [key: string]: Milepost };
  readonly "junctions": { readonly [key: string]: Junction };
  readonly "track": { readonly [key: string]: Track };
  readonly "destinations": { readonly [key: string]: Cell };
  readonly "payoff_cities": { readonly [key: string]: PayoffCity };
  readonly "payoffs": { readonly [key: string]: Payoff };
  readonly "declared": { readonly [key: string]: Declared };
  readonly "wanted": { readonly [key: string]: Wanted };
  readonly "control_points": { readonly [key: string]: ControlPoint };
  readonly "files": { readonly [key: string]: File };
  readonly "compiled": { readonly [key: string]: Setting };
}

/** Its tables, in the order in which they are listed. */
export const TABLES = [
  "settings",
  "regions",
  "accepted",
  "railroads",
  "cities",
  "places",
  "lines",
  "mileposts",
  "junctions",
  "track",
  "destinations",
  "payoff_cities",
  "payoffs",
  "declared",
  "wanted",
  "control_points",
  "files",
  "compiled",
] as const;

/** A row that changed; null for one that is gone. */
export type TableChange = {
  [Name in keyof Tables]: {
    readonly table: Name;
    readonly key: string;
    readonly after: Tables[Name][string] | null;
  };
}[keyof Tables];

/** What this kind of board draws. */
export type View = WholeView;

/** Commands by kind. */
export interface CommandByKind {
  readonly "accept-finding": AcceptFinding;
  readonly "add-city": AddCity;
  readonly "add-house-rule": AddHouseRule;
  readonly "add-junction": AddJunction;
  readonly "add-line": AddLine;
  readonly "add-milepost": AddMilepost;
  readonly "add-piece": AddPiece;
  readonly "add-railroad": AddRailroad;
  readonly "add-region": AddRegion;
  readonly "add-stop": AddStop;
  readonly "batch": Batch;
  readonly "change-id": ChangeId;
  readonly "choose-preset": ChoosePreset;
  readonly "clear-charts": ClearCharts;
  readonly "clear-payoffs": ClearPayoffs;
  readonly "copy-line": CopyLine;
  readonly "delete-city": DeleteCity;
  readonly "delete-control-point": DeleteControlPoint;
  readonly "delete-house-rule": DeleteHouseRule;
  readonly "delete-line": DeleteLine;
  readonly "delete-piece": DeletePiece;
  readonly "delete-place": DeletePlace;
  readonly "delete-railroad": DeleteRailroad;
  readonly "delete-region": DeleteRegion;
  readonly "delete-segments": DeleteSegments;
  readonly "delete-stop": DeleteStop;
  readonly "edit-board": EditBoard;
  readonly "edit-city": EditCity;
  readonly "edit-line": EditLine;
  readonly "edit-place": EditPlace;
  readonly "edit-railroad": EditRailroad;
  readonly "edit-region": EditRegion;
  readonly "edit-rules": EditRules;
  readonly "extend-line": ExtendLine;
  readonly "import-payoffs": ImportPayoffs;
  readonly "join-lines": JoinLines;
  readonly "merge-railroads": MergeRailroads;
  readonly "place-drawings": PlaceDrawings;
  readonly "put-control-point": PutControlPoint;
  readonly "reassign-segments": ReassignSegments;
  readonly "recompute-payoffs": RecomputePayoffs;
  readonly "reorder": Reorder;
  readonly "reshape-line": ReshapeLine;
  readonly "respace-lines": RespaceLines;
  readonly "restrict-board": RestrictBoard;
  readonly "scale-payoffs": ScalePayoffs;
  readonly "set-chart": SetChart;
  readonly "set-declared": SetDeclared;
  readonly "set-destination": SetDestination;
  readonly "set-payoff": SetPayoff;
  readonly "set-payoffs": SetPayoffs;
  readonly "set-rows": SetRows;
  readonly "set-rule": SetRule;
  readonly "set-settings": SetSettings;
  readonly "set-stop-kind": SetStopKind;
  readonly "set-wanted": SetWanted;
  readonly "solve-destinations": SolveDestinations;
  readonly "split-line": SplitLine;
  readonly "split-railroad": SplitRailroad;
  readonly "start-payoffs": StartPayoffs;
  readonly "swap-destinations": SwapDestinations;
  readonly "switch-option": SwitchOption;
  readonly "twin-cities": TwinCities;
  readonly "unaccept-finding": UnacceptFinding;
}

/** Any command. */
export type Command = CommandByKind[keyof CommandByKind];

/** What a page asks for. */
export type Request =
  | Do
  | Undo
  | Redo
  | GoTo
  | Checkpoint
  | Save
  | SettleDisk
  | FitPage
  | CheckAll;

/** What the server says. */
export type FromServer =
  | Hello
  | ChangedBoard
  | Saved
  | Named
  | OnDisk
  | Settled
  | Notice
  | Done
  | Refused
  | Checked
  | Fitted
  | Checking
  | Choose;

/** Questions: what they ask, and their answers. */
export interface Questions {
  readonly "balance": { ask: Balance; answer: BalanceFound };
  readonly "changes": { ask: ChangesSince; answer: ChangesFound };
  readonly "colour-distances": { ask: ColourDistances; answer: DistancesFound };
  readonly "colour-suggestions": { ask: ColourSuggestions; answer: ColoursSuggested };
  readonly "compare": { ask: Compared; answer: VersionsComparison };
  readonly "degrees": { ask: DegreesOf; answer: Degrees };
  readonly "diff": { ask: DiffAsked; answer: DifferenceFound };
  readonly "drawing": { ask: WantedPart; answer: DrawnPart };
  readonly "finding-ids": { ask: FindingIds; answer: IdsFound };
  readonly "fixes": { ask: FixesOf; answer: FixesFound };
  readonly "ghost": { ask: Ghost; answer: GhostDrawn };
  readonly "line-file": { ask: LineFile; answer: FileLines };
  readonly "looks": { ask: Looks; answer: LooksFound };
  readonly "makes": { ask: MakesAsked; answer: Makes };
  readonly "name-dots": { ask: DotsToName; answer: DotsNamed };
  readonly "odds": { ask: Odds; answer: OddsFound };
  readonly "open-water": { ask: OpenWater; answer: WaterDrawn };
  readonly "page-grid": { ask: PageGrid; answer: GridDegrees };
  readonly "page-warp": { ask: WantedWarp; answer: SolvedWarp };
  readonly "payoff-paste": { ask: Pasted; answer: PasteRead };
  readonly "payoff-residuals": { ask: Residuals; answer: ResidualsFound };
  readonly "payoff-suggestions": { ask: Suggestions; answer: SuggestionsFound };
  readonly "place-drawings-preview": { ask: PlaceDrawingsPreview; answer: DrawingsPreview };
  readonly "place-picture": { ask: PlacePicture; answer: PicturePlaced };
  readonly "plan": { ask: PlanAsked; answer: Planned };
  readonly "players": { ask: PlayersAsked; answer: PlayersFound };
  readonly "region-settings": { ask: WantedRegion; answer: RegionFound };
  readonly "respace-preview": { ask: RespacePreview; answer: Respaced };
  readonly "revert": { ask: Revert; answer: Reverting };
  readonly "route": { ask: RouteBetween; answer: RouteFound };
  readonly "rules": { ask: RulesAsked; answer: RulesFound };
  readonly "rules-try": { ask: RulesTried; answer: TriedRules };
  readonly "search-places": { ask: SearchPlaces; answer: PlacesFound };
  readonly "solve-destinations": { ask: DestinationsAsked; answer: DestinationsSolved };
  readonly "spacing-limits": { ask: WantedSpacing; answer: SpacingLimits };
  readonly "station-list": { ask: StationListPasted; answer: StationListRead };
  readonly "step-findings": { ask: StepFindingsQuestion; answer: StepFindings };
  readonly "take-variants": { ask: TakeVariants; answer: TakingOver };
  readonly "variant-draft": { ask: VariantDraft; answer: Drafted };
  readonly "variant-stack": { ask: Stack; answer: Stacked };
  readonly "variants": { ask: VariantList; answer: VariantsFound };
}

/** What addresses of the server reply. */
export interface Replies {
  readonly "GET /api/alive": Alive;
  readonly "POST /api/enter": Entered;
  readonly "POST /api/tickets": Ticket;
  readonly "GET /api/settings": Settings;
  readonly "POST /api/settings": Settings;
  readonly "POST /api/begin": Begun;
  readonly "POST /api/begin-file": Begun | NeedsCrs;
  readonly "GET /api/pictures": PictureList;
  readonly "POST /api/pictures": PictureAbout;
  readonly "DELETE /api/pictures/{id}": EmptyResult;
  readonly "GET /api/line-files": LineFileList;
  readonly "POST /api/line-files": KeptLines | NeedsCrs;
  readonly "DELETE /api/line-files/{id}": EmptyResult;
  readonly "POST /api/chart-scans": JobState;
  readonly "GET /api/chart-scans/{id}": ChartScan;
  readonly "GET /api/chart-scans/{id}/destinations": DestinationsRead;
  readonly "POST /api/picture-dots/{id}": JobState;
  readonly "GET /api/picture-dots/{id}": SymbolsFound;
  readonly "POST /api/picture-places/{id}": JobState;
  readonly "GET /api/picture-places/{id}": ScanPlacing;
  readonly "POST /api/jobs": JobState;
  readonly "GET /api/jobs/{id}": JobState;
  readonly "DELETE /api/jobs/{id}": JobState;
  readonly "POST /api/jobs/{id}/keep": KeptFiles;
  readonly "POST /api/playtests": PlayTestState;
  readonly "GET /api/playtests": PlayTestList;
  readonly "DELETE /api/playtests/{id}": PlayTestState;
  readonly "GET /api/playtests/{id}/study": Study;
  readonly "GET /api/playtests/{id}/comparison": ComparisonComparison;
  readonly "GET /api/drafts": DraftReady;
  readonly "GET /api/drafts/map": SmallMap;
  readonly "POST /api/drafts": JobState;
  readonly "POST /api/drafts/{id}/take": StepTaken;
  readonly "POST /api/imports": JobState;
  readonly "GET /api/imports/{id}": ImportReport;
  readonly "POST /api/imports/{id}": JobState;
  readonly "POST /api/imports/{id}/take": StepTaken;
  readonly "POST /api/variants": WrittenVariant;
}

/** What addresses of the server take. */
export interface Bodies {
  readonly "POST /api/enter": Enter;
  readonly "POST /api/tickets": TicketFor;
  readonly "POST /api/settings": SettingsInput;
  readonly "POST /api/begin": Begin;
  readonly "POST /api/jobs": JobAsked;
  readonly "POST /api/playtests": PlayTestAskedInput;
  readonly "POST /api/drafts": BoardDraftInput;
  readonly "POST /api/imports/{id}": LineImport;
  readonly "POST /api/variants": NewVariant;
}
