import readExcelFile from 'read-excel-file/node';
import { expect, test } from 'vitest';

import { writeXlsx } from './xlsx.ts';

test('a spreadsheet holds sums as numbers, moments by the clock of Mexico City, and texts that never run', async () => {
  const file = await writeXlsx(
    ['Fecha', 'Día', 'Importe', 'Cliente', 'Compra', 'Nada'],
    [
      [
        new Date('2026-11-23T05:30:00Z'),
        { on: '2026-12-01' as never },
        { centavos: -123_456 },
        '=1+1',
        10004,
        null,
      ],
    ],
  );
  const [sheet] = await readExcelFile(file);
  expect(sheet?.data).toEqual([
    ['Fecha', 'Día', 'Importe', 'Cliente', 'Compra', 'Nada'],
    [new Date('2026-11-22T23:30:00Z'), new Date('2026-12-01T00:00:00Z'), -1234.56, '=1+1', 10004, null],
  ]);
});
