import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fiscalClient, INVOICE, type WireInvoice } from '../../test/invoice.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { readInvoice, type CancelledInvoice } from '../data/invoice.ts';
import { session } from '../session/session.ts';
import InvoicePart from './invoice-part.tsx';

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';

/** The instalment's invoice when it is fetched again. */
let now: WireInvoice | null;
let cancelled: CancelledInvoice | undefined;
let polls: number;
let clients: ReturnType<typeof fiscalClient>[];
let emitted: () => Answer;
let pdf: Answer;
let until: string | undefined;
let isTooLate: boolean;
let hasEnded: boolean;
let hasFee: boolean;
let isConfirmed: boolean;
const calls = fakeServer({
  'GET /v1/ClientSat/GetAllBySecurityBuyerIdAsync/7': () => ok(clients),
  'GET /v1/SecurityBuyer/GetAsync/7': () => ok({ ...marisol, emailConfirmed: isConfirmed }),
  'POST /v1/FacturaGreen/cfdiemmitAsync': () => emitted(),
  'GET /v1/Invoices/PdfAsync/71': () => pdf,
});
beforeEach(() => {
  now = null;
  cancelled = undefined;
  polls = 0;
  until = undefined;
  isTooLate = false;
  hasEnded = false;
  hasFee = false;
  isConfirmed = false;
  clients = [fiscalClient()];
  emitted = () => become(INVOICE);
  pdf = ok({ fileName: 'factura-a12.pdf', contentByteArray: btoa('%PDF') });
  session.open({ ...marisol, token: 't' });
});
afterEach(() => void vi.useRealTimers());

function become(invoice: WireInvoice) {
  now = invoice;
  return ok({ cfdi: null, invoice });
}

/** The component inside a purchase that refetches. */
function Purchase() {
  const [{ invoice }, setFetched] = useState({ invoice: now });
  return (
    <InvoicePart
      purchaseId={41}
      instalmentId={412}
      product="Lavadora 18 kg"
      merchant="Electro Hogar"
      number={2}
      of={3}
      amount={centavos(100_000)}
      invoice={invoice ? readInvoice(invoice) : undefined}
      cancelled={cancelled}
      hasEnded={hasEnded}
      mayBeInvoiced={!isTooLate && (invoice === null || invoice.state === 'refused')}
      invoiceUntil={until}
      hasFee={hasFee}
      refresh={async () => {
        polls += 1;
        setFetched({ invoice: now });
      }}
    />
  );
}

function open(at = '/saleCxcList/41') {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return show(
    <QueryClientProvider client={queries}>
      <Purchase />
    </QueryClientProvider>,
    at,
  );
}

const popup = () => screen.findByRole('dialog', { name: 'Emisión de factura' });
const emit = () => screen.findByRole('button', { name: 'Emite factura' });

describe("'Facturar pago'", () => {
  test('opens the popup with the RFC, emits, says so in the words of the spec, and shows folio and files', async () => {
    const { user, here } = open();
    await user.click(screen.getByRole('button', { name: 'Facturar pago 2' }));
    expect(here()).toBe('/saleCxcList/41?facturar=412');
    expect((await popup()).textContent).toMatch(/Lavadora 18 kg · Pago\s2\sde\s3/);
    expect((await screen.findByLabelText<HTMLSelectElement>('RFC')).selectedOptions[0]?.textContent).toBe(
      'CACX7605101P8 · XOCHILT CASAS CHAVEZ',
    );
    await user.click(await emit());
    const alert = await screen.findByRole('alertdialog', { name: 'Emision de factura!' });
    expect(alert.textContent).toContain('factura creada con exito!');
    expect(screen.queryByRole('dialog')).toBeNull();
    await expect.poll(here).toBe('/saleCxcList/41');
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ cxcId: 412, clientSatId: 9 });
    expect(screen.getByText('Factura A-12 · 20 nov 2026')).toBeTruthy();
    expect(screen.getByText('5A6B7C8D-1111-4222-8333-1234567890AB')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /Facturar/ })).toBeNull();
  });

  test('promises no file to a mailbox that nobody has confirmed, and leads to confirming it; once it is, it does', async () => {
    session.open({ ...marisol, emailConfirmed: false, token: 't' });
    const { unmount } = open('/saleCxcList/41?facturar=412');
    const sheet = within(await popup());
    expect((await sheet.findByText('Te avisamos a')).nextElementSibling?.textContent).toBe(marisol.user);
    const how = sheet.getByRole('link', { name: 'confirma tu correo' });
    expect(how.parentElement?.textContent).toBe('Para recibirla ahí, confirma tu correo.');
    expect(how.getAttribute('href')).toBe('/clientEdit');
    expect(sheet.queryByText('La enviamos a')).toBeNull();
    unmount();
    // Elsewhere, since this tab signed in.
    isConfirmed = true;
    open('/saleCxcList/41?facturar=412');
    const again = within(await popup());
    await again.findByText('La enviamos a');
    expect(again.queryByText(/confirma tu correo/)).toBeNull();
  });

  test.each([true, false])('says that the fee is not in it, where one was paid: %s', async (isPaid) => {
    hasFee = isPaid;
    open('/saleCxcList/41?facturar=412');
    const without = within(await popup()).queryByText(
      'El cargo por servicio no va en esta factura. Si necesitas facturarlo, pídelo al comercio.',
    );
    expect(without !== null).toBe(isPaid);
  });

  test('with several RFCs the buyer says which, else nothing is sent', async () => {
    clients = [fiscalClient(), fiscalClient({ id: 10, rfc: 'EKU9003173C9' })];
    const { user } = open('/saleCxcList/41?facturar=412');
    await user.click(await emit());
    expect(screen.getByText('Elige a qué RFC va la factura.')).toBeTruthy();
    expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(0);
    await user.selectOptions(screen.getByLabelText('RFC'), '10');
    await user.click(await emit());
    await screen.findByRole('alertdialog', { name: 'Emision de factura!' });
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ cxcId: 412, clientSatId: 10 });
  });

  test('without a fiscal client leads to registering one, and back to the invoice', async () => {
    clients = [];
    open('/saleCxcList/41?facturar=412');
    const go = await screen.findByRole('link', { name: 'Registrar mis datos' });
    expect(go.getAttribute('href')).toBe('/clientEdit?parte=fiscal&compra=41&pago=412');
  });

  test("refused: the spec's text, the field at fault with a link to it, and it can be requested again", async () => {
    emitted = () => {
      now = { ...INVOICE, state: 'refused', field: 'zip', fiscalFolio: null, issuedAt: null, folio: '' };
      return refuse(409, 'INVOICE_REFUSED', { facts: { field: 'zip', detailCode: 'CFDI40147' } });
    };
    const { user } = open('/saleCxcList/41?facturar=412');
    await user.click(await emit());
    const alert = await screen.findByRole('alertdialog', { name: 'Emision de factura no exitosa!' });
    expect(alert.textContent).toContain('la factura no fue creada!');
    expect(alert.textContent).toContain('El código postal no es el que el SAT tiene con este RFC.');
    await user.click(within(alert).getByRole('button', { name: 'Aceptar' }));
    const mend = screen.getByRole('link', { name: 'Corregir el código postal' });
    expect(mend.getAttribute('href')).toBe('/clientEdit?parte=fiscal&cliente=9&campo=zip&compra=41&pago=412');
    expect(screen.getByText('Factura no emitida')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Facturar otra vez 2' })).toBeTruthy();
  });

  test('refused and corrected: what was refused is of before, and the next thing is to ask again', async () => {
    now = { ...INVOICE, state: 'refused', field: 'zip', fiscalFolio: null, issuedAt: null, folio: '' };
    open('/saleCxcList/41?facturar=412&cliente=9');
    await emit();
    expect(screen.queryByText('Tu factura no se emitió.')).toBeNull();
    expect(screen.getByText('marisol@correo.mx')).toBeTruthy(); // the account's e-mail gets it
  });

  test('refused by nobody at SAT: it is not said to be, and why can be read', async () => {
    const detailMessage =
      'El comercio corrigió el IVA del producto después de que la pediste: pídela otra vez.';
    now = {
      ...INVOICE,
      state: 'refused',
      field: null,
      fiscalFolio: null,
      issuedAt: null,
      folio: '',
      detailMessage,
    };
    open('/saleCxcList/41?facturar=412');
    await emit();
    const { textContent } = await popup();
    expect(textContent).toContain('Tu factura no se emitió.');
    expect(textContent).toContain(detailMessage);
    expect(textContent).not.toContain('SAT');
  });

  test('a lost call claims nothing, and the popup shows what the server has by then', async () => {
    emitted = () => {
      now = { ...INVOICE, state: 'inProcess' };
      return 'no network';
    };
    const { user } = open('/saleCxcList/41?facturar=412');
    await user.click(await emit());
    expect(await screen.findByText('Tu factura está en proceso.')).toBeTruthy();
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });
});

test('one asked for with another RFC while that of another tab is made says with which, and what to do, and shows it', async () => {
  clients = [fiscalClient(), fiscalClient({ id: 10, rfc: 'EKU9003173C9' })];
  emitted = () => {
    now = { ...INVOICE, state: 'inProcess' };
    const facts = { rfc: 'CACX7605101P8', contact: 'Electro Hogar (222 123 4567)' };
    return refuse(409, 'INVOICE_OTHER_RFC', { facts });
  };
  const { user } = open('/saleCxcList/41?facturar=412');
  await user.selectOptions(await screen.findByLabelText('RFC'), '10');
  await user.click(await emit());
  const alert = await screen.findByRole('alertdialog', {
    name: 'La factura de este pago va con CACX7605101P8',
  });
  expect(alert.textContent).toContain('Si no sale, puedes pedirla con otro RFC.');
  expect(alert.textContent).toContain('pide a Electro Hogar (222 123 4567) que la cancele ante el SAT');
  expect(alert.textContent).not.toContain('con exito');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByText('Factura en proceso')).toBeTruthy();
  expect(screen.getByText('A nombre de XOCHILT CASAS CHAVEZ, CACX7605101P8')).toBeTruthy();
});

test.each(['inProcess', 'review'] as const)(
  'one that is %s says for which RFC, and how to have another',
  async (state) => {
    now = { ...INVOICE, state };
    open('/saleCxcList/41?facturar=412');
    const dialog = within(await popup());
    expect(dialog.getByText('A nombre de XOCHILT CASAS CHAVEZ, CACX7605101P8')).toBeTruthy();
    expect(
      dialog.getByText(/otro RFC\?.*Si no sale, la pides otra vez.*pide a Electro Hogar que la cancele/),
    ).toBeTruthy();
  },
);

describe("the merchant's cut-off", () => {
  beforeEach(() => (until = '2026-12-05'));

  test('the buyer reads until when they can ask', () => {
    open();
    expect(screen.getByRole('button', { name: 'Facturar pago 2' })).toBeTruthy();
    expect(screen.getByText('Puedes pedir tu factura hasta el 5 dic 2026.')).toBeTruthy();
  });

  test('after it they read why not, and whom to ask, instead of the button', () => {
    isTooLate = true;
    open('/saleCxcList/41?facturar=412');
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(
      screen.getByText(/Podías pedir esta factura hasta el 5 dic 2026\. .*pregunta en Electro Hogar/),
    ).toBeTruthy();
  });

  test('that passes while the popup is open is said, and the popup closes', async () => {
    emitted = () => {
      isTooLate = true;
      return refuse(409, 'INVOICE_TOO_LATE', {
        facts: { until: '2026-12-05', contact: 'Electro Hogar (222 123 4567)' },
      });
    };
    const { user } = open('/saleCxcList/41?facturar=412');
    await user.click(await emit());
    const alert = await screen.findByRole('alertdialog', { name: 'Ya pasó el plazo para facturar' });
    expect(alert.textContent).toContain(
      'Podías pedir esta factura hasta el 5 dic 2026. Si la necesitas, pregunta en Electro Hogar (222 123 4567).',
    );
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

test('in process: it is polled, and its outcome shows', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  now = { ...INVOICE, state: 'inProcess', requestedAt: new Date().toISOString() };
  open('/saleCxcList/41?facturar=412');
  const dialog = within(await popup());
  expect(dialog.getByText('Tu factura está en proceso.')).toBeTruthy();
  expect(dialog.getByText(/menos de un minuto/)).toBeTruthy();
  now = INVOICE;
  vi.advanceTimersByTime(4_000);
  expect(await screen.findByRole('alertdialog', { name: 'Emision de factura!' })).toBeTruthy();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('in process since days: the popup says until when it goes on, and asks for no second one', async () => {
  now = { ...INVOICE, state: 'inProcess', requestedAt: '2026-01-20T18:00:00Z' };
  open('/saleCxcList/41?facturar=412');
  const dialog = within(await popup());
  expect(
    dialog.getByText(/La pediste el 20 ene 2026.*hasta por tres días.*ni pedirla otra vez/),
  ).toBeTruthy();
  expect(dialog.queryByRole('button', { name: 'Emite factura' })).toBeNull();
  expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(0);
});

test('in process for long: it stops polling and promises an email', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] });
  now = { ...INVOICE, state: 'inProcess', requestedAt: new Date().toISOString() };
  open();
  await vi.advanceTimersByTimeAsync(2 * 60_000);
  expect(screen.getByText(/Te avisamos por correo en cuanto esté; no tienes que esperar/)).toBeTruthy();
  const pollsBefore = polls;
  expect(pollsBefore).toBeGreaterThan(20);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polls).toBe(pollsBefore);
});

test('in review: a person is checking it', () => {
  now = { ...INVOICE, state: 'review' };
  open();
  expect(screen.getByText('Factura en revisión')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
});

test('the invoice of a purchase that ended says when it is not to be used and when to be kept, one of a purchase that goes on does not', () => {
  now = INVOICE;
  const { unmount } = open();
  expect(screen.queryByText(/no uses su PDF ni su XML/)).toBeNull();
  unmount();
  hasEnded = true;
  open();
  expect(
    screen.getByText(
      /no uses su PDF ni su XML; si le hace una nota de crédito, guarda las dos\. Te escribimos cuál\. Si el SAT te pide aceptar la cancelación, acéptala: tienes tres días hábiles/,
    ),
  ).toBeTruthy();
});

test('an invoice that its shop credited says so where it said what may come of it, and to keep both', () => {
  now = { ...INVOICE, credited: true };
  hasEnded = true;
  open();
  expect(screen.getByText('Con nota de crédito')).toBeTruthy();
  expect(
    screen.getByText(
      /Por eso el comercio le hizo una nota de crédito a esta factura\. La factura sigue vigente ante el SAT: guarda las dos/,
    ),
  ).toBeTruthy();
  expect(screen.queryByText(/Si el comercio cancela|Te escribimos cuál/)).toBeNull();
  expect(screen.getByRole('button', { name: 'PDF de la factura del pago 2' })).toBeTruthy();
});

test.each([
  [
    true,
    'Factura A-12 anulada',
    /Tu compra se canceló\. Por eso el comercio canceló esta factura ante el SAT: no uses/,
  ],
  [false, 'Factura A-12 cancelada', /El PDF y el XML que tienes ya no son válidos\. Tu pago no cambia\./],
])(
  'an invoice that SAT cancelled says that its files are void, of a purchase that ended: %s',
  (isOver, chip, says) => {
    cancelled = { rfc: INVOICE.rfc, name: INVOICE.name, folio: 'A-12', fiscalFolio: '5A6B7C8D' };
    hasEnded = isOver;
    isTooLate = isOver;
    open();
    expect(screen.getByText(chip)).toBeTruthy();
    expect(screen.getByText(says)).toBeTruthy();
    expect(screen.getByText('5A6B7C8D')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Facturar otra vez 2' }) !== null).toBe(!isOver);
    expect(screen.queryByRole('button', { name: /PDF/ })).toBeNull();
  },
);

test('its files are saved under their names; one that fails to download says so', async () => {
  now = INVOICE;
  const files: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function saved(
    this: HTMLAnchorElement,
  ) {
    files.push(this.download);
  });
  URL.createObjectURL = () => 'blob:a';
  URL.revokeObjectURL = () => {};
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'PDF de la factura del pago 2' }));
  expect(await screen.findByText('Guardamos factura-a12.pdf en tus descargas.')).toBeTruthy();
  pdf = 'no network';
  await user.click(screen.getByRole('button', { name: 'PDF de la factura del pago 2' }));
  expect(await screen.findByText(/No pudimos descargar la factura/)).toBeTruthy();
  expect(files).toEqual(['factura-a12.pdf']);
  click.mockRestore();
});
