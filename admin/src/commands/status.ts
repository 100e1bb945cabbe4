import { formatMoment } from '@aparta/domain/calendar';
import { type Gap, checkReadiness } from '@aparta/server/back-office/readiness/check-readiness';
import { type Command, reads } from '../command.ts';
import { LEGAL_KINDS } from '../copy.ts';
import { alertAct } from './payments-copy.ts';

/** What is missing, and the command that fixes it. */
const GAPS: Readonly<Record<Gap['kind'], string>> = {
  text_missing: 'no se han publicado: {text}. legal publish',
  text_is_template: 'está en vigor el ejemplo: {text}. legal publish',
  no_merchant: 'no hay comercios. company add, merchant add',
  no_product: 'ningún comercio tiene productos. product import',
  no_payment_channel: 'no hay con qué cobrar: ni claves de tarjeta ni cajas. key set, till add',
  test_key: '{merchant}: su clave es de prueba. key set',
  no_till: 'no hay cuentas de cajas. till add',
  no_card_key: '{merchant}: sin clave, no cobra con tarjeta. key set',
  no_products: '{merchant}: sin productos. product import',
  no_address: '{merchant}: sin dirección. merchant edit --address',
  no_phone: '{merchant}: sin teléfono. merchant edit --phone',
  no_rfc: '{merchant}: sin RFC. merchant edit --rfc',
  no_invoicing:
    '{merchant}: sin FacturaGreen, sus compradores no pueden facturar. merchant edit --invoicing-business',
  products_not_invoiced:
    '{merchant}: {count} de sus productos no se pueden facturar, les falta clave_factura. product import',
  no_backup: 'nunca se ha hecho un respaldo. ops/backup.sh',
  backup_is_old: 'el último respaldo tiene más de 26 horas. ops/backup.sh',
};

export const statusCommands: readonly Command[] = [
  reads({
    name: 'status',
    says: 'Dice qué falta para el primer pago. Termina con 1 si algo lo impide',
    examples: [['status', 'Lo que falta, lo que conviene y las alarmas abiertas']],
    async run({ db, settings }) {
      const { gaps, alerts, lastBackupAt, migration } = await checkReadiness(db, settings);
      const stops = gaps.some((gap) => gap.stops);
      const lines = [
        ...gaps
          .toSorted((one, other) => Number(other.stops) - Number(one.stops))
          .map((gap) => `${gap.stops ? 'FALTA' : 'AVISO'}   ${sayGap(gap)}`),
        ...alerts.map(
          ({ kind, subject, times, last_at }) =>
            `ALARMA  ${alertAct(kind, subject).what} (${kind} ${subject}): ${times === 1 ? 'una vez' : `${times} veces`}, ${formatMoment(last_at)}. Sigue: ${alertAct(kind, subject).next}`,
        ),
        `Base de datos al día: ${migration}.`,
        ...(lastBackupAt === null ? [] : [`Último respaldo: ${formatMoment(lastBackupAt)}.`]),
        stops ? 'Todavía no se puede cobrar.' : 'Se puede cobrar.',
      ];
      return {
        text: lines.join('\n'),
        json: { ready: !stops, gaps, alerts, lastBackupAt, migration },
        ...(stops && { exitCode: 1 }),
      };
    },
  }),
];

function sayGap(gap: Gap): string {
  const merchant = 'merchant' in gap ? `comercio ${gap.merchant.id}, ${gap.merchant.name}` : '';
  const text = 'text' in gap ? LEGAL_KINDS[gap.text] : '';
  const count = 'count' in gap ? String(gap.count) : '';
  return GAPS[gap.kind].replace('{merchant}', merchant).replace('{text}', text).replace('{count}', count);
}
