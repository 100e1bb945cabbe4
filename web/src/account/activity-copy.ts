import {
  formatDate,
  formatDateLong,
  formatMoment,
  relativeDay,
  type DateOnly,
} from '@aparta/domain/calendar';
import { formatMoney } from '@aparta/domain/money';
import type { Activity } from '../data/activity.ts';
import { deviceName } from './device-name.ts';

/** Texts of what happened in the account. */
export const activityCopy = {
  title: 'Actividad',
  what: 'Lo que pasó en tu cuenta: quién lo hizo y desde qué dispositivo.',
  notYou: '¿Algo no lo hiciste tú?',
  closeSession: 'Cierra esa sesión',
  or: 'y',
  changePassword: 'cambia tu contraseña',
  back: 'Perfil',
  loading: 'Cargando tu actividad',
  failed: 'No pudimos cargar tu actividad',
  retrying: 'Cargando…',
  empty: 'Todavía no hay nada aquí.',
  more: 'Ver más',
  moreFailed: 'No pudimos cargar lo que sigue.',
  kept: 'Las entradas a tu cuenta se guardan 400 días; tus compras y pagos, siempre.',
} as const;

const DAYS = { today: 'Hoy', yesterday: 'Ayer', tomorrow: 'Mañana' } as const;

export function dayName(on: DateOnly, today: DateOnly): string {
  const near = relativeDay(on, today);
  return near === undefined ? formatDateLong(on) : DAYS[near];
}

const sumOf = ({ amount }: Activity) => (amount === undefined ? '' : formatMoney(amount));
const day = (on: DateOnly | null) => (on === null ? '' : formatDate(on));

const ENDED: Readonly<Record<NonNullable<Activity['endedBy']>, string>> = {
  buyer: 'Cancelaste tu compra',
  merchant: 'La tienda terminó tu compra',
  rule: 'Tu compra terminó por la regla de atraso',
  claim: 'Tu compra terminó por tu reclamo',
  reversal: 'Tu compra terminó: se quitó lo que se había pagado',
};
const OPERATED: Readonly<Record<NonNullable<Activity['operated']>, string>> = {
  account: 'Nuestro equipo atendió tu cuenta',
  export: 'Nuestro equipo reunió tus datos',
  claim: 'Nuestro equipo revisó tu reclamo',
  refund: 'Nuestro equipo revisó una devolución',
  payment: 'Nuestro equipo revisó un pago',
  invoice: 'Nuestro equipo revisó una factura',
};

const WHAT: Readonly<Record<Activity['kind'], (of: Activity) => string>> = {
  signed_in: () => 'Entraste a tu cuenta',
  sign_in_failed: () => 'Alguien intentó entrar con otra contraseña',
  signed_out: () => 'Cerraste tu sesión',
  session_closed: () => 'Cerraste la sesión de otro dispositivo',
  password_changed: () => 'Cambiaste tu contraseña',
  profile_changed: () => 'Actualizaste tu información',
  reminders_on: () => 'Encendiste los recordatorios por correo',
  reminders_off: () => 'Apagaste los recordatorios por correo',
  pushes_on: () => 'Encendiste los avisos en este dispositivo',
  pushes_off: () => 'Apagaste los avisos en un dispositivo',
  calendar_made: () => 'Creaste una dirección para tu calendario',
  calendar_ended: () => 'Quitaste la dirección de tu calendario',
  data_exported: () => 'Descargaste tus datos',
  signed_up: () => 'Creaste tu cuenta',
  email_confirmed: () => 'Confirmaste tu correo',
  session_replayed: () => 'Cerramos una sesión que alguien quiso copiar',
  consented: ({ legalKind }) =>
    legalKind === 'privacy' ? 'Aceptaste el aviso de privacidad' : 'Aceptaste los términos y condiciones',
  fiscal_added: () => 'Agregaste datos fiscales',
  fiscal_removed: () => 'Quitaste datos fiscales',
  reserved: (of) => `Apartaste por ${sumOf(of)}`,
  paid: (of) =>
    of.actor === 'helper' ? `${of.personName ?? ''} pagó ${sumOf(of)} por ti` : `Pagaste ${sumOf(of)}`,
  payment_rejected: (of) =>
    of.actor === 'helper'
      ? `Se rechazó una tarjeta de ${of.personName ?? ''}: ${sumOf(of)}`
      : `Se rechazó una tarjeta: ${sumOf(of)}`,
  payment_reversed: (of) => `Se quitó un pago de ${sumOf(of)}`,
  date_moved: ({ number, fromDay, toDay }) =>
    `Moviste el pago ${number} del ${day(fromDay)} al ${day(toDay)}`,
  instalment_split: ({ number, toDay }) => `Partiste en dos el pago ${number}: el resto, el ${day(toDay)}`,
  more_time: ({ toDay }) =>
    toDay === null ? 'La tienda te dio más tiempo' : `La tienda te dio más tiempo, hasta el ${day(toDay)}`,
  purchase_ended: ({ endedBy }) => ENDED[endedBy ?? 'buyer'],
  refunded: (of) =>
    of.personName === null ? `Te devolvieron ${sumOf(of)}` : `Se devolvieron ${sumOf(of)} a ${of.personName}`,
  handed_over: ({ personName }) =>
    personName === null ? 'Te entregaron tu compra' : `Entregaron tu compra a ${personName}`,
  help_link_made: () => 'Creaste un enlace para que te ayuden',
  help_link_ended: ({ actor }) =>
    actor === 'rule'
      ? 'Se cerró un enlace de ayuda: se rechazaron muchas tarjetas'
      : 'Terminaste un enlace de ayuda',
  claim_opened: ({ folio }) => `Reclamaste tu entrega, folio ${folio}`,
  claim_answered: ({ folio }) => `La tienda contestó tu reclamo, folio ${folio}`,
  claim_ended: ({ actor, folio }) =>
    actor === 'buyer' ? `Retiraste tu reclamo, folio ${folio}` : `Terminó tu reclamo, folio ${folio}`,
  invoice_asked: (of) => `Pediste la factura de ${sumOf(of)}`,
  invoice_issued: (of) => `Se emitió tu factura de ${sumOf(of)}`,
  operator_act: ({ operated }) => OPERATED[operated ?? 'account'],
};

/** What happened, in a sentence. */
export const whatOf = (of: Activity): string => WHAT[of.kind](of);

const METHODS: Readonly<Record<NonNullable<Activity['method']>, string>> = {
  card: 'con tarjeta',
  store: 'en tienda',
  till: 'en caja',
  counter_cash: 'en efectivo',
  counter_terminal: 'con terminal',
};

/** When it was, and with what: the hour, the device or how money moved, and the purchase. */
export function aroundOf({ at, device, method, last4, productName, tradeName }: Activity): string {
  return [
    formatMoment(at).slice(-5),
    device === '' ? '' : deviceName(device),
    method === null ? '' : METHODS[method],
    last4 === null ? '' : `•••• ${last4}`,
    productName === '' ? tradeName : `${productName}, de ${tradeName}`,
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
