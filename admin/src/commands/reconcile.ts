import { mexicoCityDate } from '@aparta/domain/calendar';
import { readCashFile } from '@aparta/server/payments/cash/cash-file';
import { compareCashDay } from '@aparta/server/payments/cash/compare-day';
import {
  compareDay,
  type DayDifference,
  readDayFile,
  writeDayFile,
} from '@aparta/server/payments/tills/day-file';
import { isChain } from '@aparta/server/payments/tills/read-model';
import { listDay } from '@aparta/server/payments/tills/store';
import type { Db } from '@aparta/server/platform/db/db';
import { decodeText } from '@aparta/server/platform/file-rows';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command, reads } from '../command.ts';
import { day, file, outFile, text } from '../options.ts';
import { withFiles } from '../out-files.ts';
import { around, type Said, sentence, table } from '../print.ts';
import { UnreadableTable } from '../unreadable-table.ts';
import { BOOKS as says, DIFFERENCES } from './books-copy.ts';

const chain = text('La cadena, como la manda en «compañía»');
const needed = <O extends object>(option: O) => ({ ...option, demandOption: true }) as const;
const theirDay = needed(day('Qué día, AAAA-MM-DD, hora del centro de México'));

/** A day's file of a chain or of Tapi, compared with our own records. */
export const reconcileCommands: readonly Command[] = [
  reads({
    name: 'till day',
    says: 'El archivo de un día de una cadena: lo que sus cajas cobraron y revirtieron',
    positionals: { chain },
    options: {
      day: day('Qué día, AAAA-MM-DD; si no, hoy'),
      out: outFile('Archivo CSV; si no, se muestra'),
    },
    examples: [['till day CAJA-DEMO --day 2026-11-20 --out dia.csv', 'Para mandarlo a la cadena']],
    async run({ db }, { chain: name, day: on = mexicoCityDate(new Date()), out }) {
      const operations = await listDay(db, await knownChain(db, name), on);
      const written = writeDayFile(operations);
      if (out === undefined) return { text: written.trimEnd(), json: operations };
      await withFiles((draft) => draft(out, written));
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
      const ours = await listDay(db, await knownChain(db, name), on);
      const theirs = readDayFile(decodeText(given.bytes).text);
      if ('problems' in theirs) throw new UnreadableTable(given.path, theirs.problems);
      return differences(compareDay(ours, theirs.operations), says.same(name, on, ours.length));
    },
  }),
  changes({
    name: 'cash compare',
    says: 'Compara la lista de un día de la red de tiendas con sus avisos, y pregunta a la red por lo que falte. Termina con 1 si algo es distinto',
    options: {
      day: theirDay,
      file: needed(
        file('El CSV de la red: operacion, importe y, si lo dice, estado (confirmada, revertida)'),
      ),
    },
    examples: [
      ['cash compare --day 2026-11-20 --file red.csv', 'Cada día, el anterior, por su hora de pago'],
    ],
    run: (_, { day: on, file: given }) => {
      const theirs = readCashFile(decodeText(given.bytes).text);
      if ('problems' in theirs) throw new UnreadableTable(given.path, theirs.problems);
      return async (tx) => {
        const { operations, differences: found, polled } = await compareCashDay(tx, on, theirs.operations);
        const said = differences(found, says.same(says.network, on, operations));
        return {
          subject: { kind: 'cash_day', id: on },
          detail: { operations, theirs: theirs.operations.length, differences: found.length, polled },
          said: polled === 0 ? said : around(said, (shown) => `${shown}\n${says.asked(polled)}`),
        };
      };
    },
  }),
];

/** A name that no till ever had would compare as a day without operations. */
async function knownChain(db: Db, name: string): Promise<string> {
  if (!(await isChain(db, name))) throw new RefusedChange('chain_unknown', { chain: name });
  return name;
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
