const LINK = /:\/\/|www\./i;
/**
 * A bare domain, as 'evil.com': by the endings that mail programs know, and not by those that are words after 'Ma.' or 'S.A.'; the
 * end of an email address is none.
 */
const DOMAIN =
  /(?<![@\p{L}\p{N}._-])(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]{2,}\.(?:com|net|org|info|biz|mx|us|es|ar|br|cl|co|pe|uk|eu|ru|cn|in|io|ai|app|dev|xyz|top|shop|store|online|site|website|web|page|link|click|live|club|vip|icu|tv|cc|me|ly|gg|to|tk)(?![@\p{L}\p{N}_-])/giu;

/** Whether a name reads as an address of the web. Mail programs make a link of it, in an email that comes from us. */
export function holdsWebAddress(name: string): boolean {
  return LINK.test(name) || name.search(DOMAIN) >= 0;
}

/** A name as an email says it: of one that was kept before addresses were refused nothing, as of who is forgotten. */
export function mailedName(name: string): string {
  return holdsWebAddress(name) ? '···' : name;
}

/** Text of which no program makes a link. */
export function withoutLink(text: string): string {
  return text
    .replace(/(www)\.|:\/\//gi, (_, www: string | undefined) => `${www ?? ''} `)
    .replace(DOMAIN, (domain) => domain.replaceAll('.', ' '));
}
