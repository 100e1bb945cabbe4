import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import { InviteSheet } from './invite-sheet.tsx';

const LINK = 'https://tienda.example/mostrador/invitacion#code=x';
fakeServer({ 'POST /v1/counter/invitations': ok({ link: LINK, expiresAt: '2026-12-07T19:42:00Z' }) });
beforeEach(() => session.open(luisAtCounter));

test('a name that is a web address is refused at its field, and the person is invited by their own', async () => {
  const { user } = show(
    <QueryClientProvider client={new QueryClient()}>
      <InviteSheet again={undefined} onClose={() => {}} />
    </QueryClientProvider>,
  );
  const name = screen.getByLabelText('Nombre y apellido');
  await user.type(name, 'www.evil.com');
  await user.type(screen.getByLabelText('Correo'), 'eva@example.mx');
  await user.selectOptions(screen.getByLabelText('Puesto'), 'accountant');
  await user.click(screen.getByRole('button', { name: 'Invitar' }));
  expect(await screen.findByText('Escribe su nombre, sin direcciones de internet.')).toBeTruthy();
  expect(name.getAttribute('aria-invalid')).toBe('true');
  await user.clear(name);
  await user.type(name, 'Eva Sr. Díaz');
  await user.click(screen.getByRole('button', { name: 'Invitar' }));
  expect(await screen.findByDisplayValue(LINK)).toBeTruthy();
});
