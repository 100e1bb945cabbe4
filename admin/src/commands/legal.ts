import { formatMoment } from '@aparta/domain/calendar';
import { blanksIn, publishText } from '@aparta/server/accounts/legal/publish-text';
import { readText } from '@aparta/server/accounts/legal/read-text';
import { listTexts } from '@aparta/server/accounts/legal/store';
import { RefusedChange } from '@aparta/server/platform/refused-change';
import { changes, type Command, reads } from '../command.ts';
import { LEGAL_KINDS } from '../copy.ts';
import { file, text } from '../options.ts';
import { inCamelCase, sentence, table } from '../print.ts';

const kind = {
  choices: ['terms', 'privacy'],
  describe: 'terms: términos; privacy: aviso de privacidad',
} as const;

export const legalCommands: readonly Command[] = [
  changes({
    name: 'legal publish',
    says: 'Pone en vigor un texto. Los anteriores se guardan: dicen a qué dijo que sí cada quien',
    positionals: { kind, file: file('Archivo de texto en UTF-8') },
    options: { version: { ...text('Cómo se llama esta versión, por ejemplo 2026-11'), demandOption: true } },
    examples: [
      ['legal publish terms terminos.txt --version 2026-11', 'Los compradores nuevos aceptan este texto'],
    ],
    run:
      (_given, { kind: which, file: { bytes }, version }) =>
      async (tx) => {
        const body = bytes.toString('utf8');
        const published = await publishText(tx, { kind: which, version, body });
        if (published.kind === 'refused') {
          const blanks = blanksIn(body).join('\n  ');
          throw new RefusedChange(`legal_${published.problem}`, { version, blanks });
        }
        const { id, isNew } = published;
        return {
          subject: { kind: 'legal_text', id },
          detail: { kind: which, version, isNew },
          said: sentence(
            isNew
              ? `En vigor: ${LEGAL_KINDS[which]}, versión ${version}.`
              : `Ya estaba publicado, palabra por palabra: ${LEGAL_KINDS[which]}, versión ${version}.`,
            { id, isNew },
          ),
        };
      },
  }),
  reads({
    name: 'legal list',
    says: 'Lista los textos publicados, del más nuevo al más viejo',
    examples: [['legal list', 'Con su versión y su huella']],
    async run({ db }) {
      const texts = await listTexts(db);
      return table(
        texts.map((row) => ({ ...row, sha256: row.sha256.toString('hex') })),
        [
          ['TEXTO', (row) => LEGAL_KINDS[row.kind]],
          ['VERSIÓN', ({ version }) => version],
          ['PUBLICADO', ({ published_at }) => formatMoment(published_at)],
          ['SHA-256', ({ sha256 }) => sha256.slice(0, 16)],
          ['', ({ is_template }) => (is_template ? 'ejemplo' : '')],
        ],
        { none: 'No hay textos publicados: use legal publish.' },
      );
    },
  }),
  reads({
    name: 'legal show',
    says: 'Muestra el texto en vigor',
    positionals: { kind },
    examples: [['legal show terms', 'El que aceptan hoy los compradores']],
    async run({ db }, { kind: which }) {
      const { sha256, ...row } = await readText(db, which);
      return { text: row.body, json: { ...inCamelCase(row), sha256: sha256.toString('hex') } };
    },
  }),
];
