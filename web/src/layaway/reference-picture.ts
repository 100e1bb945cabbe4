import { formatMoney } from '@aparta/domain/money';
import { config } from '../app/config.ts';
import { code128 } from '../ui/code128.ts';
import { inGroups } from '../ui/code.tsx';
import { layawayCopy } from './copy.ts';
import type { Reference } from './queries.ts';

const copy = layawayCopy.picture;

// Pixels of the picture. A phone shows it whole; printed at 10 cm, a module is 0.5 mm.
const WIDTH = 1080;
const MARGIN = 72;
const INNER = WIDTH - 2 * MARGIN;
const BARS_HEIGHT = 280;

/**
 * The picture of 'Guardar referencia' (§2): what to pay, where, until when, and a bar code that reads back.
 */
export async function pictureOf(reference: Reference): Promise<File> {
  const canvas = document.createElement('canvas');
  // Drawn twice: the first time on nothing, to learn the height.
  const height = draw(paperOf(canvas), reference);
  canvas.width = WIDTH;
  canvas.height = height;
  const paper = paperOf(canvas);
  paper.context.fillStyle = paper.white;
  paper.context.fillRect(0, 0, WIDTH, height);
  draw(paper, reference);
  const picture = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!picture) throw new Error('the picture could not be made');
  return new File([picture], pictureName(reference), { type: 'image/png' });
}

/** `Ref_{product}_{reference}.png` (§2), with nothing that a file system refuses. */
function pictureName({ paymentReference }: Pick<Reference, 'paymentReference'>): string {
  return `Ref_${config.productName.replace(/[^\p{L}\p{N}-]+/gu, '-')}_${paymentReference}.png`;
}

type Paper = { context: CanvasRenderingContext2D; white: string; orange: string; ink: string; font: string };

/** The plates' colours are the same by day and night, like paper's. */
function paperOf(canvas: HTMLCanvasElement): Paper {
  const context = canvas.getContext('2d');
  if (!context) throw new Error('no canvas');
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  return {
    context,
    white: token('--plate'),
    orange: token('--plate-orange'),
    ink: token('--plate-ink'),
    font: token('--font'),
  };
}

/** Draws from top to bottom and returns the height that it took. */
function draw(paper: Paper, reference: Reference): number {
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
  const rule = () => {
    context.fillStyle = paper.ink;
    context.fillRect(MARGIN, y, INNER, 2);
    y += 34;
  };
  /** A label at the left, its sum at the right. */
  const row = (label: string, sum: string, note = '') => {
    const top = y;
    text(label, 40);
    context.textAlign = 'right';
    context.font = `700 44px ${paper.font}`;
    context.fillText(sum, WIDTH - MARGIN, top);
    if (note !== '') {
      context.font = `400 32px ${paper.font}`;
      context.fillText(note, WIDTH - MARGIN, y);
      y += 42;
    }
    y += 12;
  };

  text(config.productName, 36, { bold: true, gap: 20 });
  text(copy.heading, 64, { bold: true, gap: 16 });
  text(reference.productName, 44, { bold: true });
  text(reference.merchantName, 38, { gap: 26 });
  rule();
  row(copy.till, formatMoney(reference.tillTotal));
  if (reference.acceptsCards) {
    const { cardFee, cardTotal } = reference;
    row(copy.card, formatMoney(cardTotal), cardFee === 0 ? '' : copy.includes(cardFee));
  }
  y += 16;
  y += plate(paper, reference.paymentReference, y) + 34;
  text(copy.reference, 34, { align: 'center' });
  text(inGroups(reference.paymentReference), 72, { bold: true, align: 'center', gap: 8 });
  text(layawayCopy.payment.goodUntil(reference.expiresAt), 34, { align: 'center', gap: 30 });
  rule();
  const { merchantName, tillTotal } = reference;
  for (const line of copy.instructions(merchantName, config.productName, tillTotal))
    text(line, 36, { gap: 8 });
  if (reference.acceptsCards) {
    y += 12;
    text(copy.orCard(config.productName), 32);
  }
  return y + MARGIN;
}

/** The bars on their orange ground, each module a whole number of pixels. Returns the plate's height. */
function plate({ context, orange, ink }: Paper, reference: string, top: number): number {
  const { modules, bars } = code128(reference);
  const module = Math.max(1, Math.floor(INNER / modules));
  const left = Math.round((WIDTH - modules * module) / 2);
  const padding = 48;
  context.fillStyle = orange;
  context.fillRect(MARGIN, top, INNER, BARS_HEIGHT + 2 * padding);
  context.fillStyle = ink;
  for (const { x, width } of bars) {
    context.fillRect(left + x * module, top + padding, width * module, BARS_HEIGHT);
  }
  return BARS_HEIGHT + 2 * padding;
}

/** Breaks at spaces so that each line fits; a longer word stands alone. */
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
