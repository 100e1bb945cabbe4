import { formatMoment } from '@aparta/domain/calendar';
import { listActs, listSubjectKinds } from '@aparta/server/platform/audit';
import { type Command, reads } from '../command.ts';
import { text, whole } from '../options.ts';
import { sentence, table } from '../print.ts';

export const auditCommands: readonly Command[] = [
  reads({
    name: 'audit list',
    says: 'Lista los últimos cambios, del más nuevo al más viejo',
    options: {
      subject: text('Solo los de algo, como merchant o merchant:7'),
      limit: { ...whole('Cuántos'), default: '50' },
    },
    examples: [
      ['audit list', 'Los últimos 50'],
      ['audit list --subject merchant:7 --limit 10', 'Los últimos 10 del comercio 7'],
    ],
    async run({ db }, { subject, limit }) {
      const [kind, id] = subject?.split(':') ?? [];
      const acts = await listActs(db, { subject: kind === undefined ? undefined : { kind, id }, limit });
      if (subject !== undefined && acts.length === 0) {
        const kinds = await listSubjectKinds(db);
        return { ...sentence(nothingOf(subject, kinds), []), exitCode: 1 };
      }
      return table(
        acts,
        [
          ['CUÁNDO', ({ at }) => formatMoment(at)],
          ['QUIÉN', ({ actor }) => actor],
          ['QUÉ', ({ command }) => command],
          ['DE', (act) => `${act.subject_kind}:${act.subject_id}`],
          ['DETALLE', ({ detail }) => JSON.stringify(detail)],
        ],
        { none: 'La bitácora está vacía.' },
      );
    },
  }),
];

/** A misspelt name must not read as somebody to whom nothing ever happened. */
function nothingOf(subject: string, kinds: readonly string[]): string {
  return `La bitácora no tiene nada de ${subject}. Tiene de: ${kinds.join(', ') || 'nada todavía'}.`;
}
