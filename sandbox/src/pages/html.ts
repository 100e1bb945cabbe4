/** Markup that is already safe. */
export type Html = { markup: string };

type Part = string | number | Html | Part[] | null | undefined | false;

/** A template tag that escapes every value except {@link Html}. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return { markup: strings.map((text, at) => text + render(parts[at])).join('') };
}

function render(part: Part): string {
  if (part === null || part === undefined || part === false) return '';
  if (Array.isArray(part)) return part.map(render).join('');
  if (typeof part === 'object') return part.markup;
  return String(part).replace(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
