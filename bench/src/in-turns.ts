import { verdict } from './report.ts';
import { median, quantile, spread } from './samples.ts';

const ROUNDS = 5;

export interface Comparison<Side> {
  readonly call: string;
  readonly small: Side;
  readonly large: Side;
  readonly ask: (side: Side, turn: number) => Promise<void>;
  /** Half as many are asked before anything is timed. */
  readonly perRound: number;
  /** The quantiles that are printed, as `p95` and 0.95. */
  readonly shares: Readonly<Record<string, number>>;
  /** Times the figure of the small side. */
  readonly most: number;
  /** In ms, of the large side, by quantile. */
  readonly within?: Readonly<Record<string, number>> | undefined;
}

/** Of how many rounds each figure is the median. */
export const roundsOf = (perRound: number): string => `median [range] of ${ROUNDS} rounds of ${perRound}`;

/** Rows of a table, in ms: how long a call takes of two sides of different sizes, one call at a time, the two in turns. */
export async function compareInTurns<Side>({
  call,
  small,
  large,
  ask,
  perRound,
  shares,
  most,
  within = {},
}: Comparison<Side>): Promise<string[][]> {
  const rounds: { readonly small: number[]; readonly large: number[] }[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const times = { small: [] as number[], large: [] as number[] };
    const turns = round < 0 ? perRound / 2 : perRound;
    for (let turn = 0; turn < turns; turn += 1) {
      for (const size of turn % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const)) {
        const asked = performance.now();
        await ask(size === 'small' ? small : large, turn * 7 + round + 1);
        times[size].push(performance.now() - asked);
      }
    }
    if (round >= 0) rounds.push(times);
  }
  return Object.entries(shares).map(([name, share]) => {
    const few = rounds.map((times) => quantile(times.small, share));
    const many = rounds.map((times) => quantile(times.large, share));
    const mostMs = within[name];
    const ratios = many.map((value, round) => value / (few[round] ?? Number.NaN));
    return [
      call,
      name,
      spread(few, 2),
      spread(many, 2),
      spread(ratios, 2),
      verdict(`<= ${most}`, median(ratios) <= most) +
        (mostMs === undefined ? '' : `, ${verdict(`<= ${mostMs} ms`, median(many) <= mostMs)}`),
    ];
  });
}
