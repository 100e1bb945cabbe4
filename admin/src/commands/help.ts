import { forgetHelper } from '@aparta/server/back-office/privacy/forget-helper';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command } from '../command.ts';
import { noteForgotten } from '../erasures.ts';
import { text } from '../options.ts';
import { sentence } from '../print.ts';
import { HELPERS as says } from './help-copy.ts';

export const helpCommands: readonly Command[] = [
  changes({
    name: 'help forget',
    says: 'Borra el nombre, el correo y la tarjeta de quien ayudó; lo que dio queda en los libros',
    positionals: { email: text('El correo que dejó al ayudar') },
    options: {},
    examples: [
      ['help forget marta@example.mx --dry-run', 'Dice si se puede, sin borrar nada'],
      ['help forget marta@example.mx', 'No se puede deshacer'],
    ],
    run({ settings, rehearses }, { email }) {
      const { erasuresFile, production } = settings;
      if (production && erasuresFile === undefined) throw new RefusedChange('erasures_file_missing');
      return async (tx) => {
        const forgetting = await forgetHelper(tx, email);
        if (forgetting.kind === 'unknown') throw new RefusedChange('helper_unknown', { email });
        const { attemptIds } = forgetting;
        if (forgetting.kind === 'tied')
          throw new RefusedChange('helper_tied', { payments: attemptIds.join(', ') });
        // Before the commit, as for buyers. Their payments and no address: the list itself names nobody.
        if (erasuresFile !== undefined && !rehearses) noteForgotten(erasuresFile, attemptIds);
        return {
          subject: { kind: 'help', id: attemptIds[0] ?? '' },
          detail: { attemptIds },
          said: sentence(says.forgotten(attemptIds.length), { attemptIds }),
        };
      };
    },
  }),
];
