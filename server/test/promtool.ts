import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { namesIn, type Scrapes } from './alert-rules.ts';

/** A rule with whether it fired on two scrapes; `at` is when, in seconds since the epoch. */
export interface Seen extends Scrapes {
  readonly alert: string;
  readonly expr: string;
  readonly at: number;
  readonly fires: boolean;
}

/** The earlier scrape repeats each minute for half an hour, then comes the later one: no rule reaches back further. */
const LATER_MINUTE = 31;

/**
 * What Prometheus' own `promtool` (Debian: the package `prometheus`) finds wrong: rules and expressions that it cannot parse,
 * and rules that fire when ours did not, or the reverse. '' where it is not installed.
 */
export function promtoolProblems(
  rules: string,
  expressions: readonly string[],
  seen: readonly Seen[],
): string {
  if (spawnSync('promtool', ['--version']).error) return '';
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aparta-promtool-'));
  const write = (name: string, content: object) => {
    fs.writeFileSync(path.join(folder, name), JSON.stringify(content)); // JSON is YAML too
    return path.join(folder, name);
  };
  const recorded = expressions.map((expr, n) => ({ record: `panel:${n}`, expr }));
  const panels = write('panels.yml', { groups: [{ name: 'panels', rules: recorded }] });
  const tests = write('tests.yml', { rule_files: [], tests: seen.map(testOf) });
  try {
    return [
      ['check', 'rules', rules, panels],
      ['test', 'rules', tests],
    ]
      .map((args) => spawnSync('promtool', args, { encoding: 'utf8' }))
      .filter(({ status }) => status !== 0)
      .map(({ stdout, stderr }) => stdout + stderr)
      .join('\n');
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function testOf({ alert, expr, earlier, later, at, fires }: Seen) {
  const names = new Set(namesIn(expr).map(({ name }) => name));
  const seriesOf = ({ name, labels }: Scrapes['later'][number]) =>
    `${name}{${Object.entries(labels)
      .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
      .join(',')}}`;
  const before = new Map(earlier.map((sample) => [seriesOf(sample), sample.value]));
  // promtool's clock begins at 0.
  const onItsClock = (name: string, value: number) =>
    name.endsWith('_timestamp_seconds') ? value - at + LATER_MINUTE * 60 : value;
  return {
    name: `${alert} ${fires ? 'fires' : 'does not fire'}`,
    interval: '1m',
    input_series: later
      .filter(({ name }) => names.has(name))
      .map((sample) => ({
        series: seriesOf(sample),
        values: [
          `${onItsClock(sample.name, before.get(seriesOf(sample)) ?? 0)}+0x${LATER_MINUTE - 1}`,
          onItsClock(sample.name, sample.value),
        ].join(' '),
      })),
    promql_expr_test: [
      {
        expr: `(count(${expr}) > bool 0) or vector(0)`,
        eval_time: `${LATER_MINUTE}m`,
        exp_samples: [{ labels: '{}', value: fires ? 1 : 0 }],
      },
    ],
  };
}
