/**
 * Text that a PDF's standard fonts can print: the Latin letters alone. Bidirectional and other controls, which can make a
 * name read as another, go; what they cannot print becomes '?'.
 */
export function printable(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/[^\u0020-\u00ff\u2013\u2014\u2018-\u201d\u2022\u2026\u20ac]/gu, '?');
}

/** A cell of a CSV file that a spreadsheet would run as a formula is made text (rules/threats#text-injection). */
export function inertCell(cell: string): string {
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}
