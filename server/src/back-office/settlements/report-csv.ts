import { type Centavos, decimal } from '@aparta/domain/money';
import { stringify } from 'csv-stringify/sync';

import { inertCell } from '../../platform/printed-text.ts';
import { CHANNEL_WORDS, CONCEPT_WORDS, REPORT_COPY as copy } from './copy.ts';
import { type Movement, type SettlementReport, sumOf } from './report.ts';

/**
 * A report as CSV: the sums of the period, then of each day, then every movement. The lines of each level sum to those of the level
 * above, concept by concept. Amounts are plain numbers; no other cell can run as a formula.
 */
export function reportCsv({ movements, from, to }: SettlementReport): string {
  const period = from === to ? from : `${from}/${to}`;
  const lines = [
    ...summed(movements, copy.levels.whole, () => period),
    ...summed(movements, copy.levels.day, ({ day }) => day),
    ...movements.map((each) => [
      copy.levels.one,
      each.day,
      each.time,
      CONCEPT_WORDS[each.concept],
      via(each),
      String(each.purchaseId ?? ''),
      each.product ?? '',
      each.folio ?? '',
      '1',
      pesos(each.signedCentavos),
    ]),
  ];
  const amount = copy.columns.length - 1;
  return stringify(
    lines.map((cells) => cells.map((cell, at) => (at === amount ? cell : inertCell(cell)))),
    // The byte order mark makes spreadsheets read the accents.
    { header: true, columns: [...copy.columns], record_delimiter: 'windows', bom: true },
  );
}

/** One line per concept and channel, of all or of each day. */
function summed(
  movements: readonly Movement[],
  level: string,
  dateOf: (movement: Movement) => string,
): string[][] {
  const groups = new Map<string, Movement[]>();
  for (const each of movements) {
    const key = JSON.stringify([dateOf(each), each.concept, each.channel]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [each]);
    else group.push(each);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const total = sumOf(group.map(({ signedCentavos }) => signedCentavos));
    const { concept } = first;
    return [
      [
        level,
        dateOf(first),
        '',
        CONCEPT_WORDS[concept],
        via(first),
        '',
        '',
        '',
        String(group.length),
        pesos(total),
      ],
    ];
  });
}

function via({ channel }: Movement): string {
  return channel === null ? '' : CHANNEL_WORDS[channel];
}

function pesos(amount: number): string {
  return `${amount < 0 ? '-' : ''}${decimal(Math.abs(amount) as Centavos)}`;
}
