import { openCache } from '@aparta/browser/query-cache.ts';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { Router } from 'wouter';
import { beforeEach, expect, test } from 'vitest';
import { fakeServer, luisAtCounter, ok } from '../../../web/test/server.ts';
import { session } from '../session/session.ts';
import InvoicesPage from './invoices-page.tsx';

const instalment = {
  id: 2078829133,
  purchaseId: 41,
  productName: 'Lavadora',
  buyer: 'Marisol R.',
  number: 2,
  of: 3,
  paidAt: '2026-11-20T18:00:00.000Z',
  receiptFolio: 'A7K2993110',
  amount: 1_200,
  paymentForm: '28',
  group: 'invoiced',
  asking: null as string | null,
  until: null as string | null,
  invoice: null as object | null,
  cancelled: undefined as object[] | undefined,
};
const invoice = {
  id: 3001,
  state: 'issued',
  rfc: 'MISC491214B86',
  fiscalFolio: 'C1A7E4F0-6A5E-4F0D-9B4F-0D8A8F3F2B77',
  folio: 'A118',
  issuedAt: '2026-11-20T18:01:00.000Z',
  reason: '',
  hasPdf: true,
  hasXml: true,
};
let instalments: (typeof instalment)[];
let next: string | null;
const none = { amount: 0, count: 0 };
const sums = {
  all: { amount: 3_600.5, count: 3 },
  invoiced: { amount: 1_200, count: 1 },
  in_process: none,
  not_invoiced: { amount: 2_400.5, count: 2 },
  ended: none,
};

const calls = fakeServer({
  'GET /v1/counter/invoices': ({ search }) =>
    ok(
      search.has('cursor')
        ? { instalments: [{ ...instalment, id: 9, productName: 'Mesa' }], next: null, sums: null }
        : { instalments, next, sums },
    ),
  'POST /v1/counter/invoices/3001/file': {
    status: 404,
    body: { isSuccess: false, code: 'NOT_FOUND', message: '', data: null },
  },
});

beforeEach(() => {
  next = null;
  session.open({ ...luisAtCounter, position: { ...luisAtCounter.position, role: 'accountant' } });
});

async function lines(address = '?mes=2026-10') {
  const { user } = show(
    <Router base="/mostrador">
      <QueryClientProvider client={openCache()}>
        <InvoicesPage />
      </QueryClientProvider>
    </Router>,
    `/mostrador/facturas${address}`,
  );
  await screen.findByText(/Sin cargos por servicio/);
  return { user, said: screen.queryAllByRole('listitem').map(({ textContent }) => textContent) };
}

test('an accountant reads each paid instalment of a month, what became of its invoice, and until when it can be asked for', async () => {
  const [closed, open] = [
    { fiscalFolio: null, folio: '', hasPdf: false, hasXml: false },
    { group: 'not_invoiced', asking: 'open', until: '2026-12-17' },
  ];
  instalments = [
    { ...instalment, invoice },
    { ...instalment, id: 2, ...open },
    {
      ...instalment,
      id: 3,
      ...open,
      invoice: { ...invoice, ...closed, state: 'refused', reason: 'CFDI40143: el RFC no está' },
    },
    { ...instalment, id: 4, group: 'not_invoiced', asking: 'over', until: '2026-11-17' },
    { ...instalment, id: 5, group: 'not_invoiced', asking: 'not_offered' },
    { ...instalment, id: 6, group: 'in_process', invoice: { ...invoice, ...closed, state: 'review' } },
    { ...instalment, id: 7, invoice: { ...invoice, state: 'credited' } },
    { ...instalment, id: 8, group: 'ended' },
  ];
  const { said } = await lines();
  const [issued, asked, refused, over, notHere, review, credited, ended] = said;
  expect(issued).toMatch(
    /^Lavadora\$1,200\.00.*Abono 2 de 3 · Marisol R\. · Pagado el 20 nov 2026 · Folio A7K2993110 · 28 Tarjeta de débitoEmitida/,
  );
  expect(issued).toMatch(
    /RFC receptorMISC491214B86Serie y númeroA118Folio fiscalC1A7E4F0-6A5E-4F0D-9B4F-0D8A8F3F2B77/,
  );
  expect(asked).toMatch(/Sin pedirSe puede pedir hasta el 17 dic 2026Ver la compra 41$/);
  expect(refused).toMatch(/RechazadaSe puede pedir hasta el 17 dic 2026.*MotivoCFDI40143: el RFC no está/);
  expect(over).toMatch(/Se podía pedir hasta el 17 nov 2026/);
  expect(notHere).toMatch(/No se factura aquí/);
  expect(review).toMatch(/En revisiónRFC receptorMISC491214B86Ver la compra 41$/);
  expect(credited).toMatch(/Con nota de crédito.*PDF.*XML/);
  expect(ended).toMatch(/Sin pedirVer la compra 41$/);
  const total = screen.getByRole('region', { name: 'Total' }).textContent;
  expect(total).toMatch(/Abonos pagados completos · 3\$3,600\.50/);
  expect(total).toMatch(/Con factura · 1\$1,200\.00.*Sin factura · 2\$2,400\.50/);
  expect(total).not.toMatch(/canceladas/);
  expect(screen.getAllByRole('link', { name: 'Ver la compra 41' })[0]?.getAttribute('href')).toContain(
    '/compras/41',
  );
  expect(screen.getByRole('button', { name: 'Descargar CSV' })).toBeTruthy();
});

test('the files of an invoice that was cancelled are saved too, and of one before it beside the one that replaced it', async () => {
  const before = { id: 2900, fiscalFolio: invoice.fiscalFolio, folio: 'A101', hasPdf: true, hasXml: true };
  instalments = [
    { ...instalment, invoice, cancelled: [before] },
    {
      ...instalment,
      id: 2,
      group: 'not_invoiced',
      invoice: { ...invoice, folio: 'A119', state: 'cancelled' },
    },
  ];
  const { said } = await lines();
  expect(said[0]).toMatch(/Emitida.*Cancelada antes: A101/);
  expect(said[1]).toMatch(/^Lavadora.*Cancelada/);
  for (const name of ['A118', 'A101', 'A119'])
    expect(screen.getByRole('button', { name: `XML de la factura ${name}` })).toBeTruthy();
});

test('months lead back and forth, not past this one, with what is shown', async () => {
  instalments = [];
  await lines('?mes=2026-01&ver=sin-factura');
  expect(calls.at(-1)?.search.toString()).toBe('month=2026-01&show=not_invoiced');
  const months = within(screen.getByRole('navigation', { name: 'Otros meses' })).getAllByRole('link');
  expect(months.map((link) => link.getAttribute('href'))).toEqual([
    '/mostrador/facturas?mes=2025-12&ver=sin-factura',
    '/mostrador/facturas?mes=2026-02&ver=sin-factura',
  ]);
  const chips = within(screen.getByRole('navigation', { name: 'Qué se muestra' })).getAllByRole('link');
  expect(chips.map((chip) => [chip.textContent, chip.getAttribute('aria-current')])).toEqual([
    ['Todos', null],
    ['Con factura', null],
    ['En trámite', null],
    ['Sin factura', 'true'],
    ['De compras canceladas', null],
  ]);
  expect(screen.getByText('No hay nada aquí.')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Descargar CSV' })).toBeNull();
});

test('this month is shown where the address says none that there is', async () => {
  instalments = [];
  await lines('?mes=2026-13');
  const month = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Mexico_City' })
    .format(new Date())
    .slice(0, 7);
  expect(calls.at(-1)?.search.get('month')).toBe(month);
  expect(within(screen.getByRole('navigation', { name: 'Otros meses' })).getAllByRole('link')).toHaveLength(
    1,
  );
});

test('a list goes on where its page ended, and a file that is gone says so', async () => {
  instalments = [{ ...instalment, invoice }];
  next = '77';
  const { user } = await lines();
  await user.click(screen.getByRole('button', { name: 'Ver más' }));
  expect(await screen.findByText('Mesa')).toBeTruthy();
  expect(calls.at(-1)?.search.get('cursor')).toBe('77');
  await user.click(screen.getByRole('button', { name: 'XML de la factura A118' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(calls.at(-1)?.body).toEqual({ format: 'xml' });
});
