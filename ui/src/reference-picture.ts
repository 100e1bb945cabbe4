import { formatMoney, type Centavos } from '@aparta/domain/money';
import { code128 } from './code128.ts';
import { inGroups } from '@aparta/domain/in-groups';
import { partsCopy } from './parts-copy.ts';

/** Contents of a reference's picture, top to bottom. */
export type ReferencePicture = {
  /** The application's name: heads the picture and is part of the file name. */
  appName: string;
  /** For example 'Paga tu apartado'. */
  heading: string;
  productName: string;
  merchantName: string;
  /** What each payment method costs. */
  sums: readonly { label: string; amount: Centavos; note?: string }[];
  /** Encoded as it is; printed in groups of four. */
  reference: string;
  ground: 'orange' | 'white';
  goodUntil: string;
  /** What to do with it, in one line. */
  instruction: string;
  /** Another way to pay, in small print. */
  foot?: string;
};

// Pixels of the picture. A phone shows it whole; printed at 10 cm, a module is 0.5 mm.
const WIDTH = 1080;
/** From the edge of the picture to the ticket, and to what is on it. */
const EDGE = 36;
const MARGIN = 96;
const INNER = WIDTH - 2 * MARGIN;
const BARS_HEIGHT = 280;

/**
 * The picture of 'Guardar referencia' (spec §2): what to pay, where, until when, and a bar code that reads back.
 */
export async function pictureOf(picture: ReferencePicture): Promise<File> {
  const canvas = document.createElement('canvas');
  // Drawn twice: the first pass only measures the height.
  const height = draw(paperOf(canvas), picture);
  canvas.width = WIDTH;
  canvas.height = height;
  const paper = paperOf(canvas);
  paper.context.fillStyle = paper.ground;
  paper.context.fillRect(0, 0, WIDTH, height);
  paper.context.fillStyle = paper.white;
  paper.context.beginPath();
  paper.context.roundRect(EDGE, EDGE, WIDTH - 2 * EDGE, height - 2 * EDGE, 40);
  paper.context.fill();
  draw(paper, picture);
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!bytes) throw new Error('the picture could not be made');
  return new File([bytes], fileName(picture), { type: 'image/png' });
}

/** `Ref_{product}_{reference}.png` (spec §2), without characters that file systems refuse. */
export function fileName({ appName, reference }: Pick<ReferencePicture, 'appName' | 'reference'>): string {
  return `Ref_${appName.replace(/[^\p{L}\p{N}-]+/gu, '-')}_${reference}.png`;
}

type Paper = {
  context: CanvasRenderingContext2D;
  ground: string;
  white: string;
  orange: string;
  tag: string;
  ink: string;
  font: string;
};

/** The plate's colours do not change with the colour scheme. */
function paperOf(canvas: HTMLCanvasElement): Paper {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    context,
    ground: token('--plate-ground'),
    white: token('--plate'),
    orange: token('--plate-orange'),
    tag: token('--art-tag'),
    ink: token('--plate-ink'),
    font: token('--font'),
  };
}

/** Draws from top to bottom and returns the height used. */
function draw(paper: Paper, picture: ReferencePicture): number {
  const { context } = paper;
  let y = MARGIN;

  const text = (
    words: string,
    size: number,
    { bold = false, align = 'left' as CanvasTextAlign, gap = 0 } = {},
  ) => {
    context.font = `${bold ? 700 : 400} ${size}px ${paper.font}`;
    context.fillStyle = paper.ink;
    context.textAlign = align;
    context.textBaseline = 'top';
    for (const line of linesOf(context, words)) {
      context.fillText(line, align === 'center' ? WIDTH / 2 : MARGIN, y);
      y += Math.round(size * 1.3);
    }
    y += gap;
  };
  /** Where the ticket is torn: a dashed line, with a notch at either edge. */
  const tear = () => {
    y += 34;
    context.fillStyle = paper.ground;
    for (const x of [EDGE, WIDTH - EDGE]) {
      context.beginPath();
      context.arc(x, y, 28, 0, 2 * Math.PI);
      context.fill();
    }
    context.strokeStyle = paper.ink;
    context.lineWidth = 3;
    context.setLineDash([14, 12]);
    context.beginPath();
    context.moveTo(EDGE + 44, y);
    context.lineTo(WIDTH - EDGE - 44, y);
    context.stroke();
    y += 40;
  };
  /** A label at the left, its sum at the right; the first on a price tag. */
  const row = (label: string, sum: string, note: string, isTagged: boolean) => {
    context.font = `700 ${isTagged ? 60 : 44}px ${paper.font}`;
    const wide = context.measureText(sum).width;
    if (isTagged) priceTag(paper, { right: WIDTH - MARGIN, top: y, wide: wide + 110, high: 92 });
    const top = y + (isTagged ? 18 : 0);
    y = top + (isTagged ? 8 : 0);
    text(label, 40);
    context.textAlign = 'right';
    context.font = `700 ${isTagged ? 60 : 44}px ${paper.font}`;
    context.fillText(sum, WIDTH - MARGIN - (isTagged ? 28 : 0), top);
    if (isTagged) y = top + 92 - 18;
    if (note !== '') {
      context.font = `400 32px ${paper.font}`;
      context.fillText(note, WIDTH - MARGIN, y);
      y += 42;
    }
    y += 12;
  };

  text(picture.appName, 40, { bold: true });
  const nameWide = context.measureText(picture.appName).width;
  context.fillStyle = paper.tag;
  context.fillRect(MARGIN + nameWide + 16, y - 54, 12, 44);
  y += 20;
  text(picture.heading, 64, { bold: true, gap: 16 });
  text(picture.productName, 44, { bold: true });
  text(picture.merchantName, 38, { gap: 26 });
  for (const [at, { label, amount, note = '' }] of picture.sums.entries()) {
    row(label, formatMoney(amount), note, at === 0);
  }
  tear();
  y += plate(paper, picture, y) + 34;
  text(partsCopy.reference, 34, { align: 'center' });
  text(inGroups(picture.reference), 72, { bold: true, align: 'center', gap: 8 });
  text(picture.goodUntil, 34, { align: 'center' });
  tear();
  text(picture.instruction, 38, { bold: true });
  if (picture.foot !== undefined) {
    y += 12;
    text(picture.foot, 32);
  }
  return y + MARGIN;
}

/** A price tag: pointed, with the hole for its string. */
function priceTag(
  { context, tag, white }: Paper,
  { right, top, wide, high }: { right: number; top: number; wide: number; high: number },
): void {
  const left = right - wide;
  context.fillStyle = tag;
  context.beginPath();
  context.moveTo(left, top + high / 2);
  context.lineTo(left + 44, top);
  context.lineTo(right, top);
  context.lineTo(right, top + high);
  context.lineTo(left + 44, top + high);
  context.fill();
  context.fillStyle = white;
  context.beginPath();
  context.arc(left + 42, top + high / 2, 9, 0, 2 * Math.PI);
  context.fill();
}

/** Draws the bars, each module a whole number of pixels. Returns the plate's height. */
function plate(
  { context, white, orange, ink }: Paper,
  { reference, ground }: Pick<ReferencePicture, 'reference' | 'ground'>,
  top: number,
): number {
  const { modules, bars } = code128(reference);
  const module = Math.max(1, Math.floor(INNER / modules));
  const left = Math.round((WIDTH - modules * module) / 2);
  const padding = 48;
  context.fillStyle = ground === 'orange' ? orange : white;
  context.fillRect(MARGIN, top, INNER, BARS_HEIGHT + 2 * padding);
  context.fillStyle = ink;
  for (const { x, width } of bars) {
    context.fillRect(left + x * module, top + padding, width * module, BARS_HEIGHT);
  }
  return BARS_HEIGHT + 2 * padding;
}

/** Wraps at spaces; a word that is too long gets its own line. */
function linesOf(context: CanvasRenderingContext2D, words: string): string[] {
  const lines: string[] = [];
  for (const word of words.split(' ')) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && context.measureText(longer).width <= INNER) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
