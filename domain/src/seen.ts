/**
 * What nobody sees, and what turns the text around it backwards. Not U+200D nor the variation selectors: emoji are made of
 * them.
 */
const UNSEEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A text without marks that nobody sees. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, '');
}

/** A character that leaves something on a screen. */
const SEEN = /[^\p{Default_Ignorable_Code_Point}\p{Cf}\s\u2800]/u;

/** Whether a text leaves something on a screen. */
export function isSeen(text: string): boolean {
  return SEEN.test(text);
}
