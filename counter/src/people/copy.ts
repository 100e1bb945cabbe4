import type { StaffRole } from '@aparta/domain/staff-rights';

/** Texts of signing in. */
export const peopleCopy = {
  roles: {
    cashier: 'Cajero',
    manager: 'Encargado',
    owner: 'Dueño',
    accountant: 'Contador',
  } satisfies Record<StaffRole, string>,
  signIn: {
    title: 'Mostrador',
    heading: 'Entra a tu mostrador',
    intro: 'Para quienes cobran, entregan y llevan la tienda.',
    died: 'Tu sesión terminó. Entra otra vez para seguir.',
    email: 'Correo',
    password: 'Contraseña',
    submit: 'Entrar',
    busy: 'Entrando…',
    which: '¿En qué tienda estás hoy?',
    whichText: 'Trabajas en varias. Elige una; para cambiar, sales y entras otra vez.',
    other: 'Entrar con otra cuenta',
  },
} as const;
