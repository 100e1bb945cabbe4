import { decideLetter } from '@aparta/server/platform/email/decide-letter';
import { changes, type Command } from '../command.ts';
import { whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

const letter = whole('Número del correo');

export const letterCommands: readonly Command[] = [
  changes({
    name: 'letter retry',
    says: 'Vuelve a enviar un correo que el servidor de correo no aceptó',
    positionals: { letter },
    examples: [['letter retry 512', 'Cuando el correo ya funciona']],
    run:
      (_, { letter: id }) =>
      async (tx) => {
        await decideLetter(tx, id, 'retry');
        return { subject: { kind: 'letter', id }, detail: {}, said: sentence(says.letterGoes, { id }) };
      },
  }),
  changes({
    name: 'letter drop',
    says: 'Deja de esperar un correo que no se puede entregar, como el de una dirección que no existe',
    positionals: { letter },
    examples: [['letter drop 512', 'Ya no se envía']],
    run:
      (_, { letter: id }) =>
      async (tx) => {
        await decideLetter(tx, id, 'drop');
        return { subject: { kind: 'letter', id }, detail: {}, said: sentence(says.letterDropped, { id }) };
      },
  }),
];
