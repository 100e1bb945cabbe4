import { inflateSync } from 'node:zlib';

const STREAM = /<<([^>]*?\/Filter \/FlateDecode[^>]*)>>\r?\nstream\r?\n/g;

/** The text of a PDF in standard fonts, a line for each string shown. Throws where a stream is not whole. */
export function textOfPdf(pdf: Buffer): string {
  const shown: string[] = [];
  for (const head of pdf.toString('latin1').matchAll(STREAM)) {
    // By its length: a line break before `endstream` may be the last byte of the compressed content.
    const length = Number(/\/Length (\d+)/.exec(head[1]!)?.[1]);
    const start = head.index + head[0].length;
    const content = inflateSync(pdf.subarray(start, start + length)).toString('latin1');
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
