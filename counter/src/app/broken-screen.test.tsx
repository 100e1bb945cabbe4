import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fakeServer, luisAtCounter } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import { App } from './routes.tsx';

vi.mock('../till/find-page.tsx', () => ({
  default: () => {
    throw new Error('it did not come');
  },
}));
fakeServer({});

test('a cashier whose screen does not come reads that nothing is taken without internet, and not what a buyer reads', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  session.open(luisAtCounter);
  show(<App />, '/mostrador/');
  expect(await screen.findByText(/Sin internet no se cobra/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Salir' })).toBeTruthy();
  expect(screen.queryByText(/Lo que ya pagaste/)).toBeNull();
});
