import { Shell } from '@aparta/ui/shell.tsx';
import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { appCopy } from './copy.ts';

function Screen(): never {
  throw new Error('it did not come');
}

test('a cashier whose screen does not come reads that nothing is taken without internet, and not what a buyer reads', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const around = {
    productName: 'Aparta',
    home: '/',
    name: 'Luis',
    logout: appCopy.signOut,
    broken: appCopy.broken,
  };
  show(
    <Shell {...around} entries={[]} onLogout={() => {}}>
      <Screen />
    </Shell>,
  );
  expect(await screen.findByText(/Sin internet no se cobra/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Salir' })).toBeTruthy();
  expect(screen.queryByText(/Lo que ya pagaste/)).toBeNull();
});
