import { DEMO_STAFF } from '@aparta/server/back-office/readiness/demo-left.read-model';
import type { StaffRole } from '@aparta/domain/staff-rights';

/** The branches of the first merchant, and who works there. All sign in with the demo's password. */
export const BRANCHES = [
  {
    name: 'Centro',
    address: 'Av. Juárez 1204, Centro, Puebla',
    hours: 'lunes a sábado, 10:00 a 20:00 h',
    phone: '2225550101',
  },
  {
    name: 'Angelópolis',
    address: 'Blvd. del Niño Poblano 2510, Puebla',
    hours: 'todos los días, 11:00 a 21:00 h',
    phone: '2225550102',
  },
] as const;

export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly role: StaffRole;
  /** For shared devices; owners have one of their own. */
  readonly pin?: string;
  /** Names of branches; none for whoever works in all of them. */
  readonly branches: readonly (typeof BRANCHES)[number]['name'][];
}

const [OWNER, MANAGER, CASHIER] = DEMO_STAFF;

export const STAFF: readonly DemoPerson[] = [
  { email: OWNER, name: 'Rosa Méndez', role: 'owner', branches: [] },
  { email: MANAGER, name: 'Hugo Vera', role: 'manager', pin: '402719', branches: ['Centro', 'Angelópolis'] },
  { email: CASHIER, name: 'Laura Pérez', role: 'cashier', pin: '583164', branches: ['Centro'] },
];
