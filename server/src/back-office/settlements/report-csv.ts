import { type Cell, writeCsv } from '../../platform/csv.ts';
import { VIA_WORDS, CONCEPT_WORDS, REPORT_COPY as copy } from './copy.ts';
import { type Movement, operationsOf, printed, type SettlementReport, sumOf } from './report.ts';

/**
 * A report as CSV: the sums of the period, then of each day, then every movement. The lines of each level sum to those of the level
 * above, concept by concept.
 */
export function reportCsv({ movements, from, to, issue }: SettlementReport): string {
  const period = from === to ? from : `${from}/${to}`;
  const number = issue === undefined ? '' : `${issue.number} ${issue.issuedAt.toISOString()}`;
  const lines = [
    ...summed(movements, copy.levels.whole, number, () => period),
    ...summed(movements, copy.levels.day, number, ({ day }) => day),
    ...movements.map((each) => [
      copy.levels.one,
      each.day,
      each.time,
      CONCEPT_WORDS[each.concept],
      via(each),
      String(each.purchaseId ?? ''),
      each.product ?? '',
      each.buyer ?? '',
      each.folio ?? '',
      each.operation ?? '',
      number,
      '1',
      each.ivaCentavos === null ? '' : { centavos: each.ivaCentavos },
      { centavos: printed(each.concept, each.signedCentavos) },
    ]),
  ];
  return writeCsv(copy.columns, lines);
}

/** One line per concept and channel, of all or of each day. */
function summed(
  movements: readonly Movement[],
  level: string,
  number: string,
  dateOf: (movement: Movement) => string,
): Cell[][] {
  const groups = Map.groupBy(movements, (each) => JSON.stringify([dateOf(each), each.concept, each.channel]));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const total = sumOf(group.map(({ signedCentavos }) => signedCentavos));
    const iva = group.flatMap(({ ivaCentavos }) => ivaCentavos ?? []);
    const { concept } = first;
    const named = [level, dateOf(first), '', CONCEPT_WORDS[concept], via(first), '', '', '', '', '', number];
    const times = String(operationsOf(group));
    return [
      [
        ...named,
        times,
        iva.length === 0 ? '' : { centavos: sumOf(iva) },
        { centavos: printed(concept, total) },
      ],
    ];
  });
}

function via({ channel }: Movement): string {
  return channel === null ? '' : VIA_WORDS[channel];
}
