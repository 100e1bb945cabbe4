const WORD = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const ADDRESS = new RegExp(
  `^(?=.{1,64}@)${WORD}(?:\\.${WORD})*@(?:${LABEL}\\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$`,
  'i',
);
const LONGEST = 254;

/**
 * Whether a text is one plain email address and nothing else: words and dots, one @, a domain name. No name, brackets, quotes,
 * comments or lists, which a mail program reads away: `<ana@example.mx` would be a second account of ana@example.mx's mailbox.
 */
export function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST && ADDRESS.test(text);
}
