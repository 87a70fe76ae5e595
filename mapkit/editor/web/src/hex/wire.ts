// What the page of hexagon boards gets beside the tables.
export interface GridView {
  readonly offset: "odd-r" | "even-r" | "odd-q" | "even-q";
  readonly columns: number;
  readonly rows: number;
  readonly size: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface TerrainView {
  readonly id: string;
  readonly name: string;
  readonly cost: number | null;
  readonly colour: string;
}

export interface HexView {
  readonly grid: GridView;
  readonly terrain: string;
  readonly terrains: readonly TerrainView[];
  readonly pigments: Readonly<Record<string, string>>;
  readonly fields: Readonly<Record<string, readonly string[]>>;
}
