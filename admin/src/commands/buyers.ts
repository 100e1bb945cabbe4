import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import { recordAct } from '@aparta/server/platform/audit';
import type { Db, Tx } from '@aparta/server/platform/db/db';
import { transaction } from '@aparta/server/platform/db/transaction';
import { eraseBuyer } from '@aparta/server/back-office/privacy/erase-buyer';
import { forgetHelpersAttempt } from '@aparta/server/back-office/privacy/forget-helper';
import { findBuyerId, readEverything } from '@aparta/server/back-office/privacy/read-model';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { acts, changes, type Command } from '../command.ts';
import { noteErasure, readErasures } from '../erasures.ts';
import { file, outFile, text } from '../options.ts';
import { withFiles } from '../out-files.ts';
import { sentence } from '../print.ts';
import { BUYERS as says } from './buyers-copy.ts';

const buyer = text('Su correo, o su número');

export const buyerCommands: readonly Command[] = [
  acts({
    name: 'buyer export',
    says: 'Escribe en un archivo JSON todo lo que hay de una persona',
    positionals: { buyer },
    options: { out: { ...outFile('Archivo'), demandOption: true } },
    examples: [['buyer export ana@example.mx --out ana.json', 'Para responder a su solicitud de acceso']],
    subject: async ({ db }, { buyer: who }) => ({ kind: 'buyer', id: await idOf(db, who) }),
    async run({ db }, { buyer: who, out }) {
      const everything = await readEverything(db, await idOf(db, who));
      if (everything === undefined) throw new RefusedChange('buyer_unknown', { id: who });
      const json = `${JSON.stringify(everything, null, 2)}\n`;
      await withFiles((draft) => draft(out, json, { private: true }));
      return { detail: {}, said: sentence(says.exported(out), { out }) };
    },
  }),
  changes({
    name: 'buyer erase',
    says: 'Borra a una persona; sus movimientos quedan en los libros sin su nombre',
    positionals: { buyer },
    options: {
      delivered: { type: 'boolean', default: false, describe: 'Sus compras liquidadas ya se le entregaron' },
    },
    examples: [
      ['buyer erase ana@example.mx --dry-run', 'Dice si se puede, sin borrar nada'],
      ['buyer erase ana@example.mx', 'La borra; no se puede deshacer'],
    ],
    async run({ settings, rehearses }, { buyer: who, delivered }) {
      const passwordHash = await nobodysPassword();
      const { erasuresFile, production } = settings;
      if (production && erasuresFile === undefined) throw new RefusedChange('erasures_file_missing');
      return async (tx) => {
        const id = await idOf(tx, who);
        const erasure = await eraseBuyer(tx, id, { passwordHash, delivered });
        if (erasure.kind === 'unknown') throw new RefusedChange('buyer_unknown', { id: who });
        if (erasure.kind === 'tied') {
          const open = Object.entries(says.ties).flatMap(([name, words]) => {
            const ids = erasure.ties[name as keyof typeof says.ties];
            return ids.length === 0 ? [] : [`  ${words}: ${ids.join(', ')}`];
          });
          throw new RefusedChange('buyer_tied', { open: [says.tied, ...open].join('\n') });
        }
        // Before the commit: a name too many on the list harms nobody, one too few comes back.
        if (erasuresFile !== undefined && !rehearses) noteErasure(erasuresFile, { id, delivered });
        return {
          subject: { kind: 'buyer', id },
          detail: { delivered },
          said: sentence(says.erased(id), { id }),
        };
      };
    },
  }),
  acts({
    name: 'buyer erase-again',
    says: 'Tras restaurar un respaldo, borra otra vez a quienes ya se habían borrado',
    positionals: { file: file('La lista, ERASURES_FILE') },
    examples: [['buyer erase-again /var/lib/aparta-backups/erasures', 'Se puede repetir']],
    subject: (_, { file: list }) => ({ kind: 'erasures', id: path.basename(list.path) }),
    async run({ db, act }, { file: list }) {
      const passwordHash = await nobodysPassword();
      const erased: number[] = [];
      const tied: number[] = [];
      const { buyers, attemptIds } = readErasures(list);
      for (const { id, delivered } of buyers) {
        const kind = await transaction(db, async (tx) => {
          const erasure = await eraseBuyer(tx, id, { passwordHash, delivered, again: true });
          if (erasure.kind === 'erased')
            await recordAct(tx, act, { subject: { kind: 'buyer', id }, detail: { delivered } });
          return erasure.kind;
        });
        if (kind === 'erased') erased.push(id);
        if (kind === 'tied') tied.push(id);
      }
      const helps: string[] = [];
      const tiedHelps: string[] = [];
      for (const id of attemptIds) {
        const { kind } = await transaction(db, (tx) => forgetHelpersAttempt(tx, id));
        if (kind === 'forgotten') helps.push(id);
        if (kind === 'tied') tiedHelps.push(id);
      }
      const detail = { erased, tied, helps, tiedHelps };
      const said = sentence(says.erasedAgain(detail), detail);
      const isDone = tied.length + tiedHelps.length === 0;
      return { detail, said: isDone ? said : { ...said, exitCode: 1 } };
    },
  }),
];

/** The hash of a secret that nobody knows. */
function nobodysPassword(): Promise<string> {
  return createPasswords().hash(randomBytes(32).toString('base64'));
}

async function idOf(db: Db | Tx, who: string): Promise<number> {
  const id = /^[1-9]\d{0,14}$/.test(who) ? Number(who) : await findBuyerId(db, who);
  if (id === undefined) throw new RefusedChange('buyer_unknown', { id: who });
  return id;
}
