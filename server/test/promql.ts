import { parser } from '@prometheus-io/lezer-promql';

/** One line of a scrape. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

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

/** The metric names of an expression, and the labels that it expects of each. Throws where it is not PromQL. */
export function namesIn(expr: string): { name: string; labels: string[] }[] {
  const tree = parser.parse(expr);
  const found: { name: string; labels: string[] }[] = [];
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`not PromQL near ${node.from}: ${expr}`);
      if (node.name === 'Identifier') found.push({ name: textOf(expr, node), labels: [] });
      if (node.name === 'UnquotedLabelMatcher') {
        const label = node.node.getChild('LabelName');
        if (label) found.at(-1)?.labels.push(textOf(expr, label));
      }
    },
  });
  return found;
}

type Node = ReturnType<typeof parser.parse>['topNode'];
type Vector = readonly Omit<Sample, 'name'>[];
type Value = number | Vector;

const textOf = (expr: string, { from, to }: { from: number; to: number }) => expr.slice(from, to);
const keyOf = (labels: Readonly<Record<string, string>>) => JSON.stringify(Object.entries(labels).toSorted());

const COMPARE: Record<string, (a: number, b: number) => boolean> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
};
const COMPUTE: Record<string, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/**
 * What a rule's expression gives on two scrapes: the part of PromQL that our rules use, on Prometheus' own grammar. `increase` and
 * `rate` take what grew from the earlier scrape to the later one as what grew in their window. Empty: the alert does not fire.
 */
export function evaluate(expr: string, scrapes: { earlier: Sample[]; later: Sample[] }): Vector {
  const value = valueOf(parser.parse(expr).topNode.firstChild);
  if (typeof value === 'number') throw new Error(`a number cannot fire: ${expr}`);
  return value;

  function valueOf(node: Node | null | undefined): Value {
    if (!node) throw new Error(`cannot be read: ${expr}`);
    switch (node.name) {
      case 'NumberDurationLiteral':
        return Number(textOf(expr, node));
      case 'ParenExpr':
        return valueOf(node.firstChild);
      case 'VectorSelector':
        return select(node, scrapes.later);
      case 'FunctionCall':
        return call(node);
      case 'AggregateExpr':
        return aggregate(node);
      case 'BinaryExpr':
        return combine(node);
      default:
        throw new Error(`${node.name} is not evaluated: ${expr}`);
    }
  }

  function select(node: Node, samples: Sample[]): Vector {
    const name = textOf(expr, node.getChild('Identifier') ?? node);
    const matchers = (node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? []).map(
      (one) => {
        const [label, operator, value] = ['LabelName', 'MatchOp', 'StringLiteral'].map((part) =>
          textOf(expr, one.getChild(part) ?? one),
        ) as [string, string, string];
        const wanted = new RegExp(
          operator === '=~' ? `^(?:${value.slice(1, -1)})$` : `^${value.slice(1, -1)}$`,
        );
        return ({ labels }: Sample) => wanted.test(labels[label] ?? '');
      },
    );
    return samples.filter((one) => one.name === name && matchers.every((matches) => matches(one)));
  }

  function call(node: Node): Value {
    const name = textOf(expr, node.getChild('FunctionIdentifier') ?? node);
    if (name === 'time') return Date.now() / 1_000;
    const range = node.getChild('FunctionCallBody')?.getChild('MatrixSelector');
    const selector = range?.getChild('VectorSelector');
    if ((name !== 'increase' && name !== 'rate') || !selector) throw new Error(`${name} is not evaluated`);
    const before = new Map(
      select(selector, scrapes.earlier).map(({ labels, value }) => [keyOf(labels), value]),
    );
    return select(selector, scrapes.later).map(({ labels, value }) => ({
      labels,
      value: value - (before.get(keyOf(labels)) ?? 0),
    }));
  }

  function aggregate(node: Node): Vector {
    const operation = textOf(expr, node.getChild('AggregateOp') ?? node);
    const by = (
      node.getChild('AggregateModifier')?.getChild('GroupingLabels')?.getChildren('LabelName') ?? []
    ).map((label) => textOf(expr, label));
    const inner = valueOf(node.getChild('FunctionCallBody')?.firstChild);
    if (typeof inner === 'number') throw new Error('a number has no series');
    const groups = Map.groupBy(inner, ({ labels }) =>
      keyOf(Object.fromEntries(by.map((l) => [l, labels[l] ?? '']))),
    );
    return [...groups].map(([key, members]) => {
      const values = members.map(({ value }) => value);
      return {
        labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
        value: operation === 'sum' ? values.reduce((a, b) => a + b, 0) : Math.max(...values),
      };
    });
  }

  function combine(node: Node): Value {
    const [left, right] = [valueOf(node.firstChild), valueOf(node.lastChild)];
    const operator = textOf(expr, node.firstChild?.nextSibling ?? node);
    if (operator === 'or') return [...series(left), ...series(right)];
    if (operator === 'unless') return series(left).filter((one) => partnerOf(one, right) === undefined);
    const compute = COMPUTE[operator];
    const compare = COMPARE[operator];
    if (typeof left === 'number' && typeof right === 'number' && compute) return compute(left, right);
    const sides = (typeof left === 'number' ? series(right) : left).flatMap((one) => {
      const other =
        typeof left === 'number' ? left : typeof right === 'number' ? right : partnerOf(one, right);
      if (other === undefined) return [];
      return [
        {
          labels: one.labels,
          a: typeof left === 'number' ? left : one.value,
          b: typeof left === 'number' ? one.value : other,
        },
      ];
    });
    if (compute) return sides.map(({ labels, a, b }) => ({ labels, value: compute(a, b) }));
    if (compare)
      return sides.filter(({ a, b }) => compare(a, b)).map(({ labels, a }) => ({ labels, value: a }));
    throw new Error(`${operator} is not evaluated: ${expr}`);
  }

  function partnerOf(one: Vector[number], others: Value): number | undefined {
    return series(others).find(({ labels }) => keyOf(labels) === keyOf(one.labels))?.value;
  }
}

function series(value: Value): Vector {
  if (typeof value === 'number') throw new Error('a number has no series');
  return value;
}
