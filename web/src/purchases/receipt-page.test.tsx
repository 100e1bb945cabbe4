import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen } from '@testing-library/react';
import { Route, Switch } from 'wouter';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { session } from '../session/session.ts';
import ReceiptPage from './receipt-page.tsx';

const RECEIPT = {
  folio: 'A7K2993104',
  paidAt: '2026-11-20T19:42:00.000Z',
  bookedAt: '2026-11-20T19:42:00.000Z',
  amount: 3013,
  fee: 15,
  method: 'card',
  last4: '4821',
  payerName: null as string | null,
  takenBy: null as string | null,
  branch: null as string | null,
  ventaId: 41,
  productName: 'Motoneta Italika DS125',
  merchant: {
    id: 1,
    tradeName: 'Motos Cholula',
    businessName: 'Motociclos de Cholula SA de CV',
    address: 'Av. 5 de Mayo 1204, Cholula',
    phone: '222 123 4567',
  },
  buyerName: 'Marisol Reyes Luna',
  others: [],
  parts: [
    { number: 3, of: 5, amount: 1000 },
    { number: 4, of: 5, amount: 1998 },
  ],
  balance: 4998,
  cancelled: false,
  nextDueOn: '2026-12-01',
  refunded: 0,
  invoiceUntil: null as string | null,
  mayBeInvoiced: false,
};

const REFUND = {
  id: 1,
  amount: RECEIPT.amount,
  way: 'card',
  last4: '4821',
  payerName: null,
  folio: RECEIPT.folio,
  createdAt: '2026-11-21T18:00:00.000Z',
  doneAt: null,
};

let receipt: ReturnType<typeof ok> | ReturnType<typeof refuse>;
let pdf: ReturnType<typeof ok> | 'no network';
let refunds: object[];
const calls = fakeServer({
  'GET /v1/Receipts/GetAsync/A7K2993104': () => receipt,
  'GET /v1/Receipts/PdfAsync/A7K2993104': () => pdf,
  'GET /v1/Sales/RefundsAsync/41': () => ok(refunds),
});

const saved: { name: string; blob: Blob }[] = [];
const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
  this: HTMLAnchorElement,
) {
  saved.push({ name: this.download, blob: blobs.get(this.href)! });
});
const blobs = new Map<string, Blob>();

beforeEach(() => {
  session.open({ ...marisol, token: 't' });
  receipt = ok(RECEIPT);
  pdf = ok({ fileName: 'Recibo_A7K2993104.pdf', contentByteArray: btoa('%PDF-1.7 á') });
  refunds = [];
  saved.length = 0;
  URL.createObjectURL = (blob) => {
    const address = `blob:http://localhost/${blobs.size}`;
    blobs.set(address, blob as Blob);
    return address;
  };
  URL.revokeObjectURL = () => {};
});
// The day on which it was paid.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date(RECEIPT.paidAt) }));
afterEach(() => void vi.useRealTimers());
afterEach(() => click.mockClear());

function open(folio = 'A7K2993104') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <Switch>
        <Route path="/recibo/:folio">
          <ReceiptPage />
        </Route>
      </Switch>
    </QueryClientProvider>,
    `/recibo/${folio}`,
  );
}

/** The value shown beside a label. */
async function fact(label: string) {
  const term = (await screen.findAllByRole('term')).find(({ textContent }) => textContent === label);
  return term?.nextElementSibling?.textContent;
}

test('a payment at a counter names who took it, and where; a till alone where', async () => {
  receipt = ok({ ...RECEIPT, method: 'till', last4: null, takenBy: 'Laura P.', branch: 'Centro' });
  const { unmount } = open();
  await screen.findByText('Laura P. en Sucursal Centro');
  screen.getByText('Te atendió');
  unmount();
  receipt = ok({ ...RECEIPT, method: 'till', last4: null, branch: 'Sucursal Norte' });
  open();
  await screen.findByText('Sucursal Norte');
  expect(screen.queryByText('Te atendió')).toBeNull();
});

test('shows all that a buyer needs to prove that they paid', async () => {
  open();
  expect(await fact('Folio')).toBe('A7K2 9931 04');
  expect(await fact('Fecha')).toBe('20 nov 2026, 13:42 h');
  expect(await fact('Forma de pago')).toMatch(/Tarjeta.*4821/);
  expect(await fact('Producto')).toBe('Motoneta Italika DS125');
  expect(await fact('Cliente')).toBe('Marisol Reyes Luna');
  expect(await fact('Compra')).toBe('41');
  expect(await fact('Abono al pago 3 de 5')).toContain('$1,000.00');
  expect(await fact('Abono al pago 4 de 5')).toContain('$1,998.00');
  expect(await fact('Cargo por servicio')).toContain('$15.00');
  expect(await fact('Quedó por pagar tras este pago')).toContain('$4,998.00');
  expect(await fact('Siguiente pago')).toBe('1 dic 2026');
  expect(screen.getByText('$3,013.00')).toBeTruthy();
  for (const words of ['Motos Cholula', 'Motociclos de Cholula SA de CV', 'Av. 5 de Mayo 1204, Cholula']) {
    expect(screen.getByText(words)).toBeTruthy();
  }
  expect(screen.getByRole('link', { name: 'Tel. 222 123 4567' }).getAttribute('href')).toBe('tel:2221234567');
  expect(screen.getByRole('link', { name: 'Ver mi compra' }).getAttribute('href')).toBe('/saleCxcList/41');
  expect(screen.getByRole('button', { name: 'Ayuda' })).toBeTruthy();
});

test("money that somebody else gave is not called the buyer's own payment", async () => {
  receipt = ok({ ...RECEIPT, last4: null, payerName: 'Tía Marta' });
  open();
  expect(await screen.findByText('Te dieron')).toBeTruthy();
  expect(await fact('Lo pagó')).toBe('Tía Marta');
  expect(screen.queryByText('Pagaste')).toBeNull();
});

test('paid at a store days before it was booked: says both moments', async () => {
  receipt = ok({
    ...RECEIPT,
    method: 'cash',
    paidAt: '2026-11-20T02:30:00.000Z',
    bookedAt: '2026-11-22T01:35:00.000Z',
  });
  open();
  expect(await fact('Fecha')).toBe('19 nov 2026, 20:30 h');
  expect(await fact('Registrado')).toBe('21 nov 2026, 19:35 h');
});

test("'Descargar PDF' saves the server's bytes under its name", async () => {
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Descargar PDF' }));
  expect(await screen.findByText('Guardamos Recibo_A7K2993104.pdf en tus descargas.')).toBeTruthy();
  const [file] = saved;
  expect(file?.name).toBe('Recibo_A7K2993104.pdf');
  expect(file?.blob.type).toBe('application/pdf');
  // The last character is the byte 0xE1: bytes must stay bytes, not UTF-8.
  expect(new Uint8Array(await file!.blob.arrayBuffer()).at(-1)).toBe(0xe1);
});

test('a PDF that does not come is said, and the receipt stays', async () => {
  pdf = 'no network';
  const { user } = open();
  await user.click(await screen.findByRole('button', { name: 'Descargar PDF' }));
  expect(await screen.findByText('No pudimos descargar el PDF. Vuelve a intentarlo.')).toBeTruthy();
  expect(saved).toEqual([]);
  expect(screen.getByText('$3,013.00')).toBeTruthy();
});

test('the last payment: nothing is left, and no next date', async () => {
  receipt = ok({ ...RECEIPT, balance: 0, nextDueOn: null });
  open();
  expect(await screen.findByText('No te falta ningún pago.')).toBeTruthy();
  expect(await fact('Quedó por pagar tras este pago')).toBeUndefined();
  expect(await fact('Siguiente pago')).toBeUndefined();
});

test('says until when its invoice can be asked for, and afterwards that it cannot', async () => {
  receipt = ok({ ...RECEIPT, mayBeInvoiced: true, invoiceUntil: '2026-12-05' });
  const { unmount } = open();
  expect(await screen.findByText('Puedes pedir tu factura hasta el 5 dic 2026, en tu compra.')).toBeTruthy();
  unmount();
  receipt = ok({ ...RECEIPT, invoiceUntil: '2026-12-05' });
  open();
  expect(await screen.findByText(/Podías pedir tu factura hasta el 5 dic 2026.*Motos Cholula/)).toBeTruthy();
});

test('says whom to ask for an invoice where the shop does not invoice here, of money that still counts', async () => {
  const askShop = 'Este comercio todavía no factura aquí. Pide tu factura directamente al comercio.';
  receipt = ok({ ...RECEIPT, invoicedHere: false });
  const { unmount } = open();
  expect(await screen.findByText(askShop)).toBeTruthy();
  unmount();
  receipt = ok({ ...RECEIPT, invoicedHere: false, cancelled: true });
  open();
  await screen.findByText('Esta compra se canceló: no te falta ningún pago.');
  expect(screen.queryByText(askShop)).toBeNull();
});

test.each([
  ['2026-11-20', '20 nov 2026'],
  ['2026-11-10', 'Venció el 10 nov 2026'],
])('after a part payment the next one of %s is said to be late once its day is over', async (on, said) => {
  receipt = ok({ ...RECEIPT, nextDueOn: on });
  open();
  expect(await fact('Siguiente pago')).toBe(said);
});

test('of a purchase that was cancelled: nothing is asked for any more', async () => {
  receipt = ok({ ...RECEIPT, cancelled: true, refunded: 2798 });
  open();
  expect(await screen.findByText('Esta compra se canceló: no te falta ningún pago.')).toBeTruthy();
  expect(await fact('Quedó por pagar tras este pago')).toBeUndefined();
  expect(await fact('Siguiente pago')).toBeUndefined();
  expect(await fact('Devolución')).toContain('$2,798.00');
});

test.each([
  ['a manager took back', [], 'Devuelto'],
  ['is back on its card', [{ ...REFUND, state: 'done', doneAt: '2026-11-22T18:00:00.000Z' }], 'Devuelto'],
  ['is still on its way', [{ ...REFUND, state: 'owed' }], 'En devolución'],
])('a payment that %s is not called paid any more', async (_, given, said) => {
  refunds = given;
  receipt = ok({ ...RECEIPT, cancelled: true, refunded: RECEIPT.amount });
  open();
  expect(await screen.findByText(said)).toBeTruthy();
  expect(screen.getByText('Este pago ya no cuenta')).toBeTruthy();
  expect(screen.queryByRole('img', { name: /^Pagado/ })).toBeNull();
  expect(screen.queryByText('Pagaste')).toBeNull();
});

test('of a payment that went back in part the rest stays paid', async () => {
  receipt = ok({ ...RECEIPT, refunded: 2798 });
  open();
  expect(await screen.findByRole('img', { name: 'Pagado el 20 nov 2026' })).toBeTruthy();
  expect(screen.getByText('Pagaste')).toBeTruthy();
  expect(await fact('Devolución')).toContain('$2,798.00');
});

test("another buyer's receipt is not there", async () => {
  receipt = refuse(404, 'NOT_FOUND');
  open();
  expect(await screen.findByRole('heading', { name: 'No encontramos este recibo' })).toBeTruthy();
});

test('an address that can be no folio is not even asked for', async () => {
  open('x');
  expect(await screen.findByRole('heading', { name: 'No encontramos este recibo' })).toBeTruthy();
  expect(calls).toEqual([]);
});
