import { formatMoment } from '@aparta/domain/calendar';
import { listOpenAlerts } from '@aparta/server/back-office/readiness/read-model';
import { isAlertKind, resolveAlert } from '@aparta/server/platform/alerts';
import { letJobRunAgain } from '@aparta/server/back-office/operations/end-by-hand';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command, reads } from '../command.ts';
import { text } from '../options.ts';
import { onOneLine, sentence } from '../print.ts';
import { openAlert, PAYMENTS as says } from './payments-copy.ts';

export const alertCommands: readonly Command[] = [
  reads({
    name: 'alert list',
    says: 'Lista las alarmas abiertas, las más nuevas primero: qué pasó, lo que se sabe de ello y qué sigue',
    examples: [['alert list', 'Las que nadie ha atendido']],
    async run({ db }) {
      const alerts = await listOpenAlerts(db);
      const lines = alerts.flatMap((alert) => {
        const { said, next } = openAlert(alert);
        return [
          `${formatMoment(alert.last_at)}  ${said}`,
          `  ${JSON.stringify(alert.detail)}`,
          `  Sigue: ${next}`,
        ];
      });
      return sentence(lines.length === 0 ? says.noAlerts : lines.map(onOneLine).join('\n'), { alerts });
    },
  }),
  changes({
    name: 'job retry',
    says: 'Deja correr otra vez, desde el principio, un trabajo que se rindió',
    positionals: { job: text('Como lo muestra payment waiting: su nombre y su clave') },
    examples: [['job retry "refund_card refund:12"', 'Cuando ya se arregló lo que lo detuvo']],
    run:
      (_, { job }) =>
      async (tx) => {
        await letJobRunAgain(tx, job);
        return {
          subject: { kind: 'job', id: job.slice(0, 120) },
          detail: {},
          said: sentence(says.jobRuns, { job }),
        };
      },
  }),
  changes({
    name: 'alert resolve',
    says: 'Cierra una alarma que ya se atendió. Se abre otra vez si vuelve a pasar',
    positionals: { alert: text('Como la muestra payment waiting: tipo:asunto') },
    options: { reason: { ...text('Qué se hizo, para la bitácora'), demandOption: true } },
    examples: [['alert resolve merchant_not_swept:1 --reason "Clip ya contesta"', 'Queda en la bitácora']],
    run:
      (_, { alert, reason }) =>
      async (tx) => {
        const [kind = '', ...rest] = alert.split(':');
        const subject = rest.join(':');
        if (!isAlertKind(kind) || !(await resolveAlert(tx, kind, subject)))
          throw new RefusedChange('alert_unknown', { id: alert });
        return {
          subject: { kind: 'alert', id: alert.slice(0, 120) },
          detail: { reason },
          said: sentence(says.resolved, { alert }),
        };
      },
  }),
];
