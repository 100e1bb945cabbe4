/** Markup that is already safe: only {@link html} makes it. */
export interface Markup {
  readonly markup: string;
}

type Part = string | number | Markup | false | undefined | readonly Part[];

/** A template tag that escapes every value that is not markup itself. Safe between tags and inside quoted attributes. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return { markup: strings.map((text, at) => text + render(parts[at])).join('') };
}

function render(part: Part): string {
  if (part === undefined || part === false) return '';
  if (typeof part === 'object') return 'markup' in part ? part.markup : part.map(render).join('');
  return String(part).replace(/[&<>"'`]/g, (sign) => `&#${sign.codePointAt(0)};`);
}
