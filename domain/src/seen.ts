/** A character that leaves something on a screen. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\s\u2800]/u;

/** Whether a text leaves something on a screen. */
export function isSeen(text: string): boolean {
  return SEEN.test(text);
}
