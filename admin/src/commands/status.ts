import { formatMoment } from '@aparta/domain/calendar';
import { type Gap, checkReadiness } from '@aparta/server/back-office/readiness/check-readiness';
import { hasFailed, tryServices } from '@aparta/server/back-office/readiness/try-services';
import { type Command, reads } from '../command.ts';
import { onOneLine } from '../print.ts';
import { LEGAL_KINDS } from '../copy.ts';
import { openAlert } from './payments-copy.ts';
import { GAPS, sayTrial, verdict } from './status-copy.ts';

export const statusCommands: readonly Command[] = [
  reads({
    name: 'status',
    says: 'Dice qué falta para cobrar, y lo prueba: base de datos, claves, Clip, Tapi, correo y FacturaGreen, sin cobrar ni enviar nada. Termina con 1 si algo lo impide',
    examples: [['status', 'Lo que se probó, lo que falta, lo que conviene y las alarmas abiertas']],
    async run({ db, settings, parts }) {
      const { gaps, alerts, lastBackupAt, migration } = await checkReadiness(db, settings);
      const trials = await tryServices(parts.jobs, new Date());
      const stops = [...gaps, ...trials].some((each) => each.stops);
      const lines = [
        ...trials.map(sayTrial),
        ...gaps
          .toSorted((one, other) => Number(other.stops) - Number(one.stops))
          .map((gap) => `${gap.stops ? 'FALTA' : 'AVISO'}   ${sayGap(gap)}`),
        ...alerts.map((alert) => {
          const { said, next } = openAlert(alert);
          return `ALARMA  ${said}, ${formatMoment(alert.last_at)}. Sigue: ${next}`;
        }),
        `Base de datos al día: ${migration}.`,
        ...(lastBackupAt === null ? [] : [`Último respaldo: ${formatMoment(lastBackupAt)}.`]),
        verdict(stops, trials.some(hasFailed)),
      ];
      return {
        // Names and subjects may come from outside.
        text: lines.map(onOneLine).join('\n'),
        json: { ready: !stops, trials, gaps, alerts, lastBackupAt, migration },
        ...(stops && { exitCode: 1 }),
      };
    },
  }),
];

function sayGap(gap: Gap): string {
  const merchant = 'merchant' in gap ? `comercio ${gap.merchant.id}, ${gap.merchant.name}` : '';
  const text = 'text' in gap ? LEGAL_KINDS[gap.text] : '';
  const count = 'count' in gap ? String(gap.count) : '';
  return GAPS[gap.kind]
    .replace('{merchant}', () => merchant)
    .replace('{text}', text)
    .replace('{count}', count)
    .replace('{why}', () => ('why' in gap ? gap.why : ''))
    .replace('{job}', () => ('job' in gap ? gap.job : ''))
    .replace('{minutes}', 'minutes' in gap ? String(gap.minutes) : '');
}
