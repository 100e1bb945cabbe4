/** Whether a name reads as an address of the web. Mail programs make a link of it, in an email that comes from us. */
export function holdsWebAddress(name: string): boolean {
  return /:\/\/|www\./i.test(name);
}

/** A name as an email says it: of one that was kept before addresses were refused nothing, as of who is forgotten. */
export function mailedName(name: string): string {
  return holdsWebAddress(name) ? '···' : name;
}

/** Text of which no program makes a link. */
export function withoutLink(text: string): string {
  return text.replace(/(www)\.|:\/\//gi, (_, www: string | undefined) => `${www ?? ''} `);
}
