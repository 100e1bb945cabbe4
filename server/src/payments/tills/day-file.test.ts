import { centavos } from '@aparta/domain/money';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { compareDay, type DayOperation, readDayFile, writeDayFile } from './day-file.ts';

const operation = (change: Partial<DayOperation> = {}): DayOperation => ({
  branch: '12',
  transactionId: 'T-1',
  reference: '21234567890',
  amountCentavos: centavos(60_000),
  authorisation: 'ABCDE12345',
  isReversed: false,
  at: '2026-11-20T12:00:00',
  ...change,
});

const kinds = (ours: DayOperation[], theirs: DayOperation[]) =>
  compareDay(ours, theirs).map(({ difference }) => difference);

describe('a chain’s day file', () => {
  test('reads back as it was written, whatever the texts', () => {
    const text = fc.string({ minLength: 1, maxLength: 20 }).map((any) => any.replace(/[\s\0']/g, '_'));
    fc.assert(
      fc.property(
        fc.array(fc.record({ branch: text, transactionId: text, amount: fc.nat(9_999_999) })),
        (given) => {
          const operations = given.map(({ amount, ...rest }, at) =>
            operation({ ...rest, amountCentavos: centavos(amount), isReversed: at % 2 === 1 }),
          );
          expect(readDayFile(writeDayFile(operations))).toEqual({ operations });
        },
      ),
    );
  });

  test('holds no cell that a spreadsheet would run', () => {
    const file = writeDayFile([
      operation({ branch: '=1+1', transactionId: '@cmd', reference: '+52', authorisation: '-1' }),
    ]);
    for (const cell of file.split(/[\r\n,]+/)) expect(cell).not.toMatch(/^["]?[=+\-@]/);
  });

  test('that cannot be read says which line and why', () => {
    const read = readDayFile(
      'sucursal,idtransaccion,referencia,importe,autorizacion,estado,fecha\n1,,2,seis,,pagada,\n',
    );
    expect(read).toEqual({
      problems: [
        { line: 2, column: 'idtransaccion', found: '' },
        { line: 2, column: 'importe', found: 'seis' },
        { line: 2, column: 'estado', found: 'pagada' },
      ],
    });
  });
});

describe('comparing a day', () => {
  test('that is the same on both sides finds nothing', () => {
    expect(kinds([operation()], [operation({ authorisation: '', at: '' })])).toEqual([]);
  });

  test('finds money that only one side knows', () => {
    expect(kinds([operation()], [])).toEqual(['only in our books']);
    expect(kinds([], [operation()])).toEqual(['only in their file']);
    expect(kinds([operation()], [operation(), operation()])).toEqual(['twice in their file']);
  });

  test('finds another amount, another reference, another state', () => {
    expect(kinds([operation()], [operation({ amountCentavos: centavos(60_001) })])).toEqual(['amount']);
    expect(kinds([operation()], [operation({ reference: '31234567890' })])).toEqual(['reference']);
    expect(kinds([operation()], [operation({ isReversed: true })])).toEqual(['state']);
  });

  test('says what each side has, by branch and number', () => {
    const [our, their] = [operation(), operation({ amountCentavos: centavos(70_000), isReversed: true })];
    const of = { branch: '12', transactionId: 'T-1' };
    expect(compareDay([our], [their])).toEqual([
      { ...of, difference: 'amount', ours: '600.00 autorizada', theirs: '700.00 revertida' },
      { ...of, difference: 'state', ours: 'autorizada', theirs: 'revertida' },
    ]);
    const theirs = [operation({ reference: '31234567890' }), operation({ branch: '13', reference: '' })];
    expect(compareDay([our], theirs)).toEqual([
      { ...of, difference: 'reference', ours: '21234567890', theirs: '31234567890' },
      {
        branch: '13',
        transactionId: 'T-1',
        difference: 'only in their file',
        ours: '',
        theirs: '600.00 autorizada',
      },
    ]);
    expect(compareDay([our], [])).toEqual([
      { ...of, difference: 'only in our books', ours: '600.00 autorizada', theirs: '' },
    ]);
  });

  test('asks no reference of a chain that gives none', () => {
    expect(kinds([operation()], [operation({ reference: '' })])).toEqual([]);
  });

  test('takes a number printed in groups for the same', () => {
    expect(kinds([operation({ reference: '2123 4567 890' })], [operation()])).toEqual([]);
  });

  test('lets a chain leave out what was taken and given back the same day', () => {
    expect(kinds([operation({ isReversed: true })], [])).toEqual([]);
  });
});
