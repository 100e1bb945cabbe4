/** A file that the server sends as base64. */
export function fileOf(sent: { fileName: string; contentByteArray: string }, type: string): File {
  const bytes = Uint8Array.from(atob(sent.contentByteArray), (character) => character.charCodeAt(0));
  return new File([bytes], sent.fileName, { type });
}
