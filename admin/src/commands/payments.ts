import { formatMoment } from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import { findBuyerId } from '@aparta/server/back-office/privacy/read-model';
import { createLog } from '@aparta/server/platform/logging';
import { findPayments } from '@aparta/server/back-office/operations/find-payment';
import { readStory } from '@aparta/server/back-office/operations/payment-history.read-model';
import { listWaiting } from '@aparta/server/back-office/operations/waiting.read-model';
import { decideHeld } from '@aparta/server/payments/cards/decide-held';
import { resolveAttempt } from '@aparta/server/payments/cards/resolve-attempt';
import { findAttempt } from '@aparta/server/payments/cards/store';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { acts, changes, type Command, reads } from '../command.ts';
import { day, pesos, text, uuid } from '../options.ts';
import { amount, sentence, table } from '../print.ts';
import { aboutMatch, actOf, happened, jobOf, PAYMENTS as says } from './payments-copy.ts';
import { externalRefund } from './external-refund.ts';

const attempt = uuid('Número del intento (UUID)');

export const paymentCommands: readonly Command[] = [
  reads({
    name: 'payment follow',
    says: 'Cuenta en orden todo lo que pasó con un pago: intentos, palabras de Clip, libros, avisos, devoluciones, correos',
    options: {
      by: text(
        'Referencia, folio, número de Clip o de la tienda, folio fiscal, correo, teléfono, compra o intento',
      ),
      amount: pesos('O bien: cuánto (con --on)'),
      on: day('Qué día, AAAA-MM-DD, hora del centro de México'),
    },
    examples: [
      ['payment follow --by 11234567894', 'Por la referencia impresa'],
      ['payment follow --by ana@example.mx', 'Por el correo del comprador'],
      ['payment follow --by 2225550311', 'Por su teléfono'],
      ['payment follow --amount 615 --on 2026-11-20', 'Por cantidad y día'],
    ],
    async run({ db }, { by, amount: sum, on }) {
      if (by === undefined && (sum === undefined || on === undefined))
        throw new RefusedChange('clue_missing');
      const matches = await findPayments(
        db,
        by === undefined && sum !== undefined && on !== undefined
          ? { by: 'amount', amountCentavos: sum, on }
          : { by: 'text', text: by ?? '' },
      );
      const [match, ...others] = matches;
      if (match === undefined) {
        const isKnown = by !== undefined && (await findBuyerId(db, by)) !== undefined;
        return { ...sentence(isKnown ? says.knownBuyer(by) : says.notFound, []), exitCode: 1 };
      }
      if (others.length > 0) {
        const list = matches.map((each) => `  ${formatMoment(each.at)}  ${aboutMatch(each)}`);
        return sentence([says.several, ...list].join('\n'), { matches });
      }
      const story = await readStory(db, match);
      return sentence([aboutMatch(match), ...story.map(happened)].join('\n'), { match, story });
    },
  }),
  reads({
    name: 'payment waiting',
    says: 'Lista lo que no sigue sin una persona, con lo que hay que hacer y el trabajo que debía moverlo, los trabajos atrasados y las devoluciones que aún esperan a Clip',
    examples: [['payment waiting', 'Lo más viejo primero']],
    async run({ db }) {
      return table(
        await listWaiting(db),
        [
          ['DESDE', ({ since }) => formatMoment(since)],
          ['QUÉ', (row) => actOf(row).what],
          ['NÚMERO', ({ id }) => id],
          ['CUÁNTO', ({ amountCentavos }) => (amountCentavos === null ? '' : amount(amountCentavos))],
          ['COMERCIO', ({ merchant }) => merchant],
          ['DETALLE', ({ detail }) => detail],
          ['TRABAJO', ({ job }) => jobOf(job)],
          ['SIGUE', (row) => actOf(row).next],
        ],
        { none: says.nothingWaits },
      );
    },
  }),
  acts({
    name: 'payment check',
    says: 'Pregunta otra vez a Clip por un intento, y hace lo que conteste. Se puede repetir',
    positionals: { attempt },
    examples: [['payment check 0b6f1f0e-3f6c-4e1c-9a51-3f1f0a7c2d11', 'Si Clip ya sabe qué pasó, se anota']],
    subject: (_, { attempt: id }) => ({ kind: 'card_attempt', id }),
    async run({ db, parts }, { attempt: id }) {
      await known(db, id);
      // Not `by: 'job'`: only the job's own polls are far enough apart to prove that nothing was charged.
      const seen = await resolveAttempt(parts.engine, id, { by: 'browser', log: createLog('silent') });
      const { state } = await known(db, id);
      if (seen === undefined)
        return { detail: { state }, said: { ...sentence(says.justChecked(state), { state }), exitCode: 1 } };
      const { kind: observed } = seen;
      if (!('why' in seen)) {
        const detail = { state, observed };
        return { detail, said: sentence(says.checked(state), detail) };
      }
      const detail = { state, observed, why: seen.why };
      return { detail, said: { ...sentence(says.notChecked(seen.why ?? '', state), detail), exitCode: 1 } };
    },
  }),
  externalRefund({
    name: 'payment external-refund',
    positionals: { attempt },
    example: '0b6f1f0e-3f6c-4e1c-9a51-3f1f0a7c2d11',
    attemptOf: async (db, { attempt: id }) => (await known(db, String(id))).id,
  }),
  decides(
    'apply',
    'Aplica un cobro detenido que sí es lo acordado',
    'Clip confirmó por correo',
    says.applied,
  ),
  decides('return', 'Devuelve completo un cobro detenido', 'Nadie lo reclama', says.returned),
];

/** An operator's decision on held money: `payment apply`, `payment return`. */
function decides(
  decision: 'apply' | 'return',
  what: string,
  because: string,
  done: (amount: string) => string,
): Command {
  const name = `payment ${decision}`;
  return changes({
    name,
    says: what,
    positionals: { attempt },
    options: { reason: { ...text('Por qué, para la bitácora'), demandOption: true } },
    examples: [
      [`${name} 0b6f1f0e-3f6c-4e1c-9a51-3f1f0a7c2d11 --reason "${because}"`, 'Queda en la bitácora'],
    ],
    run:
      (_, { attempt: id, reason }) =>
      async (tx) => {
        const { amountCentavos } = await decideHeld(tx, id, decision);
        return {
          subject: { kind: 'card_attempt', id },
          detail: { reason, amountCentavos },
          said: sentence(done(formatMoney(amountCentavos)), { amountCentavos }),
        };
      },
  });
}

async function known(db: Parameters<typeof findAttempt>[0], id: string) {
  const found = await findAttempt(db, id);
  if (found === undefined) throw new RefusedChange('attempt_unknown', { id });
  return found;
}
