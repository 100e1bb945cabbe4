/** A reference or folio as people read it aloud: groups of four from the left. */
export function inGroups(reference: string): string {
  return reference.match(/.{1,4}/g)?.join(' ') ?? reference;
}
