import { formatMoment } from '@aparta/domain/calendar';
import {
  addServiceAccount,
  type ServiceAccountName,
  assignTill,
  newServiceAccountSecret,
  placeServiceAccount,
  revokeServiceAccount,
  rotateServiceAccount,
} from '@aparta/server/accounts/service-accounts/save-service-account';
import { createPasswords } from '@aparta/server/accounts/credentials/passwords';
import {
  type StoredServiceAccount,
  listServiceAccounts,
} from '@aparta/server/accounts/service-accounts/store';
import { changes, type Command, reads } from '../command.ts';
import { addresses, numbers, text, untilDay, whole } from '../options.ts';
import { type Said, sentence, table } from '../print.ts';

/** A new secret and its hash. Made before the transaction, since hashing is slow. */
async function makeSecret(): Promise<{ secret: string; secretHash: string }> {
  const secret = newServiceAccountSecret();
  return { secret, secretHash: await createPasswords().hash(secret) };
}

/** Prints a new secret with its account. A rehearsal's secret opens nothing, so it is not shown. */
function withSecret(
  { user, secret, rehearses }: { user: string; secret: string; rehearses: boolean },
  what: string,
  facts: object,
  after = '',
): Said {
  const shown = rehearses
    ? `  usuario: ${user}\n  clave:   (se hace y se muestra al hacerlo de verdad)`
    : `  usuario: ${user}\n  clave:   ${secret}\nLa clave se muestra solo ahora: guárdela o entréguela ya.`;
  return sentence([what, shown, ...(after === '' ? [] : [after])].join('\n'), {
    user,
    ...(rehearses ? {} : { secret }),
    ...facts,
  });
}

/** The commands that both kinds of accounts have; `whose` says in a list where an account belongs. */
function commandsOf(
  kind: ServiceAccountName['kind'],
  words: {
    one: string;
    many: string;
    whose: readonly (readonly [string, (row: StoredServiceAccount) => string | number | null])[];
  },
): Command[] {
  const positionals = { user: text('Usuario de la cuenta') };
  return [
    reads({
      name: `${kind} list`,
      says: `Lista ${words.many}`,
      examples: [[`${kind} list`, 'También las revocadas']],
      async run({ db }) {
        return table(
          await listServiceAccounts(db, kind),
          [
            ['USUARIO', ({ user_name }) => user_name],
            ...words.whose,
            ['DESDE', ({ created_at }) => formatMoment(created_at)],
            [
              'CLAVE ANTERIOR',
              ({ previous_until }) =>
                previous_until !== null && previous_until > new Date()
                  ? `vigente hasta ${formatMoment(previous_until)}`
                  : '',
            ],
            ['DIRECCIONES', ({ addresses }) => addresses.join(' ')],
            ['REVOCADA', ({ revoked_at }) => (revoked_at === null ? '' : formatMoment(revoked_at))],
          ],
          { none: 'No hay ninguna.' },
        );
      },
    }),
    changes({
      name: `${kind} rotate`,
      says: `Da otra clave a ${words.one}. Sin --until la anterior y sus sesiones terminan ahora`,
      positionals,
      options: { until: untilDay('Hasta qué día sirve también la anterior, AAAA-MM-DD') },
      examples: [
        [`${kind} rotate ${kind}-1`, 'La anterior deja de servir ahora: para una clave perdida'],
        [`${kind} rotate ${kind}-1 --until 2026-12-31`, 'Las dos sirven hasta ese día'],
      ],
      async run({ rehearses }, { user, until }) {
        const { secret, secretHash } = await makeSecret();
        return async (tx) => {
          const id = await rotateServiceAccount(tx, { kind, userName: user }, { secretHash, until });
          const before =
            until === undefined
              ? 'La clave anterior ya no sirve y sus sesiones terminaron.'
              : `La clave anterior está vigente hasta ${formatMoment(until)}.`;
          return {
            subject: { kind, id: user },
            detail: { serviceAccountId: id, until: until ?? null },
            said: withSecret({ user, secret, rehearses }, 'Clave nueva.', { until: until ?? null }, before),
          };
        };
      },
    }),
    changes({
      name: `${kind} edit`,
      says: `Dice desde qué direcciones llama ${words.one}. Desde otra, su clave no abre nada y suena una alarma`,
      positionals,
      options: {
        addresses: {
          ...addresses('Direcciones y redes separadas por comas; none: desde todas'),
          demandOption: true,
        },
      },
      examples: [
        [`${kind} edit ${kind}-1 --addresses 198.51.100.7,192.0.2.0/24`, 'Vale desde su siguiente llamada'],
        [`${kind} edit ${kind}-1 --addresses none`, 'Desde todas, como al crearla'],
      ],
      run:
        (_given, { user, addresses }) =>
        async (tx) => {
          const id = await placeServiceAccount(tx, { kind, userName: user }, addresses);
          const from = addresses.length === 0 ? 'cualquier dirección' : addresses.join(', ');
          return {
            subject: { kind, id: user },
            detail: { serviceAccountId: id, addresses },
            said: sentence(`${user}: llama desde ${from}.`, { user, addresses }),
          };
        },
    }),
    changes({
      name: `${kind} revoke`,
      says: `Revoca ${words.one}: no entra más y sus sesiones terminan ahora. No se deshace`,
      positionals,
      examples: [[`${kind} revoke ${kind}-1`, 'Lo que cobró se queda']],
      run:
        (_given, { user }) =>
        async (tx) => {
          const id = await revokeServiceAccount(tx, { kind, userName: user });
          return {
            subject: { kind, id: user },
            detail: { serviceAccountId: id },
            said: sentence(`${user}: revocada. No entra más.`, { user }),
          };
        },
    }),
  ];
}

const user = text('Usuario con que entra');

function collectsFor(merchantIds: readonly number[]): string {
  return merchantIds.length === 0 ? 'No cobra para nadie.' : `Cobra para: ${merchantIds.join(', ')}.`;
}

export const tillCommands: readonly Command[] = [
  changes({
    name: 'till add',
    says: 'Crea la cuenta de las cajas de una cadena y muestra su clave una vez',
    positionals: { user },
    options: {
      chain: { ...text('La cadena: el compañia de sus llamadas'), demandOption: true },
      merchants: {
        ...numbers('Números de los comercios para los que cobra, separados por comas'),
        demandOption: true,
      },
    },
    examples: [['till add cajas-norte --chain NORTE --merchants 1,2', 'Sus cajas entran como cajas-norte']],
    async run({ rehearses }, { user, chain, merchants: merchantIds }) {
      const { secret, secretHash } = await makeSecret();
      return async (tx) => {
        const id = await addServiceAccount(tx, {
          kind: 'till',
          userName: user,
          secretHash,
          chain,
          merchantIds,
        });
        return {
          subject: { kind: 'till', id: user },
          detail: { serviceAccountId: id, chain, merchantIds },
          said: withSecret(
            { user, secret, rehearses },
            `Cuenta de cajas de ${chain}. ${collectsFor(merchantIds)}`,
            {
              chain,
              merchantIds,
            },
          ),
        };
      };
    },
  }),
  changes({
    name: 'till assign',
    says: 'Dice para qué comercios cobran unas cajas. La referencia de otro no existe para ellas',
    positionals: { user },
    options: {
      merchants: { ...numbers('Números separados por comas; none: para ninguno'), demandOption: true },
    },
    examples: [['till assign cajas-norte --merchants 1,2', 'Vale desde su siguiente llamada']],
    run:
      (_given, { user, merchants: merchantIds }) =>
      async (tx) => {
        const id = await assignTill(tx, user, merchantIds);
        return {
          subject: { kind: 'till', id: user },
          detail: { serviceAccountId: id, merchantIds },
          said: sentence(`${user}: ${collectsFor(merchantIds)}`, { user, merchantIds }),
        };
      },
  }),
  ...commandsOf('till', {
    one: 'la cuenta de unas cajas',
    many: 'las cuentas de cajas',
    whose: [
      ['CADENA', ({ chain }) => chain],
      ['COMERCIOS', ({ collects_for }) => collects_for.join(' ')],
    ],
  }),
];

export const integratorCommands: readonly Command[] = [
  changes({
    name: 'integrator add',
    says: 'Crea la cuenta del sistema de un comercio, que lee sus pagos, y muestra su clave una vez',
    positionals: { user },
    options: { merchant: { ...whole('Número del comercio'), demandOption: true } },
    examples: [['integrator add erp-valle --merchant 1', 'Lee los pagos del comercio 1']],
    async run({ rehearses }, { user, merchant }) {
      const { secret, secretHash } = await makeSecret();
      return async (tx) => {
        const serviceAccount = {
          kind: 'integrator',
          userName: user,
          secretHash,
          merchantId: merchant,
        } as const;
        const id = await addServiceAccount(tx, serviceAccount);
        return {
          subject: { kind: 'integrator', id: user },
          detail: { serviceAccountId: id, merchantId: merchant },
          said: withSecret({ user, secret, rehearses }, `Cuenta del comercio ${merchant}.`, { merchant }),
        };
      };
    },
  }),
  ...commandsOf('integrator', {
    one: 'la cuenta de un sistema',
    many: 'las cuentas de sistemas',
    whose: [['COMERCIO', ({ merchant_id }) => merchant_id]],
  }),
];
