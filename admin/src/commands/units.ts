import { listUnits } from '@aparta/server/catalogue/units/read-model';
import { setUnitsByOperator } from '@aparta/server/catalogue/units/set-units';
import { releaseHoldByOperator } from '@aparta/server/purchases/layaways/release-hold';
import { changes, type Command, reads } from '../command.ts';
import { count, text, whole } from '../options.ts';
import { sentence, table } from '../print.ts';
import { UNITS as says } from './units-copy.ts';

const product = whole('Número del producto');
const reason = { ...text('Por qué, para la bitácora'), demandOption: true } as const;

export const unitCommands: readonly Command[] = [
  reads({
    name: 'unit list',
    says: 'Muestra cuántas unidades de un producto tiene cada sucursal, a la venta y guardadas',
    positionals: { product },
    examples: [['unit list 12', 'Las sucursales que nunca tuvieron no salen']],
    async run({ db }, { product: id }) {
      return table(
        await listUnits(db, [id]),
        [
          ['SUCURSAL', ({ branchId }) => branchId],
          ['NOMBRE', ({ branch }) => branch],
          ['A LA VENTA', ({ free }) => free],
          ['GUARDADAS', ({ held }) => held],
        ],
        { none: says.none },
      );
    },
  }),
  changes({
    name: 'unit set',
    says: 'Corrige cuántas unidades de un producto tiene a la venta una sucursal; lo guardado se queda guardado',
    positionals: { product },
    options: {
      branch: { ...whole('Número de la sucursal'), demandOption: true },
      free: { ...count('Cuántas tiene a la venta, sin las guardadas'), demandOption: true },
      reason,
    },
    examples: [
      ['unit set 12 --branch 1 --free 3 --reason "Contadas por teléfono"', 'Con lo que decía en la bitácora'],
    ],
    run:
      (_given, { product: productId, branch: branchId, free, reason: why }) =>
      async (tx) => {
        const { before } = await setUnitsByOperator(tx, { productId, branchId, free });
        const detail = { branchId, before, after: free, reason: why };
        return {
          subject: { kind: 'product', id: productId },
          detail,
          said: sentence(says.set(before, free), { productId, ...detail }),
        };
      },
  }),
  changes({
    name: 'hold release',
    says: 'Regresa a la venta una unidad que quedó guardada para nadie: su apartado o su compra ya terminó',
    positionals: { reference: text('Número impreso de su apartado; lo dice purchase show') },
    options: { reason },
    examples: [['hold release 11234567894 --reason "books check la marcó"', 'Queda en la bitácora']],
    run:
      (_given, { reference, reason: why }) =>
      async (tx) => {
        const { branch } = await releaseHoldByOperator(tx, reference);
        const detail = { branch, reason: why };
        return {
          subject: { kind: 'hold', id: reference },
          detail,
          said: sentence(says.released(branch), { reference, ...detail }),
        };
      },
  }),
];
