import {
  type Credited,
  type Resolution,
  resolveInvoice,
  retryInvoice,
} from '@aparta/server/invoicing/invoices/resolve-invoice';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command } from '../command.ts';
import { invoiceLists } from './invoice-lists.ts';
import { text, whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

const invoice = whole('Número de la factura');
const ENDS = ['stamped', 'accepted', 'not-stamped', 'refused', 'cancelled', 'credited'] as const;

export const invoiceCommands: readonly Command[] = [
  ...invoiceLists,
  changes({
    name: 'invoice retry',
    says: 'Sigue ahora con una factura en proceso, sin esperar a su hora',
    positionals: { invoice },
    examples: [['invoice retry 3001', 'Cuando el proveedor ya contesta']],
    run:
      (_, { invoice: id }) =>
      async (tx) => ({ ...(await retryInvoice(tx, id)), said: sentence(says.invoiceGoesOn, { id }) }),
  }),
  changes({
    name: 'invoice resolve',
    says: 'Termina una factura por revisar, según lo que se vio en el panel del proveedor; o anota que el SAT la canceló, o que se le hizo una nota de crédito',
    positionals: { invoice },
    options: {
      is: {
        choices: ENDS,
        demandOption: true,
        describe:
          'stamped: está timbrada (con --provider-uuid y --folio); accepted: lo timbrado está bien; not-stamped: no se timbró, se envía otra vez; refused: no se hará; cancelled: el SAT la canceló; credited: su compra se canceló y el comercio le hizo una nota de crédito',
      },
      'provider-uuid': text('Número en el proveedor'),
      folio: text('Folio fiscal (UUID del SAT)'),
      number: text('Serie y número del comercio'),
      reason: text('Lo que se le dice al comprador, si no se hará'),
      'wrong-folio': {
        type: 'boolean',
        default: false,
        describe: 'Con not-stamped o refused: el folio que se le anotó es de otra factura',
      },
    },
    examples: [
      ['invoice resolve 3001 --is not-stamped', 'Se buscó en el panel y no está'],
      ['invoice resolve 3001 --is stamped --provider-uuid 7f… --folio 9A…', 'Está en el panel'],
      ['invoice resolve 3001 --is cancelled', 'Después de cancelarla ante el SAT'],
      ['invoice resolve 3001 --is credited', 'Después de hacerle una nota de crédito: sigue vigente'],
    ],
    run: (_, args) => {
      const resolution = resolutionOf(args);
      return async (tx) => ({
        ...(await resolveInvoice(tx, args.invoice, resolution)),
        said: sentence(says.invoiceResolved, { id: args.invoice, as: args.is }),
      });
    },
  }),
];

function resolutionOf(args: {
  is: (typeof ENDS)[number];
  'provider-uuid': string | undefined;
  folio: string | undefined;
  number: string | undefined;
  reason: string | undefined;
  'wrong-folio': boolean;
}): Resolution | Credited {
  const { 'wrong-folio': isWrongFolio } = args;
  switch (args.is) {
    case 'stamped': {
      const { 'provider-uuid': providerUuid, folio: fiscalFolio, number: folio = '' } = args;
      if (!providerUuid || !fiscalFolio) throw new RefusedChange('invoice_ids_missing');
      return { as: 'stamped', providerUuid, fiscalFolio, folio };
    }
    case 'not-stamped':
      return { as: 'not_stamped', isWrongFolio };
    case 'refused':
      return { as: 'refused', message: (args.reason ?? '').slice(0, 300), isWrongFolio };
    case 'accepted':
    case 'cancelled':
    case 'credited':
      return { as: args.is };
  }
}
