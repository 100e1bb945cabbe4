import { DELIVERY_DAYS } from '@aparta/domain/claims';
import { centavos, formatMoney, zero } from '@aparta/domain/money';
import { MOVE_DAYS } from '@aparta/domain/moving';
import {
  addMerchant,
  editMerchant,
  type MerchantEntry,
  termsOf,
  WHO_COLLECTS,
} from '@aparta/server/catalogue/merchants/save-merchant';
import { type StoredMerchant, listMerchants } from '@aparta/server/catalogue/merchants/read-model';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command, reads } from '../command.ts';
import {
  changedFields,
  collectorsInWords,
  cutOffInWords,
  endInWords,
  feeInWords,
  keptSinceInWords,
  movesInWords,
  planInWords,
} from '../copy.ts';
import {
  collectors,
  count,
  cutOff,
  daysLate,
  feePolicy,
  keptSince,
  percent,
  pesos,
  text,
  whole,
  yesOrNo,
} from '../options.ts';
import { facts, inCamelCase, sentence, table } from '../print.ts';

/** The example price that a plan is explained with. */
const EXAMPLE_PRICE = centavos(300_000);

const required = <O extends object>(option: O) => ({ ...option, demandOption: true }) as const;

const WORDS = {
  company: whole('Número de su empresa'),
  businessName: text('Razón social'),
  tradeName: text('Nombre comercial, el que ve el comprador'),
  deposit: percent('Apartado, en por ciento del precio'),
  frequency: whole('Días entre pagos'),
  duration: whole('Días del apartado al último pago'),
} as const;

const MORE = {
  penalty: pesos('Penalización por cancelar, en pesos'),
  fee: feePolicy('Comisión por pago: none, card:15.00, card,till:12.50 o all:15.00'),
  rfc: text('RFC'),
  contact: text('Persona de contacto'),
  phone: text('Teléfono'),
  email: text('Correo'),
  address: text('Dirección'),
  hours: text('Horario, como lo lee el comprador: lunes a sábado, 10:00 a 20:00'),
  invoicingBusiness: text('Su uuid en FacturaGreen'),
  invoiceCutOff: cutOff(
    'Hasta cuándo se puede pedir factura: días después de que termina el mes del pago, o none (siempre). Acortarlo vale para lo que se cobre desde ahora',
  ),
  keepsSince: keptSince(
    'Desde cuándo se guarda una pieza de lo que se cuenta: deposit (al pagar el apartado) o reservation (al hacer la referencia)',
  ),
  signature: yesOrNo('Si quien recoge firma en la pantalla: yes o no'),
  endDaysLate: daysLate(
    'Días vencido a los que una compra termina sola, después de dos avisos por correo: de 30 a 365, o none (nunca). Vale para lo que se aparte desde ahora',
  ),
  movesAllowed: count(
    'Cuántas veces puede quien compra cambiar una fecha de su plan o partir un pago: de 0 (nunca, si no se dice) a 12. Vale desde ahora para toda compra',
  ),
  moveDays: whole('Cuántos días más tarde, a lo más, en cada cambio: de 1 a 60; 15 si no se dice'),
  deliveryDays: whole(
    'Días para entregar, desde el pago que liquida la compra. Después, el comprador puede reclamar; 15 si no se dice',
  ),
  collects: collectors(
    'Quién recibe lo cobrado en cajas y tiendas: till=merchant,cash=operator. Vale para lo que se cobre desde ahora',
  ),
} as const;

interface Typed {
  readonly company?: number | undefined;
  readonly businessName?: string | undefined;
  readonly tradeName?: string | undefined;
  readonly deposit?: number | undefined;
  readonly frequency?: number | undefined;
  readonly duration?: number | undefined;
  readonly penalty?: MerchantEntry['penaltyCentavos'] | undefined;
  readonly fee?: MerchantEntry['serviceFee'] | undefined;
  readonly rfc?: string | undefined;
  readonly contact?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
  readonly address?: string | undefined;
  readonly hours?: string | undefined;
  readonly invoicingBusiness?: string | undefined;
  readonly invoiceCutOff?: number | null | undefined;
  readonly keepsSince?: boolean | undefined;
  readonly signature?: boolean | undefined;
  readonly deliveryDays?: number | undefined;
  readonly endDaysLate?: number | null | undefined;
  readonly movesAllowed?: number | undefined;
  readonly moveDays?: number | undefined;
  readonly collects?: Partial<Pick<MerchantEntry, 'tillCollectedBy' | 'cashCollectedBy'>> | undefined;
}

export const merchantCommands: readonly Command[] = [
  changes({
    name: 'merchant add',
    says: 'Agrega un comercio con su plan',
    options: {
      company: required(WORDS.company),
      businessName: required(WORDS.businessName),
      tradeName: required(WORDS.tradeName),
      deposit: required(WORDS.deposit),
      frequency: required(WORDS.frequency),
      duration: required(WORDS.duration),
      ...MORE,
    },
    examples: [
      [
        'merchant add --company 1 --business-name "Muebles del Valle SA de CV" --trade-name "Muebles del Valle" --deposit 20 --frequency 30 --duration 60 --penalty 200',
        '20 % de apartado y un pago cada 30 días por 60 días',
      ],
    ],
    run:
      ({ settings }, typed) =>
      async (tx) => {
        const entry: MerchantEntry = {
          penaltyCentavos: zero,
          serviceFee: settings.serviceFee,
          rfc: '',
          contact: '',
          phone: '',
          email: '',
          address: '',
          hours: '',
          invoicingBusinessUuid: '',
          ...WHO_COLLECTS,
          invoiceCutOffDays: null,
          holdsReferences: false,
          wantsSignature: false,
          deliveryDays: DELIVERY_DAYS.usual,
          endDaysLate: null,
          movesAllowed: 0,
          moveDays: MOVE_DAYS.usual,
          companyId: typed.company,
          businessName: typed.businessName,
          tradeName: typed.tradeName,
          depositBasisPoints: typed.deposit,
          frequencyDays: typed.frequency,
          planDurationDays: typed.duration,
          ...entered(typed),
        };
        const id = await addMerchant(tx, entry);
        const said = `Comercio ${id}: ${entry.tradeName}.\nPlan: ${planOf(entry)}\nComisión: ${feeInWords(entry.serviceFee)}.`;
        return { subject: { kind: 'merchant', id }, detail: { after: entry }, said: sentence(said, { id }) };
      },
  }),
  reads({
    name: 'merchant list',
    says: 'Lista los comercios',
    examples: [['merchant list', 'Todos, con su plan']],
    async run({ db }) {
      return table(
        await listMerchants(db),
        [
          ['COMERCIO', ({ id }) => id],
          ['NOMBRE', ({ trade_name }) => trade_name],
          ['EMPRESA', ({ company }) => company],
          ['APARTADO', ({ deposit_basis_points }) => `${deposit_basis_points / 100} %`],
          ['CADA', ({ frequency_days }) => `${frequency_days} días`],
          ['EN', ({ plan_duration_days }) => `${plan_duration_days} días`],
          ['PRODUCTOS', ({ products }) => products],
          ['TARJETA', ({ card_key }) => (card_key === null ? 'no' : 'sí')],
        ],
        { none: 'No hay comercios: agregue uno con merchant add.' },
      );
    },
  }),
  reads({
    name: 'merchant show',
    says: 'Muestra un comercio',
    positionals: { merchant: whole('Número del comercio') },
    examples: [['merchant show 1', 'Sus datos, su plan en palabras y su comisión']],
    async run({ db }, { merchant: id }) {
      const [merchant] = await listMerchants(db, id);
      if (merchant === undefined) throw new RefusedChange('merchant_unknown', { id });
      return facts(
        [
          ['Comercio', `${id}: ${merchant.trade_name}`],
          ['Razón social', merchant.business_name],
          ['Empresa', `${merchant.company_id}: ${merchant.company}`],
          ['RFC', merchant.rfc],
          ['Contacto', merchant.contact],
          ['Teléfono', merchant.phone],
          ['Correo', merchant.email],
          ['Dirección', merchant.address],
          ['Horario', merchant.hours],
          ['Plan', planOf(termsOfRow(merchant))],
          ['Penalización', formatMoney(merchant.penalty_centavos)],
          [
            'Comisión',
            feeInWords({
              amountCentavos: merchant.service_fee_centavos,
              methods: merchant.service_fee_methods,
            }),
          ],
          [
            'Quién recibe',
            collectorsInWords({
              tillCollectedBy: merchant.till_collected_by,
              cashCollectedBy: merchant.cash_collected_by,
            }),
          ],
          ['Plazo para facturar', cutOffInWords(merchant.invoice_cut_off_days)],
          ['Guarda la pieza', keptSinceInWords(merchant.holds_references)],
          ['Fin por atraso', endInWords(merchant.end_days_late)],
          [
            'Cambios de fecha',
            movesInWords({ movesAllowed: merchant.moves_allowed, moveDays: merchant.move_days }),
          ],
          ['Plazo para entregar', `${merchant.delivery_promise_days} días desde el último pago`],
          ['Firma al recoger', merchant.wants_signature ? 'sí' : 'no'],
          ['FacturaGreen', merchant.invoicing_business_uuid || 'sin configurar'],
          ['Productos', `${merchant.products} a la venta`],
          ['Tarjeta', merchant.card_key ?? 'sin clave: no cobra con tarjeta'],
        ],
        inCamelCase(merchant),
      );
    },
  }),
  changes({
    name: 'merchant edit',
    says: 'Cambia los datos o el plan de un comercio; lo ya apartado sigue como estaba',
    positionals: { merchant: whole('Número del comercio') },
    options: { ...WORDS, ...MORE },
    examples: [
      ['merchant edit 1 --deposit 25 --dry-run', 'Muestra cómo quedaría su plan'],
      ['merchant edit 1 --fee card,till:12.50', 'Cambia su comisión'],
      ['merchant edit 1 --invoice-cut-off 5', 'Se puede pedir factura hasta el día 5 del mes siguiente'],
      ['merchant edit 1 --end-days-late 60', 'Lo que se aparte desde ahora termina solo con 60 días vencido'],
      ['merchant edit 1 --moves-allowed 2 --move-days 15', 'Quien compra cambia dos fechas, hasta 15 días'],
      ['merchant edit 1 --collects till=operator', 'Desde ahora lo de las cajas lo recibe el operador'],
    ],
    run:
      (_given, { merchant: id, ...typed }) =>
      async (tx) => {
        const { before, after, now } = await editMerchant(tx, id, entered(typed));
        const was = { ...now, ...before };
        const lines = [
          `Comercio ${id}: ${changedFields(after)}.`,
          ...spec('Plan', planOf(was), planOf(now)),
          ...spec('Comisión', feeInWords(was.serviceFee), feeInWords(now.serviceFee)),
          ...spec('Quién recibe', collectorsInWords(was), collectorsInWords(now)),
          ...spec(
            'Plazo para facturar',
            cutOffInWords(was.invoiceCutOffDays),
            cutOffInWords(now.invoiceCutOffDays),
          ),
          ...spec('Plazo para entregar', `${was.deliveryDays} días`, `${now.deliveryDays} días`),
          ...spec('Fin por atraso', endInWords(was.endDaysLate), endInWords(now.endDaysLate)),
          ...spec('Cambios de fecha', movesInWords(was), movesInWords(now)),
          ...spec(
            'Guarda la pieza',
            keptSinceInWords(was.holdsReferences),
            keptSinceInWords(now.holdsReferences),
          ),
        ];
        return {
          subject: { kind: 'merchant', id },
          detail: { before, after },
          said: sentence(lines.join('\n'), { id, before, after }),
        };
      },
  }),
];

function entered(typed: Typed): Partial<MerchantEntry> {
  const given = {
    companyId: typed.company,
    businessName: typed.businessName,
    tradeName: typed.tradeName,
    depositBasisPoints: typed.deposit,
    frequencyDays: typed.frequency,
    planDurationDays: typed.duration,
    penaltyCentavos: typed.penalty,
    serviceFee: typed.fee,
    rfc: typed.rfc,
    contact: typed.contact,
    phone: typed.phone,
    email: typed.email,
    address: typed.address,
    hours: typed.hours,
    invoicingBusinessUuid: typed.invoicingBusiness,
    invoiceCutOffDays: typed.invoiceCutOff,
    holdsReferences: typed.keepsSince,
    wantsSignature: typed.signature,
    deliveryDays: typed.deliveryDays,
    endDaysLate: typed.endDaysLate,
    movesAllowed: typed.movesAllowed,
    moveDays: typed.moveDays,
    ...typed.collects,
  };
  return Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<MerchantEntry>;
}

type Plan = Parameters<typeof termsOf>[0];

function planOf(plan: Plan): string {
  return planInWords(termsOf(plan, EXAMPLE_PRICE));
}

function termsOfRow(row: StoredMerchant): Plan {
  return {
    depositBasisPoints: row.deposit_basis_points,
    frequencyDays: row.frequency_days,
    planDurationDays: row.plan_duration_days,
  };
}

/** The fields that changed, with their values before and after. */
function spec(name: string, before: string, after: string): string[] {
  return before === after ? [] : [`${name} antes: ${before}`, `${name} ahora: ${after}`];
}
