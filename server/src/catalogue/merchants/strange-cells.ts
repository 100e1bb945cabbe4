import { partsOf } from './oversized-workbook.ts';

/** A cell that is neither text nor number, and what stands in it. */
export interface Strange {
  readonly strange: 'cell_date' | 'cell_yes_no' | 'cell_error' | 'cell_formula';
  readonly found: string;
}

const ERROR =
  /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|N\/D|SPILL!|¡NULO!|¡DIV\/0!|¡VALOR!|¡REF!|¿NOMBRE\?|¡NUM!|¡DESBORDAMIENTO!)$/;

/** The text itself, unless a spreadsheet wrote its error there. */
export function textOrError(text: string): string | Strange {
  return ERROR.test(text) ? { strange: 'cell_error', found: text } : text;
}

const CELL = /<(?:\w+:)?c\b([^>]*?)(?:\/>|>([^]*?)<\/(?:\w+:)?c>)/g;
const inner = (xml: string, name: string) =>
  new RegExp(String.raw`<(?:\w+:)?${name}\b[^>]*>([^<]*)`).exec(xml)?.[1];

/**
 * Errors and formulas without a result in a workbook's first sheet, by address (`C5`). The reader of workbooks takes them for
 * empty cells, and an empty rate of IVA means 16 %.
 */
export function strangeCells(xlsx: Buffer): ReadonlyMap<string, Strange> {
  const strange = new Map<string, Strange>();
  for (const [, attributes = '', content = ''] of firstSheet(xlsx).matchAll(CELL)) {
    const address = /\br="([A-Z]+\d+)"/.exec(attributes)?.[1] ?? '';
    const [value = '', formula] = [inner(content, 'v'), inner(content, 'f')];
    if (/\bt="e"/.test(attributes)) strange.set(address, { strange: 'cell_error', found: value });
    else if (
      formula !== undefined &&
      value === '' &&
      !/\bt="str"[^]*<(?:\w+:)?v\b/.test(attributes + content)
    )
      strange.set(address, { strange: 'cell_formula', found: `=${formula}` });
  }
  return strange;
}

function firstSheet(xlsx: Buffer): string {
  const parts = new Map<string, string>();
  for (const { name, bytes } of partsOf(xlsx)) parts.set(name, bytes.toString('utf8'));
  const id = /<(?:\w+:)?sheet\b[^>]*\br:id="([^"]+)"/.exec(parts.get('xl/workbook.xml') ?? '')?.[1];
  const relations = parts.get('xl/_rels/workbook.xml.rels') ?? '';
  const relation = [...relations.matchAll(/<(?:\w+:)?Relationship\b[^>]*>/g)].find(([tag]) =>
    tag.includes(`Id="${id}"`),
  );
  const target = /\bTarget="\/?(?:xl\/)?([^"]+)"/.exec(relation?.[0] ?? '')?.[1] ?? 'worksheets/sheet1.xml';
  return parts.get(`xl/${target}`) ?? '';
}
