/** A file that came in base64. */
export function fileFrom(
  { fileName, contentByteArray }: { readonly fileName: string; readonly contentByteArray: string },
  type: string,
): File {
  const bytes = Uint8Array.from(atob(contentByteArray), (character) => character.charCodeAt(0));
  return new File([bytes], fileName, { type });
}
