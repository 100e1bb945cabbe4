import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import type { Invited } from '../data/people.ts';
import DevicesPage from '../devices/devices-page.tsx';
import { session } from '../session/session.ts';
import { Invitations } from './invitations.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { Passkeys } from './passkeys.tsx';

const AT = '2026-11-20T19:42:00Z';
const id = (n: number) => `0190f1aa-0000-7000-8000-00000000000${n}`;

fakeServer({
  'GET /v1/counter/passkeys': ok(
    ['Mi teléfono', 'Mi computadora'].map((name, n) => ({
      passkeyId: id(n),
      name,
      isSynced: false,
      addedAt: AT,
      usedAt: null,
    })),
  ),
  'GET /v1/counter/sessions': ok(
    ['Azul', 'Rojo'].map((device, n) => ({
      id: `${n}`.repeat(64),
      openedAt: AT,
      expiresAt: AT,
      browser: '',
      device,
      isThis: false,
    })),
  ),
  'GET /v1/counter/devices': ok(
    ['Azul', 'Rojo'].map((name, n) => ({
      id: id(n),
      name,
      branch: { id: 1, name: 'Centro' },
      enrolledAt: AT,
      locked: [{ positionId: id(n + 2), name: 'Eva' }],
    })),
  ),
});
beforeEach(() => session.open(luisAtCounter));

const invited = (email: string): Invited => ({
  email,
  name: 'Eva',
  role: 'cashier',
  expiresAt: AT,
});
const INVITATIONS = [invited('eva@example.mx'), invited('otra@example.mx')];

test.each<[string, ReactNode, (string | RegExp)[]]>([
  ['passkeys', <Passkeys key="" />, ['Cambiar nombre Mi teléfono', 'Quitar Mi computadora']],
  ['sessions', <OwnSessions key="" />, [/^Cerrar Azul\. Desde el 20 nov 2026/]],
  [
    'invitations',
    <Invitations key="" invitations={INVITATIONS} onAnew={() => {}} />,
    ['Invitar de nuevo eva@example.mx', 'Retirar otra@example.mx'],
  ],
  ['devices', <DevicesPage key="" />, ['Desbloquear Eva, Azul', 'Dar de baja Rojo']],
])('no two buttons of a list of %s have the same name', async (_what, list, some) => {
  show(<QueryClientProvider client={new QueryClient()}>{list}</QueryClientProvider>);
  for (const name of some) await screen.findByRole('button', { name });
  const names = screen.getAllByRole('button').map(({ textContent }) => textContent);
  expect(new Set(names).size).toBe(names.length);
});
