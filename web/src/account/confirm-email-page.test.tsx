import { show } from '@aparta/ui/testing/show.tsx';
import { screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Router } from 'wouter';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { emailConfirmation } from '../session/email-confirmation.ts';
import { session } from '../session/session.ts';
import ConfirmEmailPage from './confirm-email-page.tsx';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

describe('the link of a welcome email', () => {
  let answer: Answer = ok(null);
  const calls = fakeServer({ 'POST /v1/SecurityBuyer/ConfirmEmailAsync': () => answer });

  test('confirms the e-mail once and leads on; its code is gone from the tab', async () => {
    answer = ok(null);
    emailConfirmation.save('s3cret');
    const { here, user } = show(<ConfirmEmailPage />, '/confirmarCorreo');
    await screen.findByRole('heading', { name: '¡Tu correo está confirmado!' });
    expect(calls.map(({ body }) => body)).toEqual([{ code: 's3cret' }]);
    expect(emailConfirmation.code()).toBeUndefined();
    await user.click(screen.getByRole('link', { name: 'Entrar' }));
    expect(here()).toBe('/login');
  });

  test('says in a browser without scripts that nothing was confirmed, and what to do', () => {
    const page = renderToString(
      <Router ssrPath="/confirmarCorreo">
        <ConfirmEmailPage />
      </Router>,
    );
    expect(/<noscript>(.*?)<\/noscript>/.exec(page)?.[1]).toBe(
      '<p>Aún no está confirmado: activa JavaScript en tu navegador y abre otra vez el enlace.</p>',
    );
  });

  test('that has expired says so, and leads a signed-in buyer to where they can request another', async () => {
    answer = refuse(422, 'CONFIRMATION_DEAD');
    emailConfirmation.save('viejo');
    session.open({ ...marisol, token: 't' });
    show(<ConfirmEmailPage />, '/confirmarCorreo');
    await screen.findByRole('heading', { name: 'Este enlace ya no sirve' });
    expect(screen.getByRole('link', { name: 'Ir a mi perfil' }).getAttribute('href')).toBe('/clientEdit');
    session.close();
  });

  test('opened without its code is over, and asks nothing', async () => {
    show(<ConfirmEmailPage />, '/confirmarCorreo');
    await screen.findByRole('heading', { name: 'Este enlace ya no sirve' });
    expect(calls).toEqual([]);
  });

  test('can be tried again when there was no network', async () => {
    answer = 'no network';
    emailConfirmation.save('s3cret');
    const { user } = show(<ConfirmEmailPage />, '/confirmarCorreo');
    const again = await screen.findByRole('button', { name: 'Reintentar' });
    answer = ok(null);
    await user.click(again);
    await screen.findByRole('heading', { name: '¡Tu correo está confirmado!' });
    expect(calls.at(-1)?.body).toEqual({ code: 's3cret' });
  });
});
