import { decideEmail, retryEmails } from '@aparta/server/platform/email/decide-email';
import { changes, type Command } from '../command.ts';
import { day, whole } from '../options.ts';
import { sentence } from '../print.ts';
import { PAYMENTS as says } from './payments-copy.ts';

const email = whole('Número del correo');

export const emailCommands: readonly Command[] = [
  changes({
    name: 'email retry',
    says: 'Vuelve a enviar un correo que el servidor de correo no aceptó',
    positionals: { email },
    examples: [['email retry 512', 'Cuando el correo ya funciona']],
    run:
      (_, { email: id }) =>
      async (tx) => {
        await decideEmail(tx, id, 'retry');
        return { subject: { kind: 'email', id }, detail: {}, said: sentence(says.emailGoes, { id }) };
      },
  }),
  changes({
    name: 'email retry-all',
    says: 'Vuelve a enviar todos los que no salieron, después de que el servidor de correo estuvo caído',
    positionals: { since: day('Escritos desde qué día, AAAA-MM-DD, hora del centro de México') },
    examples: [['email retry-all 2026-11-20', 'El correo estuvo caído desde ese día']],
    run:
      (_, { since }) =>
      async (tx) => {
        const emails = await retryEmails(tx, since);
        return {
          subject: { kind: 'email', id: since },
          detail: { emails },
          said: sentence(says.emailsGo(emails), { since, emails }),
        };
      },
  }),
  changes({
    name: 'email drop',
    says: 'Deja de esperar un correo que no se puede entregar, como el de una dirección que no existe',
    positionals: { email },
    examples: [['email drop 512', 'Ya no se envía']],
    run:
      (_, { email: id }) =>
      async (tx) => {
        await decideEmail(tx, id, 'drop');
        return { subject: { kind: 'email', id }, detail: {}, said: sentence(says.emailDropped, { id }) };
      },
  }),
];
