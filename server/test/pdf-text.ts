import { inflateSync } from 'node:zlib';

/** The text of a PDF made of standard fonts: its compressed streams, and the strings shown in them, a line each. */
export function textOfPdf(pdf: Buffer): string {
  const raw = pdf.toString('latin1');
  const shown: string[] = [];
  for (const match of raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)) {
    let content: string;
    try {
      content = inflateSync(Buffer.from(match[1]!, 'latin1')).toString('latin1');
    } catch {
      continue;
    }
    for (const line of content.matchAll(/\[(.*?)\]\s*TJ/g)) {
      shown.push(
        [...line[1]!.matchAll(/<([0-9a-f]+)>/g)]
          .map((hex) => Buffer.from(hex[1]!, 'hex').toString('latin1'))
          .join(''),
      );
    }
  }
  return shown.join('\n');
}
