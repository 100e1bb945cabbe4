import { show } from '@aparta/ui/testing/show.tsx';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Route, Switch } from 'wouter';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BANK } from '../../test/bank.ts';
import {
  attemptThat,
  cardStage,
  EARLIER,
  merchant,
  offered,
  PAYMENT,
  type WireLayawayReference,
} from '../../test/card-stage.ts';
import { receiptThat } from '../../test/receipt.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import type { WireRefund } from '../../test/wire.ts';
import { patterns } from '../app/paths.ts';
import { keepToPay, layawayReferenceQuery } from '../data/layaway.ts';
import { attempt as kept } from '../session/attempt.ts';
import { reference as savedReference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { AfterForm } from './after-form-later.ts';
import LayawayPaymentPage from './layaway-payment-page.tsx';

const QR = '1|4|9|0|3000.00|3|600.00|0';

const applied = (intentoId = EARLIER) =>
  attemptThat('applied', {
    intentoId,
    ventaId: 501,
    folio: 'A7K299310Z',
    paidAt: '2026-11-21T20:00:00Z',
    card: { type: 'debit', last4: '4821' },
    // One day later than the plan shown before paying.
    plan: { count: 3, paid: 1, left: 2400, nextDueOn: '2026-12-21' },
  });

type Sent = { amount: number; intentoId: string; payment_method: { token: string }; referencia: string };

/** The server's answers; each test changes what it needs. */
const server = {
  reference: offered,
  readReference: (): ReturnType<Answer> => ok(server.reference),
  create: (_sent: Sent): ReturnType<Answer> => 'no network',
  attempt: (_intentoId: string): ReturnType<Answer> => refuse(404, 'NOT_FOUND'),
  verify: (): ReturnType<Answer> => refuse(404, 'NOT_FOUND'),
  receipt: receiptThat({ amount: 615 }),
  refunds: [] as WireRefund[],
};
type Answer = () => ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
const fresh = { ...server };

const calls = fakeServer(
  new Proxy({} as Parameters<typeof fakeServer>[0], {
    get: (_, route: string) => {
      if (route === 'GET /v1/PullApartReference/77') return () => server.readReference();
      if (route.startsWith('GET /v1/AzureBlob'))
        return ok({ contentByteArray: 'bG9nbw==', contentType: 'image/png' });
      if (route === 'GET /v1/Business/GetAsync/4') return ok(merchant);
      if (route === 'GET /v1/Receipts/GetAsync/A7K299310Z') return () => ok(server.receipt);
      if (route === 'GET /v1/Sales/RefundsAsync/501') return () => ok(server.refunds);
      if (route === 'POST /v1/Clib/CreatePaymentsAsync')
        return ({ body }: { body: unknown }) => server.create(body as Sent);
      if (route === `GET /v1/Clib/GetPaymentsAsync/${PAYMENT}/4`) return () => server.verify();
      const [, intentoId] = /^GET \/v1\/Clib\/GetAttemptAsync\/(.+)$/.exec(route) ?? [];
      return intentoId && (() => server.attempt(intentoId));
    },
  }),
);

const { frame, assign, replace } = cardStage();
beforeEach(() => void Object.assign(server, fresh));

function open(at = '/pullapartByClip/77') {
  return show(
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Switch>
        <Route path={patterns.payLayaway}>
          <LayawayPaymentPage step="pay" />
        </Route>
        <Route path={patterns.threeDsLayaway}>
          <LayawayPaymentPage step="threeDs" />
        </Route>
      </Switch>
    </QueryClientProvider>,
    at,
  );
}

const payButton = (sum = '$615.00') => screen.findByRole('button', { name: `Pagar ${sum}` });
const heading = (name: string) => screen.findByRole('heading', { name });
const sentPayments = () =>
  calls.filter(({ path }) => path.endsWith('CreatePaymentsAsync')).map(({ body }) => body as Sent);
const called = () => calls.map(({ method, path }) => `${method} ${path}`);

describe('the form', () => {
  test('the buyer sees the fee inside the total before the button that names the sum', async () => {
    open();
    await payButton();
    expect(screen.getByRole('heading', { name: 'Pago con tarjeta' })).toBeTruthy();
    const ticket = within(screen.getByRole('region', { name: 'Lo que pagas' }));
    expect(ticket.getByText('600 pesos')).toBeTruthy();
    expect(ticket.getByText('15 pesos')).toBeTruthy();
    expect(screen.getByText('615 pesos')).toBeTruthy();
  });

  test('who does not get on is one tap from knowing whom to ask', async () => {
    const { user } = open();
    await payButton();
    await user.click(screen.getByRole('button', { name: 'Ayuda' }));
    const help = await screen.findByRole('dialog', { name: 'Ayuda' });
    expect(await within(help).findByText('Muebles del Centro, por tu producto')).toBeTruthy();
  });

  test('there is no pay button before the card frame is there', async () => {
    frame.isReady = false;
    open();
    expect(await screen.findByRole('status', { name: 'Cargando el formulario de tu tarjeta' })).toBeTruthy();
    await waitFor(() => expect(document.querySelector('object')).toBeTruthy());
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });

  test('a merchant without a card key gets the alert, then home; nothing is sent', async () => {
    server.reference = { ...offered, acceptsCards: false, cardKey: '' };
    const { user } = open();
    const alert = within(await screen.findByRole('alertdialog', { name: 'Falta de configuración!' }));
    expect(alert.getByText('No se pueden realizar pagos con tarjeta!')).toBeTruthy();
    await user.click(alert.getByRole('button', { name: 'Aceptar' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/'));
    expect(session.user()).toBeDefined();
    expect(sentPayments()).toEqual([]);
  });

  test('no token from the frame: the alert, and nothing is sent', async () => {
    frame.token = async () => ({});
    const { user } = open();
    await user.click(await payButton());
    const alert = within(await screen.findByRole('alertdialog', { name: 'Error de tarjeta!' }));
    expect(alert.getByText('fallo la generación de token de tarjeta!')).toBeTruthy();
    expect(alert.getByText(/^No se hizo ningún cobro\./)).toBeTruthy();
    expect(sentPayments()).toEqual([]);
  });

  test('nothing is paid while the screens that would say what became of it cannot be fetched', async () => {
    const load = vi.spyOn(AfterForm, 'load').mockRejectedValue(new TypeError('Failed to fetch'));
    onTestFinished(() => load.mockRestore());
    const token = vi.spyOn(frame, 'token');
    const { user } = open();
    await user.click(await payButton());
    const alert = within(await screen.findByRole('alertdialog', { name: 'Error de tarjeta!' }));
    expect(alert.getByText(/^No se hizo ningún cobro\./)).toBeTruthy();
    expect(token).not.toHaveBeenCalled();
    expect(sentPayments()).toEqual([]);
  });

  test.each(['CL2200', 'CL2290'])(
    '%s is marked at the frame’s own fields, and the form stays',
    async (code) => {
      frame.token = async () => {
        // What the provider's SDK throws is no Error.
        // oxlint-disable-next-line typescript/only-throw-error
        throw { code, message: '' };
      };
      const { user } = open();
      await user.click(await payButton());
      expect((await screen.findByRole('alert')).textContent).toContain('Revisa los datos de tu tarjeta.');
      expect(screen.queryByRole('alertdialog')).toBeNull();
      expect(await payButton()).toBeTruthy();
      expect(sentPayments()).toEqual([]);
    },
  );
});

describe('paying', () => {
  test('approved: the id is stored before sending, and the answer is the receipt, complete', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T20:00:00Z') });
    onTestFinished(() => void vi.useRealTimers());
    savedReference.save(QR, true);
    server.create = ({ intentoId }) => {
      expect(kept.sent(offered.paymentReference)?.intentoId).toBe(intentoId);
      return ok(applied(intentoId));
    };
    const { user } = open();
    const button = await payButton();
    const before = calls.length;
    await user.click(button);
    await heading('Transacción realizada!');
    expect(screen.getByText('Gracias por su pago!')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Pagaste.*615 pesos$/);
    // One request from the tap to the receipt.
    expect(called().slice(before)).toEqual(['POST /v1/Clib/CreatePaymentsAsync']);
    expect(sentPayments()[0]).toMatchObject({
      amount: 615,
      currency: 'MXN',
      payment_method: { token: 'tok_1' },
      prevention_data: { session_id: 'risk-1' },
      apartaBusinnessId: 4,
      referencia: '11234567897',
      customer: { email: 'marisol@correo.mx' },
    });
    expect(screen.getByRole('img', { name: 'Pagado el 21 nov 2026' })).toBeTruthy();
    expect(screen.getByText('A7K2 9931 0Z')).toBeTruthy();
    expect(screen.getByText('Débito •••• 4821')).toBeTruthy();
    expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('Pagados 1 de 3');
    expect(screen.getByText('2,400 pesos')).toBeTruthy();
    expect(screen.getByText('21 dic 2026')).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Ver mi compra' }).getAttribute('href')).toBe('/saleCxcList/501');
    expect(screen.getByRole('link', { name: 'Ver mis compras' }).getAttribute('href')).toBe('/cxcList');
    await waitFor(() => expect(savedReference.current()).toBeUndefined());
    expect(kept.sent(offered.paymentReference)).toBeUndefined();
    expect(session.user()).toBeDefined();
  });

  test('another product, scanned in the meantime, stays saved', async () => {
    savedReference.save('1|4|10|0|900.00|3|180.00|0', true);
    server.reference = { ...offered, Estatus: 2, ventaId: 501, attempt: applied() };
    open();
    await heading('Transacción realizada!');
    expect(savedReference.current()).toBe('1|4|10|0|900.00|3|180.00|0');
  });

  test('two taps send one payment', async () => {
    open();
    const button = await payButton();
    fireEvent.click(button);
    fireEvent.click(button);
    await heading('Estamos confirmando tu pago');
    expect(sentPayments()).toHaveLength(1);
  });

  test('the provider’s yes stands even if the network is lost right after it', async () => {
    server.create = ({ intentoId }) => {
      server.readReference = () => 'no network';
      server.verify = () => 'no network';
      return ok(applied(intentoId));
    };
    const { user } = open();
    await user.click(await payButton());
    expect(await heading('Transacción realizada!')).toBeTruthy();
    window.dispatchEvent(new Event('focus'));
    expect(await heading('Transacción realizada!')).toBeTruthy();
  });

  test('rejected: the advice shows, and the next try is a new attempt', async () => {
    server.create = ({ intentoId }) => {
      server.reference = {
        ...offered,
        attempt: attemptThat('rejected', {
          intentoId,
          advice: 'other_card',
          card: { type: 'credit', last4: '0002' },
        }),
      };
      return ok(server.reference.attempt);
    };
    const { user } = open();
    await user.click(await payButton());
    await heading('Transacción rechazada!');
    expect(screen.getByText('Intenta con otra tarjeta.')).toBeTruthy();
    expect(screen.getByText('No salió dinero de tu cuenta')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('No salió dinero de tu cuenta');
    await user.click(screen.getByRole('button', { name: 'Reintentar pago' }));
    await user.click(await payButton());
    await heading('Transacción rechazada!');
    const [first, second] = sentPayments();
    expect(first?.intentoId).not.toBe(second?.intentoId);
  });

  test('3DS: the buyer is led to its own document, by the server’s figures', async () => {
    server.create = ({ intentoId }) =>
      ok(attemptThat('pending_3ds', { intentoId, pending_action: { url: `${BANK}/challenge/1` } }));
    const { user } = open();
    await user.click(await payButton());
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/threeDSByclipPA/77/4/600.00'));
  });
});

describe('refused before anything is charged', () => {
  async function payAndBeRefused(answer: ReturnType<typeof refuse>) {
    server.create = () => answer;
    const { user } = open();
    await user.click(await payButton());
  }

  test('another amount: the old and the new one show, and the buyer is asked again', async () => {
    server.create = () => {
      server.reference = { ...offered, cardFee: 20, cardTotal: 620 };
      return refuse(409, 'AMOUNT_CHANGED', { facts: { amount: 620 } });
    };
    const { user } = open();
    await user.click(await payButton());
    expect((await screen.findByRole('alert')).textContent).toContain('El monto cambió de $615.00 a $620.00.');
    expect(await payButton('$620.00')).toBeTruthy();
    expect(sentPayments()).toHaveLength(1);
  });

  test('a payment that is open elsewhere shows instead of the form', async () => {
    server.create = () => {
      server.reference = { ...offered, attempt: attemptThat('submitting') };
      server.attempt = () => ok(attemptThat('submitting'));
      return refuse(409, 'ATTEMPT_OPEN', { facts: { intentoId: EARLIER, state: 'submitting' } });
    };
    const { user } = open();
    await user.click(await payButton());
    expect(await heading('Estamos confirmando tu pago')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });

  test('too many rejections: how long to wait', async () => {
    await payAndBeRefused(refuse(429, 'TOO_MANY_REJECTIONS', {}, { 'Retry-After': '2400' }));
    expect((await screen.findByRole('alert')).textContent).toContain('Podrás intentarlo en 40 minutos.');
  });

  test('the provider does not answer: nothing was charged, and the form stays', async () => {
    await payAndBeRefused(refuse(503, 'PROVIDER_DOWN'));
    expect((await screen.findByRole('alert')).textContent).toContain('No se hizo ningún cobro.');
    expect(await payButton()).toBeTruthy();
  });

  test('paid elsewhere in the meantime: the true state', async () => {
    server.create = () => {
      server.reference = { ...offered, Estatus: 2, ventaId: 501 };
      return refuse(409, 'REFERENCE_PAID');
    };
    const { user } = open();
    await user.click(await payButton());
    expect(await heading('Ya está pagado')).toBeTruthy();
  });
});

describe('no answer', () => {
  test('the reply is lost and the server has the attempt: it shows, and nothing is sent twice', async () => {
    server.create = ({ intentoId }) => {
      server.reference = { ...offered, Estatus: 2, ventaId: 501, attempt: applied(intentoId) };
      server.attempt = () => ok(applied(intentoId));
      server.verify = () => ok(applied(intentoId));
      return 'no network';
    };
    const { user } = open();
    await user.click(await payButton());
    expect(await heading('Transacción realizada!')).toBeTruthy();
    expect(sentPayments()).toHaveLength(1);
  });

  test('the server never got it: the very same is sent once more, then no more', async () => {
    const { user } = open();
    await user.click(await payButton());
    await heading('Estamos confirmando tu pago');
    await waitFor(() => expect(sentPayments()).toHaveLength(2));
    const [first, second] = sentPayments();
    expect(second).toEqual(first);
    const polls = called().filter((line) => line.includes('GetAttemptAsync')).length;
    await waitFor(
      () => expect(called().filter((line) => line.includes('GetAttemptAsync')).length).toBeGreaterThan(polls),
      { timeout: 6000 },
    );
    expect(sentPayments()).toHaveLength(2);
  });

  test('a failing server may have taken it: the buyer is not offered to pay again', async () => {
    server.create = () => refuse(500, 'INTERNAL');
    server.attempt = () => 'no network';
    const { user } = open();
    await user.click(await payButton());
    expect(await heading('Estamos confirmando tu pago')).toBeTruthy();
    expect((await screen.findByRole('alert')).textContent).toContain('No vuelvas a pagar.');
  });

  test('a document that was left during a payment waits for the server to know of it', async () => {
    kept.begin(offered.paymentReference, Date.now());
    open();
    expect(await heading('Estamos confirmando tu pago')).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });
});

describe('the card page', () => {
  test('without internet it says so, instead of a card error', async () => {
    const { user } = open();
    const button = await payButton();
    const offline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    onTestFinished(() => offline.mockRestore());
    await user.click(button);
    expect(await screen.findByRole('alertdialog', { name: 'No hay conexión' })).toBeTruthy();
    expect(screen.queryByText('Error de tarjeta!')).toBeNull();
    expect(sentPayments()).toEqual([]);
  });

  test('has a way back, the provider’s logo and the merchant’s', async () => {
    server.reference = { ...offered, logofileName: 'logo-1.png' };
    open();
    const back = await screen.findByRole('link', { name: 'Volver a tu apartado' });
    expect(back.getAttribute('href')).toBe('/apartado?paso=3&id=77');
    expect(screen.getByRole('img', { name: 'Logo de Clip' })).toBeTruthy();
    await waitFor(() => expect(document.querySelector('img')?.src).toBe('data:image/png;base64,bG9nbw=='));
  });

  test('has a heading while it loads and when it fails', async () => {
    server.readReference = () => 'no network';
    open();
    expect(screen.getByRole('heading', { level: 1, name: 'Pago con tarjeta' })).toBeTruthy();
    await screen.findByText('No pudimos abrir tu pago');
    expect(screen.getByRole('heading', { level: 1, name: 'Pago con tarjeta' })).toBeTruthy();
  });
});

describe('arriving', () => {
  const arrivals: [string, Partial<WireLayawayReference>, string][] = [
    ['an unknown attempt', { attempt: attemptThat('unknown') }, 'Estamos confirmando tu pago'],
    ['one that waits for 3DS', { attempt: attemptThat('pending_3ds') }, 'Termina la autenticación'],
    ['one under review', { attempt: attemptThat('held') }, 'Tu pago está en revisión'],
    ['a paid one', { Estatus: 2, ventaId: 501, attempt: applied() }, 'Transacción realizada!'],
    ['one that goes back', { Estatus: 3, attempt: attemptThat('returned') }, 'Abono no aplicado en Aparta!'],
    ['a rejected one', { attempt: attemptThat('rejected') }, 'Transacción rechazada!'],
    ['one that was not charged', { attempt: attemptThat('not_charged') }, 'Transaccion rechazada!'],
    ['an abandoned one', { attempt: attemptThat('abandoned') }, 'Transaccion rechazada!'],
    ['a reference paid at a till', { Estatus: 2, ventaId: 501 }, 'Ya está pagado'],
    ['an expired reference', { Estatus: 3 }, 'Tu referencia venció'],
    ['a cancelled reference', { Estatus: 4 }, 'Esta referencia se canceló'],
  ];
  test.each(arrivals)(
    '%s is shown from the server’s state, and no card is asked for',
    async (_, given, title) => {
      server.reference = { ...offered, ...given };
      if (given.attempt) server.attempt = () => ok(given.attempt);
      open();
      expect(await heading(title)).toBeTruthy();
      expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
      expect(document.querySelector('iframe')).toBeNull();
    },
  );

  test('a payment under review is not said to be applied by itself', async () => {
    server.reference = { ...offered, attempt: attemptThat('held') };
    server.attempt = () => ok(attemptThat('held'));
    open();
    await heading('Tu pago está en revisión');
    expect(screen.getByText('No vuelvas a pagar.')).toBeTruthy();
    expect(screen.queryByText(/se aplica/)).toBeNull();
    expect(screen.getByText(/^Lo aplicamos o te devolvemos el dinero completo/)).toBeTruthy();
  });

  test('money that goes back: how much, how and when', async () => {
    server.reference = {
      ...offered,
      Estatus: 3,
      attempt: attemptThat('returned', { refund: { amount: 615, done: false } }),
    };
    open();
    await heading('Abono no aplicado en Aparta!');
    expect(screen.getByText('favor de contactar a soporte de Aparta!')).toBeTruthy();
    expect(screen.getByText('Te devolvemos $615.00')).toBeTruthy();
  });

  test.each([
    ['rejected', 3, 'Tu referencia venció', /^No salió dinero de tu cuenta\. Lo revisamos con Clip\./],
    ['rejected', 2, 'Ya está pagado', /^No salió dinero de tu cuenta\./],
    ['not_charged', 4, 'Esta referencia se canceló', /^No salió dinero de tu cuenta\./],
    [
      'abandoned',
      3,
      'Tu referencia venció',
      /^Si tu banco llegara a cobrarlo, lo aplicamos o te lo devolvemos/,
    ],
  ] as const)(
    'a card that was %s while its reference ended (%i): what became of the money is said too',
    async (state, Estatus, title, said) => {
      server.reference = { ...offered, Estatus, attempt: attemptThat(state) };
      open();
      await heading(title);
      expect(screen.getByText(said)).toBeTruthy();
    },
  );

  test('a reference that ended without a card says nothing of one', async () => {
    server.reference = { ...offered, Estatus: 3 };
    open();
    await heading('Tu referencia venció');
    expect(screen.queryByText(/Tu pago con tarjeta/)).toBeNull();
  });

  describe('money that went back after it was applied', () => {
    const ended = { ...offered, Estatus: 2, ventaId: 501, attempt: { ...applied(), plan: null } } as const;
    const owed: WireRefund = {
      id: 1,
      amount: 615,
      way: 'card',
      state: 'owed',
      last4: '4821',
      payerName: null,
      folio: 'A7K299310Z',
      createdAt: '2026-11-22T20:00:00Z',
      doneAt: null,
    };
    const giveBack = (refunded = 615) => {
      server.reference = ended;
      server.receipt = receiptThat({ amount: 615, refunded, cancelled: true });
      server.refunds = [owed];
    };
    const isNotCalledPaid = async (title = 'Este pago ya no cuenta') => {
      await heading(title);
      expect(document.title).toContain(title);
      expect(screen.queryByText(/^Transacci/)).toBeNull();
      expect(screen.queryByText(/^Gracias/)).toBeNull();
      expect(screen.queryByRole('img', { name: /^Pagado/ })).toBeNull();
      expect(screen.queryByText('Te falta')).toBeNull();
    };

    test.each(['/pullapartByClip/77', '/threeDSByclipPA/77/4/600.00'])(
      'is not called paid: %s',
      async (at) => {
        giveBack();
        open(at);
        await isNotCalledPaid();
        expect(await screen.findByText('En devolución')).toBeTruthy();
        expect(screen.getByText('Devolución').nextElementSibling?.textContent).toContain('$615.00');
        expect(screen.getByText('Esta compra se canceló: no te falta ningún pago.')).toBeTruthy();
      },
    );

    test('is not called paid on the screen that said so, which comes back from the browser’s cache', async () => {
      server.create = ({ intentoId }) => ok(applied(intentoId));
      const { user } = open();
      await user.click(await payButton());
      await heading('Transacción realizada!');
      // Browsers keep a page once it has done what follows its outcome.
      await waitFor(() => expect(kept.sent(offered.paymentReference)).toBeUndefined());
      giveBack();
      act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
      await isNotCalledPaid();
      expect(await screen.findByText('En devolución')).toBeTruthy();
    });

    test('but for the penalty: the purchase is cancelled, and what comes back is said', async () => {
      giveBack(400);
      open();
      await isNotCalledPaid('Esta compra se canceló');
      expect(screen.getByText('Devolución').nextElementSibling?.textContent).toContain('$400.00');
    });

    test('while the purchase goes on with other money is not called paid either', async () => {
      server.reference = { ...ended, attempt: applied() };
      server.receipt = receiptThat({ amount: 615, refunded: 615, balance: 1800 });
      open();
      await isNotCalledPaid();
      expect(await screen.findByText('Devuelto')).toBeTruthy();
    });

    test('is not doubted where nobody can say whether it did', async () => {
      server.reference = ended;
      server.receipt = receiptThat({ amount: 615 });
      open();
      expect(await heading('Transacción realizada!')).toBeTruthy();
    });
  });

  test('after an abandoned 3DS nothing is claimed about the account', async () => {
    server.reference = { ...offered, attempt: attemptThat('abandoned') };
    open();
    await heading('Transaccion rechazada!');
    expect(screen.queryByText('No salió dinero de tu cuenta')).toBeNull();
  });

  test('and the buyer goes back to the bank’s window while the bank waits, else they are told that it expired', async () => {
    const abandoned = attemptThat('abandoned');
    server.reference = { ...offered, attempt: abandoned };
    server.verify = () => ok(abandoned);
    const { user } = open();
    const resume = () => screen.findByRole('button', { name: 'Terminar la autenticación' });
    await user.click(await resume());
    expect(await screen.findByText(/Tu banco ya no espera/)).toBeTruthy();
    expect(assign).not.toHaveBeenCalled();

    server.verify = () => ok(attemptThat('pending_3ds'));
    cleanup();
    open();
    await user.click(await resume());
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/threeDSByclipPA/77/4/600.00'));
    expect(sentPayments()).toEqual([]);
  });

  describe('from step 3, before the server answers', () => {
    const seen = new QueryClient();
    const leave = (buyerId = marisol.id, id = 77) => keepToPay(seen, buyerId, id);
    beforeEach(() => {
      seen.setQueryData(layawayReferenceQuery(77).queryKey, { isSuccess: true, message: '', data: offered });
      server.readReference = () => 'no network';
    });

    test('the form shows what the buyer has just seen there, once', async () => {
      leave();
      open();
      expect(await payButton()).toBeTruthy();
      cleanup();
      open();
      expect(await screen.findByText('No pudimos abrir tu pago')).toBeTruthy();
    });

    test('what the server says then counts', async () => {
      leave();
      server.readReference = () => ok({ ...offered, Estatus: 2, ventaId: 501, attempt: applied() });
      open();
      expect(await heading('Transacción realizada!')).toBeTruthy();
    });

    test.each([
      ['another buyer saw', () => leave(marisol.id + 1)],
      [
        'was seen before they signed out',
        () => [leave(), session.close(), session.open({ ...marisol, token: 't' })],
      ],
      ['was seen some time ago', () => [leave(), vi.setSystemTime(Date.now() + 11_000)]],
    ])('nothing shows that %s', async (_, leaving) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      leaving();
      open();
      expect(await screen.findByText('No pudimos abrir tu pago')).toBeTruthy();
    });
  });

  test('a page that comes back from the browser’s cache asks the server again', async () => {
    open();
    await payButton();
    server.reference = { ...offered, Estatus: 2, ventaId: 501, attempt: applied() };
    act(() => void window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    expect(await heading('Transacción realizada!')).toBeTruthy();
  });

  test('no network on opening: what failed, and a retry button', async () => {
    const { fetch } = globalThis;
    globalThis.fetch = async () => {
      throw new TypeError('Failed to fetch');
    };
    const { user } = open();
    expect(await screen.findByText('No pudimos abrir tu pago')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Ayuda' })).toBeTruthy();
    globalThis.fetch = fetch;
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await payButton()).toBeTruthy();
  });
});

describe('3DS', () => {
  const waiting = attemptThat('pending_3ds', { pending_action: { url: `${BANK}/challenge/1` } });
  // The balance in the URL can be forged: the screen shows the server's.
  const ADDRESS = '/threeDSByclipPA/77/4/1.00';

  beforeEach(() => {
    server.reference = { ...offered, attempt: waiting };
    server.attempt = () => ok(waiting);
    server.verify = () => ok(waiting);
  });

  async function bankWindow() {
    const found: HTMLIFrameElement = await screen.findByTitle('Ventana de tu banco');
    return found;
  }

  function say(data: unknown, from: { origin?: string; source?: MessageEventSource | null }) {
    act(() => void window.dispatchEvent(new MessageEvent('message', { data, origin: BANK, ...from })));
  }

  test('the bank’s window is fenced in, and the four figures are the server’s', async () => {
    open(ADDRESS);
    const frameOfBank = await bankWindow();
    expect(screen.getByRole('heading', { name: 'Autenticación 3DS' })).toBeTruthy();
    expect(frameOfBank.getAttribute('sandbox')).toBe(
      'allow-scripts allow-forms allow-same-origin allow-popups',
    );
    expect(frameOfBank.getAttribute('src')).toBe(`${BANK}/challenge/1`);
    const rows = [...document.querySelectorAll('dl > div')].map(
      (row) =>
        `${row.querySelector('dt')?.textContent}: ${(row.querySelector('[aria-hidden]') ?? row.querySelector('dd'))?.textContent}`,
    );
    expect(rows).toEqual(['Vencimiento: 22 nov 2026', 'Valor: $600.00', 'Pagos: $0.00', 'Saldo: $600.00']);
  });

  test('a message of another origin, another window or another payment is not heard', async () => {
    open(ADDRESS);
    const source = (await bankWindow()).contentWindow;
    say({ paymentId: PAYMENT }, { source, origin: 'https://evil.test' });
    say({ paymentId: PAYMENT }, { source: window });
    say({ paymentId: PAYMENT }, { source: null });
    say({ paymentId: EARLIER }, { source });
    say('paymentId', { source });
    // What a message starts has begun once the next turn of the event loop has passed.
    await act(async () => new Promise((resolve) => setTimeout(resolve, 0)));
    expect(screen.getByRole('heading', { name: 'Autenticación 3DS' })).toBeTruthy();
    expect(called().filter((line) => line.includes('GetPaymentsAsync'))).toEqual([]);
  });

  test('the bank’s own message, however often, makes the server check once, and the outcome shows', async () => {
    open(ADDRESS);
    const source = (await bankWindow()).contentWindow;
    server.verify = () => {
      server.reference = { ...offered, Estatus: 2, ventaId: 501, attempt: applied() };
      server.attempt = () => ok(applied());
      return ok(applied());
    };
    const before = calls.length;
    say({ paymentId: PAYMENT }, { source });
    say({ paymentId: PAYMENT }, { source });
    expect(await heading('Transacción exitosa!')).toBeTruthy();
    // From the bank's message to the receipt: the check, beside the poll of the screen that waits for it.
    expect(called().slice(before).toSorted()).toEqual([
      `GET /v1/Clib/GetAttemptAsync/${EARLIER}`,
      `GET /v1/Clib/GetPaymentsAsync/${PAYMENT}/4`,
    ]);
  });

  test('after the bank’s answer nothing is said to be doubtful, unless it takes long', async () => {
    open(ADDRESS);
    const source = (await bankWindow()).contentWindow;
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    say({ paymentId: PAYMENT }, { source });
    expect(await heading('Tu banco respondió')).toBeTruthy();
    expect(screen.getByText('Estamos aplicando tu pago…')).toBeTruthy();
    expect(screen.getByRole('region', { name: 'Pago que estamos aplicando' }).textContent).toContain(
      '$615.00',
    );
    expect(screen.queryByText('No vuelvas a pagar.')).toBeNull();
    expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Ayuda']);
    await act(() => vi.advanceTimersByTimeAsync(8_000));
    expect(screen.getByRole('heading', { name: 'Tu banco respondió' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(await heading('Estamos confirmando tu pago')).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Abrir la ventana otra vez' })).toBeTruthy();
  });

  test('closing the window is no cancel: we are still confirming, and it can be opened again', async () => {
    const { user } = open(ADDRESS);
    await bankWindow();
    expect(screen.getByRole('button', { name: 'Ayuda' })).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Cerrar esta ventana' }));
    await heading('Estamos confirmando tu pago');
    await user.click(screen.getByRole('button', { name: 'Abrir la ventana otra vez' }));
    expect(await bankWindow()).toBeTruthy();
  });

  test('what the server learns by itself shows without any message', async () => {
    open(ADDRESS);
    await bankWindow();
    const rejected = attemptThat('rejected', { advice: 'retry' });
    server.reference = { ...offered, attempt: rejected };
    server.attempt = () => ok(rejected);
    expect(await heading('Validación rechazada!')).toBeTruthy();
  });

  test('a window of an origin that is not the provider’s is never opened', async () => {
    server.reference = {
      ...offered,
      attempt: { ...waiting, pending_action: { url: 'https://evil.test/challenge' } },
    };
    server.attempt = () => ok(server.reference.attempt);
    open(ADDRESS);
    expect(await heading('Estamos confirmando tu pago')).toBeTruthy();
    expect(document.querySelector('iframe')).toBeNull();
  });

  test('without anything to authenticate the buyer is led to the form', async () => {
    server.reference = offered;
    open(ADDRESS);
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/pullapartByClip/77'));
  });
});
