import { resealWebhookSecrets } from '@aparta/server/back-office/webhooks/secrets';
import { formatMoment } from '@aparta/domain/calendar';
import {
  checkCardKeys,
  type KeyCheck,
  resealCardKeys,
  setCardKeys,
} from '@aparta/server/payments/card-keys/save-card-keys';
import { listCredentials } from '@aparta/server/payments/card-keys/read-model';
import { resealPickupCodes } from '@aparta/server/purchases/hand-over/pickup-code';
import { changes, type Command, reads } from '../command.ts';
import { text, whole } from '../options.ts';
import { sentence, table } from '../print.ts';
import { progress, readSecrets } from '../terminal.ts';

const merchant = whole('Número del comercio');

const CHECKED: Readonly<Record<KeyCheck['kind'], string>> = {
  works: 'la clave sirve: Clip contestó.',
  none: 'no tiene clave: póngala con key set.',
  test: 'es una clave de prueba: en producción no cobra dinero. Ponga la de verdad con key set.',
  opens_not: 'la clave guardada no se abre: en SECRETS_KEY falta la llave con que se guardó, o se cambió.',
  refused:
    'Clip no acepta la clave. Revise que la pública y la secreta sean del mismo par y sigan vigentes en su panel, y póngalas otra vez con key set.',
  unreachable:
    'no se llegó a Clip. Revise la red de este servidor y CLIP_API_BASE. La clave puede estar bien.',
  in_trouble: 'Clip contestó con un error suyo. Pruebe más tarde. La clave puede estar bien.',
};

export const keyCommands: readonly Command[] = [
  changes({
    name: 'key set',
    says: 'Guarda, cifrada, la clave de un comercio. Se lee de la entrada estándar: la pública y luego la secreta, una por línea',
    positionals: { merchant, provider: { choices: ['clip'], describe: 'Proveedor' } },
    options: { public: text('La clave pública; entonces se lee solo la secreta') },
    examples: [
      ['key set 1 clip < clave.txt', 'Del archivo: primera línea la pública, segunda la secreta'],
      ['key set 1 clip --public a1b2c3', 'Pide la secreta sin mostrarla'],
    ],
    async run({ settings, terminal }, { merchant: id, public: given }) {
      const secrets =
        given === undefined
          ? await readSecrets(terminal, ['Clave pública', 'Clave secreta'])
          : [given, ...(await readSecrets(terminal, ['Clave secreta']))];
      const [publicKey = '', secret = ''] = secrets;
      const deps = { keyRing: settings.keyRing, allowTestKeys: !settings.production };
      return async (tx) => {
        const { retired } = await setCardKeys(deps, tx, id, { publicKey, secret });
        const before =
          retired === undefined
            ? ''
            : `\nLa anterior (${retired}) ya no cobra; lo que empezó con ella se termina y se devuelve con ella.`;
        return {
          subject: { kind: 'merchant', id },
          detail: { provider: 'clip', publicKey, retired: retired ?? null },
          said: sentence(
            `Comercio ${id}: cobra con la clave ${publicKey}.${before}\nCompruébela: npm run admin -- key check ${id}`,
            { publicKey, retired: retired ?? null },
          ),
        };
      };
    },
  }),
  reads({
    name: 'key check',
    says: 'Pregunta a Clip si la clave de un comercio sirve. No cobra ni cambia nada',
    positionals: { merchant },
    examples: [['key check 1', 'Dice si sirve y, si no, qué pasa']],
    async run({ parts }, { merchant: id }) {
      const check = await checkCardKeys(parts.engine, id, new Date());
      const why = 'why' in check ? ` (${check.why})` : '';
      const said = sentence(`Comercio ${id}: ${CHECKED[check.kind]}${why}`, { merchantId: id, ...check });
      return check.kind === 'works' ? said : { ...said, exitCode: 1 };
    },
  }),
  reads({
    name: 'key list',
    says: 'Lista las claves públicas, también las retiradas',
    examples: [['key list', 'De todos los comercios; nunca las secretas']],
    async run({ db }) {
      return table(
        await listCredentials(db),
        [
          ['COMERCIO', ({ merchant_id }) => merchant_id],
          ['NOMBRE', (pair) => pair.merchant],
          ['CLAVE PÚBLICA', ({ public_key }) => public_key],
          ['DESDE', ({ created_at }) => formatMoment(created_at)],
          ['RETIRADA', ({ retired_at }) => (retired_at === null ? '' : formatMoment(retired_at))],
          ['LLAVE', ({ secret_key_id }) => secret_key_id],
        ],
        { none: 'No hay claves: ponga una con key set.' },
      );
    },
  }),
  changes({
    name: 'key reencrypt',
    says: 'Cifra con la primera llave de SECRETS_KEY lo que se cifró con las demás, para poder quitarlas',
    examples: [['key reencrypt --dry-run', 'Comprueba que todo se abre']],
    run:
      ({ settings: { keyRing }, terminal }) =>
      async (tx) => {
        const bar = progress(terminal, 'Cifrando');
        const { resealed, kept } = await resealCardKeys(keyRing, tx, bar.step);
        const webhooks = await resealWebhookSecrets(keyRing, tx);
        const pickups = await resealPickupCodes(keyRing, tx);
        bar.end();
        const detail = { resealed, kept, webhooks, pickups: pickups.resealed, unopened: pickups.unopened };
        const unopened =
          pickups.unopened === 0
            ? ''
            : `\n${pickups.unopened} códigos de entrega no se abren con ninguna llave: cada comprador recibirá otro cuando lo vea.`;
        return {
          subject: { kind: 'secrets_key', id: keyRing.current },
          detail,
          said: sentence(
            `Llave ${keyRing.current}: cifrados de nuevo ${resealed} claves de comercios, ${webhooks} secretos de webhooks y ${pickups.resealed} códigos de entrega; ${kept} claves ya lo estaban.${unopened}`,
            detail,
          ),
        };
      },
  }),
];
