/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Scrapes from before and after an act. */
export interface Scrapes {
  readonly earlier: readonly Sample[];
  readonly later: readonly Sample[];
}

const SELECTOR = /\b((?:aparta|nodejs|process)_\w+|up\b)(?:\{([^}]*)\})?/g;
const MATCHER = /(\w+)(=~?|!~)"([^"]*)"/g;
const THRESHOLD = /^(time\(\) - )?(?:max(?: by \(\w+\))? ?\()?(\w+(?:\{[^}]*\})?)\)? (>=?|==) ([\d.]+)$/;

/** Reads Prometheus' text format. */
export function readScrape(text: string): Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', inside = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      const labels = [...inside.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map((m) => [m[1] ?? '', m[2] ?? '']);
      return { name, labels: Object.fromEntries(labels), value: Number(value) };
    });
}

/** The metric names of an expression, and the labels that it expects of each. */
export function namesIn(expr: string): { name: string; labels: string[] }[] {
  return [...expr.matchAll(SELECTOR)].map(([, name = '', inside = '']) => ({
    name,
    labels: [...inside.matchAll(MATCHER)].map(([, label = '']) => label),
  }));
}

/**
 * Whether a rule fires, judged without Prometheus: a gauge is compared with the rule's threshold. A rule over the growth of
 * counters (`rate`, `increase`) is taken to fire when its first counter grew; by how much, only `promtool` can judge.
 */
export function fires(expr: string, { earlier, later }: Scrapes): boolean {
  if (/\b(?:rate|increase)\(/.test(expr)) {
    const total = (samples: readonly Sample[]) =>
      select(expr, samples).reduce((sum, { value }) => sum + value, 0);
    return total(later) > total(earlier);
  }
  return expr.split(/\s+or\s+/).some((part) => {
    const [, age, selector = '', operator, limit] = THRESHOLD.exec(part.trim()) ?? [];
    if (limit === undefined) throw new Error(`promtool alone can judge: ${expr}`);
    const values = select(selector, later).map(({ value }) => value);
    if (values.length === 0) return false;
    const value = Math.max(...values);
    const compared = age === undefined ? value : Date.now() / 1_000 - value;
    if (operator === '==') return values.includes(Number(limit));
    return operator === '>' ? compared > Number(limit) : compared >= Number(limit);
  });
}

/** The samples of the first selector of an expression. */
function select(expr: string, samples: readonly Sample[]): Sample[] {
  const [[, name = '', inside = ''] = []] = expr.matchAll(SELECTOR);
  const wanted = [...inside.matchAll(MATCHER)].map(
    ([, label = '', operator, text = '']) =>
      [label, operator, operator === '=' ? [text] : text.split('|')] as const,
  );
  return samples.filter(
    (one) =>
      one.name === name &&
      wanted.every(([label, operator, any]) => any.includes(one.labels[label] ?? '') !== (operator === '!~')),
  );
}
