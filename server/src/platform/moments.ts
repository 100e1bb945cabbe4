/** A moment as a provider writes it, ISO-8601; undefined for one without its offset, which could be any of several. */
export function readMoment(text: string | null | undefined): Date | undefined {
  if (!text || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}
