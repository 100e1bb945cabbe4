/** A sheet of labels, in millimetres, as the maker of the paper says. */
export interface LabelFormat {
  readonly page: { readonly width: number; readonly height: number };
  readonly label: { readonly width: number; readonly height: number };
  readonly columns: number;
  readonly rows: number;
  /** To the first label, and from the end of one to the beginning of the next. */
  readonly left: number;
  readonly top: number;
  readonly columnGap: number;
  readonly rowGap: number;
}

const LETTER = { width: 215.9, height: 279.4 };
const A4 = { width: 210, height: 297 };

/** One label as large as its page. */
function whole(page: LabelFormat['page']): LabelFormat {
  return { page, label: page, columns: 1, rows: 1, left: 0, top: 0, columnGap: 0, rowGap: 0 };
}

/** The papers that labels are printed on, by the name the operator types. */
export const LABEL_FORMATS = {
  'carta-10': {
    page: LETTER,
    label: { width: 101.6, height: 50.8 },
    columns: 2,
    rows: 5,
    left: 3.97,
    top: 12.7,
    columnGap: 4.76,
    rowGap: 0,
  },
  'carta-30': {
    page: LETTER,
    label: { width: 66.68, height: 25.4 },
    columns: 3,
    rows: 10,
    left: 4.76,
    top: 12.7,
    columnGap: 3.18,
    rowGap: 0,
  },
  'carta-cartel': whole(LETTER),
  'a4-8': {
    page: A4,
    label: { width: 99.1, height: 67.7 },
    columns: 2,
    rows: 4,
    left: 4.65,
    top: 13.1,
    columnGap: 2.5,
    rowGap: 0,
  },
  'a4-21': {
    page: A4,
    label: { width: 63.5, height: 38.1 },
    columns: 3,
    rows: 7,
    left: 7.2,
    top: 15.15,
    columnGap: 2.5,
    rowGap: 0,
  },
  'a4-cartel': whole(A4),
} as const satisfies Record<string, LabelFormat>;

export type LabelFormatName = keyof typeof LABEL_FORMATS;

/** A label alone, as it is sent by chat: 100 mm by 125 mm. */
export const PICTURE_FORMAT = whole({ width: 100, height: 125 });
