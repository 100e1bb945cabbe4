import type { StaffRole } from '@aparta/domain/staff-rights';

export const ROLE_WORDS: Readonly<Record<StaffRole, string>> = {
  cashier: 'cajero',
  manager: 'encargado',
  owner: 'dueño',
  accountant: 'contador',
};

/** What staff did, by the name under which it is written down. */
export const ACT_WORDS: Readonly<Record<string, string>> = {
  invite_staff: 'invitó',
  withdraw_invitation: 'retiró la invitación de',
  accept_invitation: 'aceptó su invitación',
  revoke_staff: 'dio de baja',
  close_cut: 'cerró su corte',
  close_day: 'cerró el corte de alguien',
  take_payment: 'cobró',
  reverse_payment: 'reversó',
  change_staff: 'cambió el puesto de',
  end_sessions: 'cerró las sesiones de',
  change_password: 'cambió su password',
  set_pin: 'puso su NIP',
  add_passkey: 'agregó la llave de acceso',
  rename_passkey: 'cambió el nombre de la llave de acceso',
  remove_passkey: 'quitó la llave de acceso',
  demand_passkey: 'pidió llave de acceso a los dueños',
  forgo_passkey: 'dejó de pedir llave de acceso a los dueños',
  enrol_device: 'dio de alta el equipo',
  revoke_device: 'dio de baja el equipo',
  lift_pin_lock: 'desbloqueó el NIP de',
};
