import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import ProfilePage from './profile-page.tsx';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

const ANDROID = 'Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 Chrome/142.0.0.0 Mobile Safari/537.36';
const here = { id: 3, openedAt: '2026-11-20T16:32:00Z', expiresAt: '2026-11-21T04:32:00Z', device: '' };
const profile = { ...marisol, phone: '2221849037', streetAddress: 'Reforma', numberAddress: '512' };

let read: Answer;
let saved: Answer;
let sessions: Answer;
let emailReply: Answer;
let turned: Answer;
const calls = fakeServer({
  'GET /v1/SecurityBuyer/GetAsync/7': () => read,
  'PUT /v1/SecurityBuyer/Update2Async/7': () => saved,
  'GET /v1/TokenBuyer/Sessions': () => sessions,
  'POST /v1/TokenBuyer/Sessions/4/Close': () => ok(null),
  'GET /v1/Calendar': ok(null),
  'POST /v1/TokenBuyer/KeptSessions/4/Close': () => ok(null),
  'POST /v1/TokenBuyer/Logout': ok(null),
  'PUT /v1/SecurityBuyer/RemindersAsync': () => turned,
  'POST /v1/SecurityBuyer/SendConfirmationAsync': () => emailReply,
});
beforeEach(() => {
  read = saved = ok(profile);
  sessions = ok([{ ...here, isThis: true }]);
  session.open({ ...marisol, token: 't' });
});

function open(at = '/clientEdit') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <ProfilePage fiscal={<p>Lo fiscal</p>} />
    </QueryClientProvider>,
    at,
  );
}
const value = (label: string) => (screen.getByLabelText(label) as HTMLInputElement).value;
const called = (method: string) => calls.filter((call) => call.method === method);
const submit = () => screen.findByRole('button', { name: 'Actualizar información' });

describe('the general tab', () => {
  test('shows what the server has; name and e-mail are for reading', async () => {
    open();
    await submit();
    expect(value('Nombre')).toBe('Marisol');
    expect(value('Correo')).toBe('marisol@correo.mx');
    for (const label of ['Nombre', 'Correo'])
      expect((screen.getByLabelText(label) as HTMLInputElement).readOnly).toBe(true);
    expect([value('Teléfono'), value('Calle'), value('Número'), value('Código postal')]).toEqual([
      '2221849037',
      'Reforma',
      '512',
      '',
    ]);
    expect(screen.queryByRole('button', { name: 'Enviar otra vez' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Cancelar' }).getAttribute('href')).toBe('/home');
  });

  test('says that the e-mail is not confirmed yet, and sends another email', async () => {
    read = ok({ ...profile, emailConfirmed: false });
    emailReply = refuse(429, 'TOO_MANY', {}, { 'Retry-After': '1200' });
    const { user } = open();
    const again = await screen.findByRole('button', { name: 'Enviar otra vez' });
    await user.click(again);
    await screen.findByText(/20 minutos/);
    emailReply = ok(null);
    await user.click(again);
    const sent = await screen.findByText(/Ábrelo en marisol@correo\.mx/);
    expect(sent.closest('[role=alert]')?.textContent).toContain('Te enviamos otro enlace');
    // Its button has gone: who uses a keyboard goes on from here.
    expect(document.activeElement?.contains(sent)).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
    expect(screen.queryByRole('button', { name: 'Enviar otra vez' })).toBeNull();
  });

  test('turns reminders off and on at a touch; what was not saved goes back', async () => {
    turned = ok(null);
    const { user } = open();
    const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /Recordarme mis pagos/ });
    expect((await box()).checked).toBe(true);
    await user.click(await box());
    expect(called('PUT').at(-1)?.body).toEqual({ reminders: false });
    turned = refuse(503, 'UNAVAILABLE');
    await user.click(await box());
    await screen.findByRole('alert');
    expect((await box()).checked).toBe(true);
    expect(document.activeElement).toBe(await box());
    expect(session.user()).toBeDefined();
  });

  test('saves the four fields and no other, says so, and signs out; what was scanned stays', async () => {
    reference.save('1|1|1|0|3000.00|3|600.00|0', true);
    const { user } = open();
    const button = await submit();
    await user.type(screen.getByLabelText('Código postal'), ' 72000 ');
    await user.clear(screen.getByLabelText('Calle'));
    await user.click(button);
    const alert = await screen.findByRole('alertdialog', { name: 'Actualización exitosa!' });
    expect(alert.textContent).toContain('tu información ha sido actualizada!');
    expect(session.user()).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    expect(session.user()).toBeUndefined();
    expect(reference.current()).toBe('1|1|1|0|3000.00|3|600.00|0');
    expect(called('PUT').map(({ body }) => body)).toEqual([
      { phone: '2221849037', streetAddress: '', numberAddress: '512', postalCodeAddress: '72000' },
    ]);
    expect(called('POST').map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/v1/TokenBuyer/Logout', 'Bearer t'],
    ]);
  });

  test('a save that fails says why, keeps what was typed, and can be tried again', async () => {
    saved = refuse(503, 'UNAVAILABLE');
    const { user } = open();
    const button = await submit();
    await user.type(screen.getByLabelText('Número'), ' B');
    await user.click(button);
    expect((await screen.findByRole('alert')).textContent).toContain('no está disponible');
    expect(value('Número')).toBe('512 B');
    expect(session.user()).toBeDefined();
    saved = ok(profile);
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    await screen.findByRole('alertdialog', { name: 'Actualización exitosa!' });
    expect(called('PUT')).toHaveLength(2);
  });

  test('a field that the server refuses is marked and has the focus', async () => {
    saved = refuse(422, 'INVALID_INPUT', { fields: { phone: 'max_length' } });
    const { user } = open();
    await user.click(await submit());
    await screen.findByRole('alert');
    expect(screen.getByLabelText('Teléfono').getAttribute('aria-invalid')).toBe('true');
    await expect.poll(() => document.activeElement).toBe(screen.getByLabelText('Teléfono'));
  });

  test('that cannot be loaded offers to try again', async () => {
    read = 'no network';
    const { user } = open();
    expect((await screen.findByText('No pudimos cargar tu información')).textContent).toBeTruthy();
    read = ok(profile);
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    await submit();
  });
});

describe('the tabs', () => {
  test('lead to the fiscal part and back, by hand and by arrow key', async () => {
    const { user, here: address } = open();
    await submit();
    await user.click(screen.getByRole('tab', { name: 'Información fiscal' }));
    expect(screen.getByRole('tabpanel', { name: 'Información fiscal' }).textContent).toBe('Lo fiscal');
    expect(address()).toBe('/clientEdit?parte=fiscal');
    await user.keyboard('{ArrowLeft}');
    expect(document.activeElement).toBe(screen.getByRole('tab', { name: 'Información general' }));
    expect(await submit()).toBeTruthy();
    expect(address()).toBe('/clientEdit');
  });

  test('an address with the fiscal part opens it', () => {
    open('/clientEdit?parte=fiscal');
    expect(screen.getByRole('tab', { selected: true }).textContent).toBe('Información fiscal');
  });
});

describe('where the account is open', () => {
  test('says each device, and closes another one', async () => {
    const phone = { ...here, id: 4, device: ANDROID, isThis: false };
    sessions = ok([phone, { ...here, isThis: true }]);
    const { user } = open();
    const section = await screen.findByRole('region', { name: 'Dispositivos con sesión abierta' });
    expect(await within(section).findByText('Chrome en Android')).toBeTruthy();
    expect(within(section).getByText('Este dispositivo')).toBeTruthy();
    expect(within(section).getAllByText(/Desde el 20 nov 2026/)).toHaveLength(2);
    const buttons = within(section).getAllByRole('button');
    expect(buttons).toHaveLength(1);
    sessions = ok([{ ...here, isThis: true }]);
    await user.click(buttons[0]!);
    await expect.poll(() => within(section).queryByText('Chrome en Android')).toBeNull();
    expect(called('POST').map(({ path }) => path)).toEqual(['/v1/TokenBuyer/Sessions/4/Close']);
  });

  test('says which stays signed in, and closes that one with all its tabs', async () => {
    const phone = { ...here, id: 4, device: ANDROID, isThis: false, isKept: true };
    sessions = ok([phone, { ...here, isThis: true, isKept: true }]);
    const { user } = open();
    const section = await screen.findByRole('region', { name: 'Dispositivos con sesión abierta' });
    expect(await within(section).findByText('Se mantiene abierta ahí.')).toBeTruthy();
    expect(within(section).getByText(/^Se mantiene en este teléfono/)).toBeTruthy();
    await user.click(within(section).getByRole('button'));
    await expect
      .poll(() => called('POST').map(({ path }) => path))
      .toEqual(['/v1/TokenBuyer/KeptSessions/4/Close']);
  });
});
