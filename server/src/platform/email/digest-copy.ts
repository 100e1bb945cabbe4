import { type DateOnly, formatDate } from '@aparta/domain/calendar';
import { formatDifference } from '@aparta/domain/cut';
import { type Centavos, sum } from '@aparta/domain/money';
import { methodWords } from '@aparta/domain/shop-copy';
import type { CounterMethod } from '@aparta/domain/shop-lists';

import { type Block, button, mxn, note, paragraph, type Row, type Words } from './email-body.ts';
import type { Place } from './links.ts';

/** Which owner's email of which morning. */
export interface DigestOf {
  readonly positionId: string;
  readonly merchantId: number;
  readonly day: DateOnly;
}

interface Figure {
  readonly amountCentavos: Centavos;
  readonly count: number;
}

/** How a shop stands in the morning: what came in on the day before, and what asks for somebody today. */
export interface ShopDigest {
  readonly day: DateOnly;
  readonly tradeName: string;
  readonly collected: readonly (Figure & {
    readonly method: CounterMethod;
    /** Taken back on that day of what was paid on earlier ones. */
    readonly withdrawnCentavos: Centavos;
  })[];
  readonly newPurchases: number;
  readonly paidOff: number;
  readonly cancelled: number;
  readonly expiring: Figure;
  readonly refunds: Figure;
  readonly overdue: Figure;
  /** Purchases whose buyers claim them. */
  readonly claims: Figure;
  /** Late plans that end by their rule in 14 days or less, their buyers warned, the earliest first. */
  readonly ending: readonly { readonly purchaseId: number; readonly endsOn: DateOnly }[];
  readonly uncut: readonly {
    readonly name: string;
    readonly branch: string;
    readonly days: number;
    /** Below zero where more was given back than was taken. */
    readonly amountCentavos: number;
  }[];
}

/** Plans that are named, of those that end. */
const MOST_ENDING = 5;

const days = (count: number) => (count === 1 ? '1 día' : `${count} días`);

/** The words of an owner's email of the morning. */
export function digestEmail(digest: ShopDigest, { product, links, unsubscribeLink }: Place): Words {
  const { day, tradeName, collected, newPurchases, paidOff, cancelled, expiring, refunds, overdue, uncut } =
    digest;
  const { claims, ending } = digest;
  const figure = (label: string, { count, amountCentavos }: Figure): Row[] =>
    count === 0 ? [] : [{ label, value: `${count} · ${mxn(amountCentavos)}` }];
  return {
    subject: `${tradeName}: tu tienda al ${formatDate(day)}`,
    heading: `Así va ${tradeName}`,
    blocks: [
      {
        kind: 'amount',
        label: 'Cobrado ayer',
        amount: net(collected),
      },
      ...table('Ayer', [
        ...collected.map((each) => ({
          label: methodWords[each.method],
          value: `${each.count} · ${net([each])}`,
        })),
        ...withdrawnRow(collected),
        ...(newPurchases > 0 ? [{ label: 'Compras nuevas', value: String(newPurchases) }] : []),
        ...(paidOff > 0 ? [{ label: 'Compras liquidadas', value: String(paidOff) }] : []),
        ...(cancelled > 0 ? [{ label: 'Compras canceladas', value: String(cancelled) }] : []),
      ]),
      ...table('Para hoy', [
        ...figure('Reclamos abiertos', claims),
        ...figure('Apartados que vencen hoy', expiring),
        ...figure('Devoluciones por entregar en caja', refunds),
        ...figure('Abonos vencidos', overdue),
        ...ending.slice(0, MOST_ENDING).map(({ purchaseId, endsOn }) => ({
          label: `La compra ${purchaseId} termina por atraso`,
          value: `el ${formatDate(endsOn)}`,
        })),
        ...(ending.length > MOST_ENDING
          ? [{ label: 'Otras que terminan por atraso', value: String(ending.length - MOST_ENDING) }]
          : []),
        ...uncut.map(({ name, branch, days: since, amountCentavos }) => ({
          label: `Caja de ${name}, ${branch}`,
          value: `${formatDifference(amountCentavos)} MXN sin corte desde hace ${days(since)}`,
        })),
      ]),
      button('Ver mi tienda hoy', links.staffToday),
      paragraph('Este resumen llega una vez al día, desde las 8:00, y solo cuando hay algo que contar.'),
      note('Se apaga y se enciende en «Mi cuenta», solo para ti.'),
    ],
    why: `Te escribimos porque diriges ${tradeName} en ${product}. Nunca te pedimos tu contraseña por correo.`,
    off: { label: 'Dejar de recibirlo', link: unsubscribeLink ?? links.staffAccount },
  };
}

type Collected = Pick<ShopDigest['collected'][number], 'amountCentavos' | 'withdrawnCentavos'>;

/** Below zero where more was taken back than came in. */
function net(collected: readonly Collected[]): string {
  const centavos = collected.reduce((all, each) => all + each.amountCentavos - each.withdrawnCentavos, 0);
  return `${formatDifference(centavos)} MXN`;
}

function withdrawnRow(collected: readonly Collected[]): Row[] {
  const withdrawn = sum(collected.map(({ withdrawnCentavos }) => withdrawnCentavos));
  return withdrawn === 0
    ? []
    : [{ label: 'Ya descontado: pagos de antes, revertidos', value: mxn(withdrawn) }];
}

function table(title: string, rows: readonly Row[]): Block[] {
  return rows.length === 0 ? [] : [{ kind: 'rows', title, rows }];
}
