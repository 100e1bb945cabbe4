/** A flat rectangle: where, how large, which colour, how round. */
const box = (x: number, y: number, width: number, height: number, fill: string, round = 2) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${round}" fill="${fill}"/>`;
const disc = (x: number, y: number, radius: number, fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`;

const [WHITE, STEEL, GREY, DARK, GLASS] = ['#fff', '#d5dbe1', '#8d99a6', '#2f3a45', '#9cc7d8'];
const [WOOD, CLOTH, RED] = ['#b0793f', '#7d8ca3', '#c8553d'];
const burner = (x: number, y: number) => disc(x, y, 6, DARK) + disc(x, y, 3, GREY);

/** What each product of the demo looks like, by its code: shapes on a square of 96. */
const SHAPES: Readonly<Record<string, string>> = {
  'LB-MIC-14':
    box(10, 26, 76, 44, STEEL, 4) +
    box(16, 32, 46, 32, DARK) +
    box(68, 34, 12, 8, GLASS) +
    disc(74, 54, 5, GREY),
  'LB-REF-14':
    box(28, 8, 40, 80, STEEL, 4) +
    box(28, 34, 40, 2, GREY, 0) +
    box(33, 18, 3, 12, DARK) +
    box(33, 42, 3, 20, DARK),
  'LB-LAV-18':
    box(20, 12, 56, 74, WHITE, 4) +
    box(20, 12, 56, 14, STEEL, 4) +
    disc(48, 54, 20, STEEL) +
    disc(48, 54, 14, GLASS) +
    disc(67, 19, 3, DARK),
  'LB-EST-06':
    box(18, 20, 60, 66, STEEL, 4) +
    box(18, 20, 60, 20, GREY, 4) +
    burner(30, 30) +
    burner(48, 30) +
    burner(66, 30) +
    box(26, 52, 44, 26, DARK),
  'LB-LIC-10':
    box(34, 12, 28, 46, GLASS, 3) +
    box(32, 8, 32, 6, DARK) +
    box(62, 22, 8, 24, GREY, 4) +
    box(30, 58, 36, 28, RED, 5) +
    disc(48, 72, 6, WHITE),
  'EZ-PAN-55':
    box(8, 20, 80, 48, DARK, 3) +
    box(11, 23, 74, 42, GLASS, 1) +
    box(42, 68, 12, 8, GREY, 0) +
    box(30, 76, 36, 4, GREY),
  'EZ-LAP-14': box(20, 22, 56, 40, DARK, 3) + box(23, 25, 50, 34, GLASS, 1) + box(10, 62, 76, 8, GREY, 4),
  'EZ-TEL-12': box(32, 10, 32, 76, DARK, 6) + box(35, 16, 26, 62, GLASS) + disc(48, 82, 2, GREY),
  'EZ-BAR-21':
    box(8, 36, 58, 14, DARK, 4) +
    box(70, 26, 18, 44, DARK, 3) +
    disc(79, 52, 6, GREY) +
    disc(20, 43, 4, GREY) +
    disc(54, 43, 4, GREY),
  'EZ-AUD-01':
    box(22, 36, 52, 40, WHITE, 16) +
    box(22, 54, 52, 2, GREY, 0) +
    disc(36, 28, 8, DARK) +
    disc(60, 28, 8, DARK),
  'MV-SAL-03':
    box(8, 40, 80, 34, CLOTH, 6) +
    box(14, 28, 32, 26, GREY, 6) +
    box(50, 28, 32, 26, GREY, 6) +
    box(14, 74, 6, 8, WOOD, 0) +
    box(76, 74, 6, 8, WOOD, 0),
  'MV-COM-06':
    box(8, 40, 80, 8, WOOD) +
    box(18, 48, 6, 34, WOOD, 0) +
    box(72, 48, 6, 34, WOOD, 0) +
    box(30, 24, 12, 16, DARK) +
    box(54, 24, 12, 16, DARK),
  'MV-COL-MA':
    box(8, 44, 80, 26, WHITE, 6) +
    box(8, 56, 80, 4, CLOTH, 0) +
    box(14, 34, 28, 12, STEEL, 5) +
    box(54, 34, 28, 12, STEEL, 5),
  'MV-ROP-03':
    box(14, 10, 68, 76, WOOD, 3) +
    box(36, 14, 24, 54, GLASS, 1) +
    box(18, 72, 60, 10, '#8c5e2d', 1) +
    box(31, 38, 2, 10, DARK, 0) +
    box(63, 38, 2, 10, DARK, 0),
};

/** Drawings of our own, so that the demo needs no photo of anybody's; undefined for a product without one. */
export function drawingOf(sku: string): Buffer | undefined {
  const shapes = SHAPES[sku];
  if (shapes === undefined) return undefined;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="480" height="480" viewBox="0 0 96 96">${box(0, 0, 96, 96, '#eef1ea', 0)}${shapes}</svg>`,
  );
}
