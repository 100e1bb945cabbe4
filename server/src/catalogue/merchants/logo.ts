/** The image formats that a logo may have; SVG is none, since it may carry script. */
export type LogoType = 'image/jpeg' | 'image/png' | 'image/webp';

const SIGNATURES: readonly (readonly [LogoType, number, string])[] = [
  ['image/jpeg', 0, 'ffd8ff'],
  ['image/png', 0, '89504e470d0a1a0a'],
  ['image/webp', 8, '57454250'],
];

/** What the bytes are, by how they begin and not by what they are called; undefined when it is no image that we serve. */
export function logoType(bytes: Buffer): LogoType | undefined {
  return SIGNATURES.find(([, offset, signature]) =>
    bytes.subarray(offset, offset + signature.length / 2).equals(Buffer.from(signature, 'hex')),
  )?.[0];
}
