import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { session } from '../session/session.ts';
import { Passkeys } from './passkeys.tsx';

const ID = '0190f1aa-0000-7000-8000-000000000001';
const PASSKEY = {
  passkeyId: ID,
  name: 'Mi teléfono',
  isSynced: false,
  addedAt: '2026-11-20T19:42:00Z',
  usedAt: null,
};

afterEach(() => {
  session.close();
  vi.unstubAllGlobals();
});

test('an owner whose other shop asks for a passkey is told to sign in with it, and goes on working at this one', async () => {
  session.open({
    token: 't',
    expiresAt: '2026-11-27T19:42:00Z',
    position: {
      positionId: ID,
      formerIds: [],
      name: 'Rosa Luna',
      email: 'rosa@example.mx',
      role: 'accountant',
    },
    merchant: { id: 1, tradeName: 'Muebles del Centro' },
    branches: [],
    isShared: false,
    needsPasskey: false,
  });
  vi.stubGlobal('fetch', (url: string | URL) =>
    Promise.resolve(
      `${url}`.endsWith('/remove')
        ? Response.json(
            { isSuccess: false, code: 'PASSKEY_NEEDED', message: '', data: null },
            { status: 403 },
          )
        : Response.json({ isSuccess: true, message: '', data: [PASSKEY] }),
    ),
  );
  const { user } = show(
    <QueryClientProvider client={new QueryClient()}>
      <Passkeys />
    </QueryClientProvider>,
  );
  await user.click(await screen.findByRole('button', { name: 'Quitar Mi teléfono' }));
  const sure = screen.getByRole('button', { name: 'Quitar «Mi teléfono»' });
  expect(document.activeElement).toBe(sure);
  await user.click(sure);
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('Para esto entra con tu llave de acceso');
  expect(session.current()?.needsPasskey).toBe(false);
});
