/** What a provider cannot mean, and a database may refuse, is not said. */
const [EARLIEST, LATEST] = [Date.UTC(2000, 0), Date.UTC(2100, 0)];

/**
 * A moment as a provider writes it, ISO-8601; undefined for one outside of this century, and for one without its offset, which
 * could be any of several.
 */
export function readMoment(text: string | null | undefined): Date | undefined {
  if (!text || !/T.*(Z|[+-]\d\d:?\d\d)$/.test(text)) return undefined;
  const moment = new Date(text);
  return moment.getTime() >= EARLIEST && moment.getTime() < LATEST ? moment : undefined;
}
