import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, test } from 'vitest';
import { fiscalClient } from '../../test/invoice.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import FiscalData from './fiscal-data.tsx';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

let listed: ReturnType<typeof fiscalClient>[];
let list: () => Answer;
let saved: Answer;
/** What the list has after a save, also of one that gets no answer. */
let after: typeof listed | undefined;
let isInUse: boolean;
const calls = fakeServer({
  'GET /v1/ClientSat/GetAllBySecurityBuyerIdAsync/7': () => list(),
  'GET /v1/ClientSat/GetAllBySecurityBuyerIdAsync/8': ok([]),
  'POST /v1/ClientSat/InsertAsync': () => save(),
  'PUT /v1/ClientSat/UpdateAsync/9': () => save(),
  'DELETE /v1/ClientSat/DeleteAsync/9': () => {
    if (isInUse) return refuse(409, 'FISCAL_CLIENT_IN_USE');
    listed = [];
    return ok(null);
  },
});
function save(): Answer {
  listed = after ?? listed;
  return saved;
}
beforeEach(() => {
  listed = [fiscalClient()];
  after = undefined;
  list = () => ok(listed);
  saved = ok(fiscalClient({ id: 12 }));
  isInUse = false;
  session.open({ ...marisol, token: 't' });
});

function open(at = '/clientEdit?parte=fiscal') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <FiscalData />
    </QueryClientProvider>,
    at,
  );
}

/** With the form, which waits for the list above it. */
async function opened(at?: string) {
  const shown = open(at);
  await screen.findByLabelText('RFC', { exact: true });
  return shown;
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const options = (label: string) =>
  [...screen.getByLabelText<HTMLSelectElement>(label).options].map(({ value }) => value);
const sent = (method: string) => calls.filter((call) => call.method === method).map(({ body }) => body);
const add = () => screen.getByRole('button', { name: 'Alta de Facturación' });

test('the table shows name, RFC, regime and e-customer of each fiscal client', async () => {
  open();
  const table = await screen.findByRole('table', { name: 'Tus datos para facturar' });
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((cell) => cell.textContent),
  ).toEqual(['Nombre', 'RFC', 'Régimen', 'E-customer', 'Acciones']);
  const [, row] = within(table).getAllByRole('row');
  expect(row?.textContent).toContain('XOCHILT CASAS CHAVEZ');
  expect(row?.textContent).toContain('CACX7605101P8');
  expect(row?.textContent).toContain('612 · Personas Físicas con Actividades Empresariales');
  expect(row?.textContent).toContain('c41f-90b2');
});

describe('registering', () => {
  test('a company: the RFC sets the type of person, only its regimes and uses are offered, and all is sent as SAT writes it', async () => {
    const { user } = await opened();
    expect(options('Régimen fiscal')).toEqual(['']);
    await user.type(field('RFC'), 'eku9003173c9');
    expect(field('Moral').checked).toBe(true);
    expect(field('Física').disabled).toBe(true);
    expect(options('Régimen fiscal')).toContain('601');
    expect(options('Régimen fiscal')).not.toContain('612');
    await user.type(field('Nombre'), 'Escuela Kemper Urgate SA de CV');
    await user.click(screen.getByRole('button', { name: 'Usar ESCUELA KEMPER URGATE' }));
    await user.selectOptions(field('Régimen fiscal'), '601');
    expect(field('Uso de CFDI').value).toBe('G03');
    expect(options('Uso de CFDI')).not.toContain('D01');
    await user.type(field('Código postal'), ' 42501');
    await user.click(add());
    const alert = await screen.findByRole('alertdialog', { name: 'Alta exitosa!' });
    expect(alert.textContent).toContain('tu información fiscal ha sido dada de alta!');
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    expect(sent('POST')).toEqual([
      {
        rfc: 'EKU9003173C9',
        alias: '',
        name: 'ESCUELA KEMPER URGATE',
        regime: '601',
        cfdiUse: 'G03',
        email: 'marisol@correo.mx',
        phone: '',
        street: '',
        suburb: '',
        zip: '42501',
      },
    ]);
    // The form is empty again, and nothing of this client is left in the browser.
    expect(field('RFC').value).toBe('');
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('EKU9003173C9');
  });

  test('what is missing is said at its field, the first one has the focus, and nothing is sent', async () => {
    const { user } = await opened();
    await user.type(field('RFC'), 'XAXX010101000');
    await user.click(add());
    expect(document.activeElement).toBe(field('RFC'));
    expect(screen.getByText('Este RFC es para quien no factura a su nombre. Escribe el tuyo.')).toBeTruthy();
    expect(screen.getByText('Elige el régimen de tu Constancia.')).toBeTruthy();
    expect(sent('POST')).toEqual([]);
  });

  test('a wrong check digit warns and stops nobody', async () => {
    const { user } = await opened();
    await user.type(field('RFC'), 'CACX7605101P7');
    await user.tab();
    expect(screen.getByText(/Si así está en tu Constancia, sigue/)).toBeTruthy();
    expect(field('RFC').getAttribute('aria-invalid')).toBeNull();
  });

  test('a half-filled form outlives a reload, not its buyer', async () => {
    const { user, unmount } = await opened();
    await user.type(field('Nombre'), 'Xochilt');
    unmount();
    session.open({ ...marisol, id: 8, token: 'other' });
    const stranger = await opened();
    expect(field('Nombre').value).toBe('');
    stranger.unmount();
    session.open({ ...marisol, token: 't' });
    await opened();
    expect(field('Nombre').value).toBe('Xochilt');
    session.close();
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('Xochilt');
  });

  test.each([
    [
      refuse(422, 'FISCAL_DATA_WRONG', { fields: { zip: 'shape', name: 'shape' } }),
      'Nombre',
      /El SAT tiene otro nombre/,
    ],
    [refuse(409, 'FISCAL_CLIENT_EXISTS'), 'RFC', /Ya tienes este RFC en tu lista/],
  ])('what the server refuses stands at its field, which has the focus', async (answer, label, words) => {
    saved = answer;
    const { user } = open('/clientEdit?parte=fiscal&cliente=9');
    await user.click(await screen.findByRole('button', { name: 'Actualizar información' }));
    expect(await screen.findByText(words)).toBeTruthy();
    await expect.poll(() => document.activeElement).toBe(field(label));
    expect(field(label).getAttribute('aria-invalid')).toBe('true');
  });

  test.each([
    ['without a network', 'no network' as const, /Revisa tu internet/],
    [
      'with a list that is full',
      refuse(409, 'FISCAL_CLIENTS_FULL', { facts: { most: 20 } }),
      'Tu lista de RFC está llena. Caben 20. Quita uno que ya no uses y vuelve a intentarlo.',
    ],
  ])('%s nothing is lost, and it can be tried again', async (_what, answer, words) => {
    saved = answer;
    const { user } = open('/clientEdit?parte=fiscal&cliente=9');
    await user.type(await screen.findByLabelText('Calle'), 'Reforma 12');
    await user.click(screen.getByRole('button', { name: 'Actualizar información' }));
    expect(await screen.findByText('No pudimos guardar tus datos fiscales')).toBeTruthy();
    expect(screen.getByText(words)).toBeTruthy();
    saved = ok(fiscalClient());
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByRole('alertdialog', { name: 'Actualización exitosa!' })).toBeTruthy();
  });

  const lost = async () => {
    saved = 'no network';
    const { user } = await opened();
    await user.type(field('RFC'), 'EKU9003173C9');
    await user.type(field('Nombre'), 'ESCUELA KEMPER URGATE');
    await user.selectOptions(field('Régimen fiscal'), '601');
    await user.type(field('Código postal'), '42501');
    await user.click(add());
  };
  const KEMPER = fiscalClient({
    id: 12,
    rfc: 'EKU9003173C9',
    personType: 'moral',
    alias: '',
    name: 'ESCUELA KEMPER URGATE',
    regime: '601',
    cfdiUse: 'G03',
    email: 'marisol@correo.mx',
    phone: '',
    street: '',
    suburb: '',
    zip: '42501',
  });

  test('that got no answer was done where the list has it, and nobody is told that it was not', async () => {
    after = [KEMPER, fiscalClient()];
    await lost();
    expect(await screen.findByRole('alertdialog', { name: 'Alta exitosa!' })).toBeTruthy();
    expect(screen.queryByText('No pudimos guardar tus datos fiscales')).toBeNull();
  });

  test('that got no answer was not done where the list has other data of that RFC', async () => {
    after = [{ ...KEMPER, zip: '72000' }];
    await lost();
    expect(await screen.findByText('No pudimos guardar tus datos fiscales')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

describe('correcting', () => {
  test('from an invoice: the field that SAT refused has the focus, and saving leads back to that invoice', async () => {
    saved = ok(fiscalClient());
    const { user, here } = open('/clientEdit?parte=fiscal&cliente=9&campo=zip&compra=41&pago=412');
    const zip = await screen.findByLabelText('Código postal');
    await expect.poll(() => document.activeElement).toBe(zip);
    expect(screen.getByText(/El SAT tiene otro código postal con este RFC/)).toBeTruthy();
    await user.clear(field('Código postal'));
    await user.type(field('Código postal'), '72000');
    expect(screen.queryByText(/El SAT tiene otro código postal/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Actualizar información' }));
    const alert = await screen.findByRole('alertdialog', { name: 'Actualización exitosa!' });
    expect(alert.textContent).toContain('tu información ha sido actualizada!');
    await user.click(screen.getByRole('button', { name: 'Aceptar' }));
    await expect.poll(here).toBe('/saleCxcList/41?facturar=412&cliente=9');
    // Only updating the general tab signs out (spec §8).
    expect(session.user()).toBeDefined();
    expect(sent('PUT')).toMatchObject([{ rfc: 'CACX7605101P8', zip: '72000' }]);
  });

  test('is opened from the table, and left for a new one', async () => {
    const { user, here } = open();
    await user.click(await screen.findByRole('button', { name: 'Corregir CACX7605101P8' }));
    expect(await screen.findByRole('heading', { name: 'Corrige los datos de CACX7605101P8' })).toBeTruthy();
    expect(here()).toBe('/clientEdit?parte=fiscal&cliente=9');
    await user.click(screen.getByRole('button', { name: 'Registrar otro RFC' }));
    expect(field('RFC').value).toBe('');
  });

  test('one that is gone says so, and offers a new one', async () => {
    open('/clientEdit?parte=fiscal&cliente=77');
    expect(await screen.findByText('Esos datos fiscales ya no están en tu lista.')).toBeTruthy();
    expect(add()).toBeTruthy();
  });
});

test('removing asks first, and takes it off the list', async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Quitar CACX7605101P8' }));
  expect(calls.filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  await user.click(await screen.findByRole('button', { name: 'Quitar datos' }));
  expect(await screen.findByText(/Todavía no tienes datos fiscales/)).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('removing what an invoice waits with is refused, and says to correct it or wait', async () => {
  isInUse = true;
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Quitar CACX7605101P8' }));
  await user.click(await screen.findByRole('button', { name: 'Quitar datos' }));
  expect((await screen.findByRole('alert')).textContent).toContain(
    'Una factura con estos datos está en proceso. Corrígelos, o espera a que salga.',
  );
});

test("what was typed and left by 'Cancelar' does not come back", async () => {
  const { user, here, unmount } = await opened('/clientEdit?parte=fiscal&cliente=9');
  await user.clear(field('Nombre'));
  await user.type(field('Nombre'), 'Otra persona');
  await user.click(screen.getByRole('link', { name: 'Cancelar' }));
  expect(here()).toBe('/home');
  unmount();
  await opened('/clientEdit?parte=fiscal&cliente=9');
  expect(field('Nombre').value).toBe('XOCHILT CASAS CHAVEZ');
});

test("'Cancelar' leads home; a list that fails offers to try again and leaves the form", async () => {
  list = () => 'no network';
  const { user } = open();
  expect(await screen.findByText('No pudimos cargar tus datos fiscales')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Cancelar' }).getAttribute('href')).toBe('/home');
  list = () => ok(listed);
  await user.click(screen.getByRole('button', { name: 'Reintentar' }));
  expect(await screen.findByRole('table')).toBeTruthy();
});
