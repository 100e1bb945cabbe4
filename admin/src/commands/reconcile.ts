import fs from 'node:fs';
import { mexicoCityDate } from '@aparta/domain/calendar';
import { type CashFileOperation, readCashFile } from '@aparta/server/payments/cash/cash-file';
import { listCashDay } from '@aparta/server/payments/cash/read-model';
import {
  compareDay,
  type DayDifference,
  type DayOperation,
  readDayFile,
  writeDayFile,
} from '@aparta/server/payments/tills/day-file';
import { listDay } from '@aparta/server/payments/tills/store';
import { type Command, reads } from '../command.ts';
import { day, file, text } from '../options.ts';
import { type Said, sentence, table } from '../print.ts';
import { BOOKS as says, DIFFERENCES } from './books-copy.ts';

const chain = text('La cadena, como la manda en «compañía»');
const needed = <O extends object>(option: O) => ({ ...option, demandOption: true }) as const;
const theirDay = needed(day('Qué día, AAAA-MM-DD, hora del centro de México'));

/** What chains and the network say of a day, beside our own books. */
export const reconcileCommands: readonly Command[] = [
  reads({
    name: 'till day',
    says: 'El archivo de un día de una cadena: lo que sus cajas cobraron y revirtieron',
    positionals: { chain },
    options: {
      day: day('Qué día, AAAA-MM-DD; si no, hoy'),
      out: text('Archivo CSV; si no, se muestra'),
    },
    examples: [['till day CAJA-DEMO --day 2026-11-20 --out dia.csv', 'Para mandarlo a la cadena']],
    async run({ db }, { chain: name, day: on = mexicoCityDate(new Date()), out }) {
      const operations = await listDay(db, name, on);
      const written = writeDayFile(operations);
      if (out === undefined) return { text: written.trimEnd(), json: operations };
      fs.writeFileSync(out, written);
      return sentence(says.dayWritten(operations.length, name, on, out), operations);
    },
  }),
  reads({
    name: 'till compare',
    says: 'Compara el archivo de un día de una cadena con nuestros libros. Termina con 1 si algo es distinto',
    positionals: { chain },
    options: { day: theirDay, file: needed(file('El CSV de la cadena')) },
    examples: [['till compare CAJA-DEMO --day 2026-11-20 --file suyo.csv', 'Con las columnas de till day']],
    async run({ db }, { chain: name, day: on, file: given }) {
      const ours = await listDay(db, name, on);
      const theirs = readDayFile(given.bytes.toString('utf8'));
      if ('problems' in theirs) return unreadable(given.path, theirs.problems);
      return differences(compareDay(ours, theirs.operations), says.same(name, on, ours.length));
    },
  }),
  reads({
    name: 'cash compare',
    says: 'Compara la lista de un día de la red de tiendas con sus avisos. Termina con 1 si algo es distinto',
    options: {
      day: theirDay,
      file: needed(
        file('El CSV de la red: operacion, importe y, si lo dice, estado (confirmada, revertida)'),
      ),
    },
    examples: [['cash compare --day 2026-11-20 --file red.csv', 'El día es el del pago en la tienda']],
    async run({ db }, { day: on, file: given }) {
      const ours = await listCashDay(db, on);
      const theirs = readCashFile(given.bytes.toString('utf8'));
      if ('problems' in theirs) return unreadable(given.path, theirs.problems);
      const found = compareDay(ours.map(asOperation), theirs.operations.map(asOperation));
      return differences(found, says.same(says.network, on, ours.length));
    },
  }),
];

/** The network has one book for all its stores: an operation's number is all there is to find it by. */
function asOperation({ operationId, amountCentavos, isReversed }: CashFileOperation): DayOperation {
  return {
    branch: '',
    transactionId: operationId,
    reference: '',
    amountCentavos,
    authorisation: '',
    isReversed,
    at: '',
  };
}

function differences(found: readonly DayDifference[], none: string): Said {
  const said = table(
    found,
    [
      ['SUCURSAL', ({ branch }) => branch],
      ['OPERACIÓN', ({ transactionId }) => transactionId],
      ['DIFERENCIA', ({ difference }) => DIFFERENCES[difference]],
      ['NOSOTROS', ({ ours }) => ours],
      ['ELLOS', ({ theirs }) => theirs],
    ],
    { none },
  );
  return found.length === 0 ? said : { ...said, exitCode: 1 };
}

function unreadable(
  path: string,
  problems: readonly { line: number; column: string | undefined; found: string }[],
): Said {
  const lines = problems.map(({ line, column, found }) =>
    column === undefined ? says.badTable(found) : says.badCell(line, column, found),
  );
  return { text: [says.unreadable(path), ...lines].join('\n  '), json: { problems }, exitCode: 1 };
}
