import { formatMoment } from '@aparta/domain/calendar';
import { STAFF_ROLES, type StaffRole } from '@aparta/domain/staff-rights';
import { addBranch, closeBranch } from '@aparta/server/accounts/branches/save-branch';
import { listAllBranches } from '@aparta/server/accounts/branches/store';
import { listInvitations } from '@aparta/server/accounts/staff/invitation-store';
import { inviteByOperator, revokeByOperator } from '@aparta/server/accounts/staff/save-staff';
import { forgetPasskeysByOperator, setRuleByOperator } from '@aparta/server/accounts/passkeys/manage';
import { listPositionsAt } from '@aparta/server/accounts/staff/read-model';
import { listStaffActs } from '@aparta/server/accounts/staff/store';
import { changes, type Command, reads } from '../command.ts';
import { ACT_WORDS, ROLE_WORDS } from './staff-copy.ts';
import { numbers, text, whole } from '../options.ts';
import { sentence, table } from '../print.ts';

const merchant = whole('Número del comercio');

export const branchCommands: readonly Command[] = [
  changes({
    name: 'branch add',
    says: 'Abre una sucursal de un comercio. Con la primera el comercio puede cobrar en su mostrador',
    positionals: { merchant },
    options: {
      name: { ...text('Nombre, como lo lee el cliente'), demandOption: true },
      address: text('Domicilio'),
      hours: text('Horario'),
      phone: text('Teléfono'),
      chain: text('El compañia con que llaman sus propias cajas, si tiene'),
      branch: text('El sucursal con que llaman, si tiene'),
    },
    examples: [['branch add 1 --name "Sucursal Centro" --address "Juárez 5"', 'Su número se usa al invitar']],
    run:
      (_given, { merchant: merchantId, name, address = '', hours = '', phone = '', chain, branch }) =>
      async (tx) => {
        const tills =
          chain === undefined && branch === undefined
            ? undefined
            : { chain: chain ?? '', branch: branch ?? '' };
        const id = await addBranch(tx, { merchantId, name, address, hours, phone, tills });
        return {
          subject: { kind: 'branch', id },
          detail: { merchantId, name, address, hours, phone, ...tills },
          said: sentence(`Sucursal ${id} del comercio ${merchantId}: ${name}.`, { id, merchantId, name }),
        };
      },
  }),
  reads({
    name: 'branch list',
    says: 'Lista las sucursales, también las cerradas',
    options: { merchant },
    examples: [['branch list --merchant 1', 'Las del comercio 1']],
    async run({ db }, { merchant: merchantId }) {
      return table(
        await listAllBranches(db, merchantId),
        [
          ['NÚMERO', ({ id }) => id],
          ['COMERCIO', ({ merchant_id }) => merchant_id],
          ['NOMBRE', ({ name }) => name],
          ['DOMICILIO', ({ address }) => address],
          ['CAJAS', ({ till_chain, till_branch }) => [till_chain, till_branch].filter(Boolean).join(' ')],
          ['CERRADA', ({ closed_at }) => (closed_at === null ? '' : formatMoment(closed_at))],
        ],
        { none: 'No hay ninguna.' },
      );
    },
  }),
  changes({
    name: 'branch close',
    says: 'Cierra una sucursal: nadie cobra más en ella. Lo cobrado se queda',
    positionals: { branch: whole('Número de la sucursal') },
    examples: [['branch close 3', 'Vale desde la siguiente llamada']],
    run:
      (_given, { branch }) =>
      async (tx) => {
        const { merchantId, name } = await closeBranch(tx, branch);
        return {
          subject: { kind: 'branch', id: branch },
          detail: { merchantId, name },
          said: sentence(`Sucursal ${branch}, ${name}: cerrada.`, { id: branch, merchantId }),
        };
      },
  }),
];

export const staffCommands: readonly Command[] = [
  changes({
    name: 'staff invite',
    says: 'Invita a una persona a un comercio y muestra su enlace una vez: a su primer dueño, o a quien sea',
    positionals: { merchant, email: text('Correo de la persona') },
    options: {
      name: { ...text('Nombre de la persona'), demandOption: true },
      role: {
        type: 'string',
        requiresArg: true,
        choices: STAFF_ROLES,
        default: 'owner',
        describe: 'Dueño, encargado, cajero o contador',
      },
      branches: numbers('Sucursales de un cajero o encargado, separadas por comas'),
    },
    examples: [
      ['staff invite 1 rosa@example.mx --name "Rosa Luna"', 'Como dueña; ella invita a los demás'],
      ['staff invite 1 luis@example.mx --name Luis --role cashier --branches 3', 'Cobra en la sucursal 3'],
    ],
    run:
      ({ settings, rehearses }, { merchant: merchantId, email, name, role, branches: branchIds = [] }) =>
      async (tx) => {
        const given = { merchantId, email, name, role: role as StaffRole, branchIds };
        const { link, expiresAt } = await inviteByOperator(tx, settings.publicOrigin, given);
        const shown = rehearses ? '(se hace y se muestra al hacerlo de verdad)' : link;
        return {
          subject: { kind: 'staff', id: email },
          detail: { merchantId, name, role, branchIds },
          said: sentence(
            `${name} queda invitado al comercio ${merchantId} como ${ROLE_WORDS[given.role]}.\n  enlace: ${shown}\n` +
              `Se muestra solo ahora, sirve una vez y hasta el ${formatMoment(expiresAt)}.`,
            { email, merchantId, role, ...(rehearses ? {} : { link }) },
          ),
        };
      },
  }),
  reads({
    name: 'staff list',
    says: 'Lista quién trabaja en un comercio y quién está invitado',
    positionals: { merchant },
    examples: [['staff list 1', 'Con su puesto y sus sucursales']],
    async run({ db }, { merchant: merchantId }) {
      const positions = await listPositionsAt(db, merchantId);
      const invited = await listInvitations(db, merchantId);
      return table(
        [
          ...positions.map((row) => ({ ...row, until: undefined })),
          ...invited.map(({ expiresAt, ...row }) => ({
            ...row,
            branches: [],
            since: undefined,
            until: expiresAt,
          })),
        ],
        [
          ['NOMBRE', ({ name }) => name],
          ['CORREO', ({ email }) => email],
          ['PUESTO', ({ role }) => ROLE_WORDS[role]],
          ['SUCURSALES', ({ branches }) => branches.map((each) => each.name).join(', ')],
          ['DESDE', ({ since }) => (since === undefined ? '' : formatMoment(since))],
          ['INVITADO HASTA', ({ until }) => (until === undefined ? '' : formatMoment(until))],
        ],
        { none: 'Nadie.' },
      );
    },
  }),
  changes({
    name: 'staff revoke',
    says: 'Quita a una persona de un comercio, o retira su invitación: sale en su siguiente llamada',
    positionals: { merchant, email: text('Correo de la persona') },
    examples: [['staff revoke 1 luis@example.mx', 'Lo que cobró se queda']],
    run:
      (_given, { merchant: merchantId, email }) =>
      async (tx) => {
        await revokeByOperator(tx, merchantId, email);
        return {
          subject: { kind: 'staff', id: email },
          detail: { merchantId },
          said: sentence(`${email}: ya no trabaja en el comercio ${merchantId}.`, { email, merchantId }),
        };
      },
  }),
  changes({
    name: 'staff passkey-rule',
    says: 'Pide llave de acceso a los dueños de un comercio, o deja de pedirla. Vale desde su siguiente llamada',
    positionals: {
      merchant,
      rule: { type: 'string', choices: ['on', 'off'], demandOption: true, describe: 'Pedirla, o no' },
    },
    examples: [['staff passkey-rule 1 off', 'Los dueños entran otra vez solo con su contraseña']],
    run:
      (_given, { merchant: merchantId, rule }) =>
      async (tx) => {
        const isOn = rule === 'on';
        await setRuleByOperator(tx, merchantId, isOn);
        return {
          subject: { kind: 'merchant', id: merchantId },
          detail: { ownersNeedPasskey: isOn },
          said: sentence(
            `Comercio ${merchantId}: a los dueños ${isOn ? 'se les pide' : 'ya no se les pide'} llave de acceso.`,
            { merchantId, ownersNeedPasskey: isOn },
          ),
        };
      },
  }),
  changes({
    name: 'staff forget-passkeys',
    says: 'Olvida las llaves de acceso de quien las perdió: entra con su contraseña y agrega otra',
    positionals: { merchant, email: text('Correo de la persona') },
    examples: [['staff forget-passkeys 1 rosa@example.mx', 'Antes, asegúrese de que es ella quien lo pide']],
    run:
      (_given, { merchant: merchantId, email }) =>
      async (tx) => {
        const forgotten = await forgetPasskeysByOperator(tx, merchantId, email);
        return {
          subject: { kind: 'staff', id: email },
          detail: { merchantId, forgotten },
          said: sentence(`${email}: ${forgotten} llaves olvidadas, con las sesiones que abrieron.`, {
            email,
            forgotten,
          }),
        };
      },
  }),
  reads({
    name: 'staff acts',
    says: 'Qué hizo la gente de un comercio, con sucursal y hora, lo último primero',
    positionals: { merchant },
    options: { limit: { ...whole('Cuántos renglones; 50 si no se dice'), default: 50 } },
    examples: [['staff acts 1', 'Cobros, reversas, invitaciones y bajas']],
    async run({ db }, { merchant: merchantId, limit }) {
      return table(
        await listStaffActs(db, merchantId, limit),
        [
          ['CUÁNDO', ({ at }) => formatMoment(at)],
          ['QUIÉN', ({ name, email }) => `${name} <${email}>`],
          ['PUESTO', ({ role }) => ROLE_WORDS[role]],
          ['SUCURSAL', ({ branch }) => branch ?? ''],
          ['EQUIPO', ({ device }) => device ?? ''],
          ['QUÉ', ({ act }) => ACT_WORDS[act] ?? act],
          ['DE', ({ subject }) => subject],
        ],
        { none: 'Nada todavía.' },
      );
    },
  }),
];
