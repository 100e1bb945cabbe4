import { centavos } from '@aparta/domain/money';
import { show } from '@aparta/ui/testing/show.tsx';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { BANK } from '../../../test/bank.ts';
import { cardStage } from '../../../test/card-stage.ts';
import { fakeServer, ok, refuse } from '../../../test/server.ts';
import { helpAttempt } from '../../session/help-attempt.ts';
import { helpNumber } from '../../session/help-number.ts';
import { session } from '../../session/session.ts';
import HelpingPage from './helping-page.tsx';
import { storeCopy } from './store-copy.ts';

const EARLIER = '7b1c3d54-0000-4000-8000-00000000000b';
const CODE = 'un-codigo';

const asked = {
  firstName: 'Ana',
  productName: 'Sala Nórdica',
  pictures: null,
  tradeName: 'Muebles del Centro',
  helpMessage: '¿Me echan la mano?',
  goal: 800,
  goalLeft: 800,
  helped: 0,
  least: 50,
  most: 2400,
  cardFee: 15,
  storeFee: 5,
  storeMost: 10_000,
  penalty: 200,
  acceptsCards: true,
  cardKey: 'public-key',
};

const paymentThat = (state: string, given: object = {}) => ({
  intentoId: EARLIER,
  state,
  pending_action: { url: state === 'pending_3ds' ? `${BANK}/challenge/1` : '' },
  amount: 815,
  folio: null,
  paidAt: null,
  card: null,
  createdAt: '2026-11-20T19:42:00Z',
  advice: null,
  refund: null,
  ...given,
});
const APPLIED = {
  folio: 'A7K299310Z',
  paidAt: '2026-11-21T20:00:00Z',
  card: { type: 'debit', last4: '4821' },
};

const numberThat = (storeState: string, given: object = {}) => ({
  intentoId: EARLIER,
  storeState,
  reference: '90001111222233',
  barcode: '90001111222233',
  amount: 805,
  fee: 5,
  tooMuch: false,
  expiresAt: '2099-11-20T05:59:59Z',
  firstName: 'Ana',
  productName: 'Sala Nórdica',
  tradeName: 'Muebles del Centro',
  stores: [
    { name: '7-Eleven', limit: 10_000 },
    { name: 'Circle K', limit: 600 },
  ],
  given: 0,
  folio: null,
  paidAt: null,
  owedBack: 0,
  handedOver: false,
  ...given,
});

const PAID = { folio: 'A7K299310Z', paidAt: '2026-11-21T20:00:00Z' };

type Answer = ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network';
type Sent = { amount: number; intentoId: string; workProof: string; helperName: string };

const server = {
  read: (): Answer | Promise<Answer> => ok(asked),
  pay: (_sent: Sent): Answer => 'no network',
  payment: (_intentoId: string): Answer => refuse(404, 'NOT_FOUND'),
  number: (_sent: Sent): Answer => 'no network',
  atStore: (): Answer => 'no network',
};
const fresh = { ...server };
const calls = fakeServer({
  'POST /v1/Help/ReadAsync': () => server.read(),
  'POST /v1/Help/PayAsync': ({ body }) => server.pay(body as Sent),
  'POST /v1/Help/StoreReferenceAsync': ({ body }) => server.number(body as Sent),
  'POST /v1/Help/StorePaymentAsync': () => server.atStore(),
  'POST /v1/Help/PaymentAsync': ({ body }) => server.payment((body as { intentoId: string }).intentoId),
});

/** Stands in for the browser's worker, whose work takes a while (`try-work.test.ts`). */
class DoneAtOnce extends EventTarget {
  postMessage() {
    queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: 65_536 })));
  }
  terminate() {}
}

const { frame } = cardStage();
beforeEach(() => {
  Object.assign(server, fresh);
  helpAttempt.clear();
  helpNumber.clear();
  vi.stubGlobal('Worker', DoneAtOnce);
});

const paid = () => calls.filter(({ path }) => path === '/v1/Help/PayAsync');
const open = () => show(<HelpingPage />, `/ayudar#${CODE}`);

async function fill(user: ReturnType<typeof open>['user']): Promise<void> {
  await user.type(await screen.findByLabelText('Tu nombre'), 'Tía Marta');
  await user.type(screen.getByLabelText('Tu correo'), 'marta@example.mx');
}

describe('a help link', () => {
  test('says who asks and for what, what a cancellation would take, and offers the rest of the goal', async () => {
    open();
    await screen.findByRole('heading', { name: 'Ana te pide ayuda para pagar' });
    screen.getByText('Sala Nórdica');
    screen.getByText('¿Me echan la mano?');
    screen.getByRole('progressbar', { name: 'Van $0.00 de $800.00' });
    screen.getByText(/hasta \$200\.00/);
    expect(await screen.findByRole('button', { name: 'Pagar $815.00' })).toBeDefined();
  });

  test('sends nothing of a session that the tab has, and no code in an address', async () => {
    expect(session.token()).toBe('t');
    open();
    await screen.findByRole('button', { name: 'Pagar $815.00' });
    expect(calls.length).toBeGreaterThan(0);
    for (const { authorization, path, search } of calls) {
      expect(authorization).toBeNull();
      expect(`${path}${search}`).not.toContain(CODE);
    }
  });

  test.each([
    ['that ended or was invented', () => refuse(404, 'NOT_FOUND'), 'Este enlace ya no sirve'],
    ['of what is paid already', () => ok({ ...asked, least: 0, most: 0, goalLeft: 0 }), '¡Ya está pagada!'],
  ])('%s says so, and takes nothing', async (_, read, title) => {
    server.read = read;
    open();
    await screen.findByRole('heading', { name: title });
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
  });

  test('that cannot be read offers another try', async () => {
    server.read = () => 'no network';
    const { user } = open();
    await screen.findByText('No pudimos abrir el enlace');
    server.read = fresh.read;
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByRole('heading', { name: 'Ana te pide ayuda para pagar' })).toBeDefined();
  });
});

describe('a helper', () => {
  test('is told what is wrong before anything is sent', async () => {
    const { user } = open();
    await user.click(await screen.findByRole('radio', { name: 'Otra cantidad' }));
    await user.type(screen.getByLabelText('Cantidad en pesos'), '20');
    await user.click(await screen.findByRole('button', { name: 'Pagar' }));
    screen.getByText('Escribe una cantidad de $50.00 a $2,400.00. Los centavos van con punto.');
    screen.getByText('Escribe tu nombre, de 2 letras o más.');
    expect(screen.getByLabelText('Cantidad en pesos')).toBe(document.activeElement);
    expect(paid()).toEqual([]);
  });

  test('who calls themselves a web address is told to write their name, and nothing is sent', async () => {
    const { user } = open();
    await fill(user);
    await user.type(screen.getByLabelText('Tu nombre'), ' www.evil.example');
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    screen.getByText('Escribe tu nombre, sin direcciones de internet.');
    expect(paid()).toEqual([]);
  });

  test('pays once however often they press, with work shown, goes by the bank, and is thanked', async () => {
    server.pay = (sent) => ok(paymentThat('pending_3ds', { intentoId: sent.intentoId }));
    server.payment = (intentoId) => ok(paymentThat('pending_3ds', { intentoId }));
    const { user } = open();
    await fill(user);
    await user.dblClick(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    const frame = await screen.findByTitle<HTMLIFrameElement>('Ventana de tu banco', {}, { timeout: 20_000 });
    expect(paid()).toHaveLength(1);
    const sent = paid()[0]?.body as Sent;
    expect(sent).toMatchObject({
      amount: 815,
      helperName: 'Tía Marta',
      workProof: '65536',
    });
    const say = (origin: string, source: Window | null) =>
      act(() => void window.dispatchEvent(new MessageEvent('message', { origin, source, data: {} })));
    // Neither another origin nor another window is the bank's.
    say('https://other.test', frame.contentWindow);
    say(BANK, window);
    expect(screen.getByTitle('Ventana de tu banco')).toBe(frame);
    server.payment = (intentoId) => ok(paymentThat('applied', { ...APPLIED, intentoId }));
    say(BANK, frame.contentWindow);
    await screen.findByRole('heading', { name: '¡Gracias!' });
    screen.getByText('A7K2 9931 0Z');
    screen.getByText('Débito •••• 4821');
    // A reload still shows it.
    cleanup();
    open();
    await screen.findByRole('heading', { name: '¡Gracias!' });
    expect(paid()).toHaveLength(1);
  });

  test('finds the payment that was under way when the page was loaded again, and is offered no other', async () => {
    helpAttempt.begin(EARLIER, CODE, Date.now());
    server.payment = () => ok(paymentThat('unknown'));
    open();
    await screen.findByRole('heading', { name: 'Estamos confirmando tu pago' });
    expect(screen.queryByRole('button', { name: /^Pagar/ })).toBeNull();
    server.payment = () => ok(paymentThat('applied', APPLIED));
    await screen.findByRole('heading', { name: '¡Gracias!' }, { timeout: 10_000 });
  });

  test('whose payment is under way in an outage reads that it is followed, asks again by itself, and hears of it', async () => {
    helpAttempt.begin(EARLIER, CODE, Date.parse('2026-11-20T19:42:00Z'));
    // A card that was sent comes before a number for stores that was taken earlier.
    helpNumber.keep(CODE, numberThat('waiting') as never);
    server.read = () => 'no network';
    server.payment = () => refuse(503, 'UNAVAILABLE');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    const { user } = open();
    await screen.findByRole('heading', { name: 'Estamos siguiendo tu pago' });
    screen.getByText('Lo enviaste desde aquí el 20 nov 2026, 13:42 h.');
    screen.getByText('No vuelvas a pagar.');
    expect(screen.queryByRole('img', { name: /Código de barras/ })).toBeNull();
    const reads = () => calls.filter(({ path }) => path === '/v1/Help/ReadAsync').length;
    const before = reads();
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await waitFor(() => expect(reads()).toBe(before + 1));
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    await waitFor(() => expect(reads()).toBe(before + 2));
    server.read = fresh.read;
    server.payment = fresh.payment;
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    // The server never had it: that is said before another payment is offered.
    await screen.findByRole('heading', { name: 'Estamos confirmando tu pago' });
    await act(() => vi.advanceTimersByTimeAsync(10_000));
    expect(await screen.findByText('Tu pago no nos llegó.', {}, { timeout: 20_000 })).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Pagar $815.00' })).toBeDefined();
  });

  test('finds it though the link has ended meanwhile', async () => {
    helpAttempt.begin(EARLIER, CODE, Date.now());
    server.read = () => refuse(404, 'NOT_FOUND');
    server.payment = () => ok(paymentThat('applied', APPLIED));
    open();
    expect(await screen.findByRole('heading', { name: '¡Gracias!' })).toBeDefined();
  });

  test('reads the sums as they are now when they changed, and that nothing was charged', async () => {
    server.pay = () => {
      server.read = () => ok({ ...asked, goalLeft: 700, most: 700 });
      return refuse(409, 'AMOUNT_CHANGED', { facts: { amount: 715 } });
    };
    const { user } = open();
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    await screen.findByText('Lo que falta cambió mientras pagabas', {}, { timeout: 20_000 });
    await screen.findByRole('button', { name: 'Pagar $715.00' });
    expect(screen.getByLabelText<HTMLInputElement>('Tu nombre').value).toBe('Tía Marta');
  });

  test('pays what they pressed, though others gave while their card was read', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    let answer: ((token: unknown) => void) | undefined;
    frame.token = () => new Promise((resolve) => (answer = resolve));
    const { user } = open();
    await screen.findByText('No pudimos revisar tu pago.');
    let read: ((now: Answer) => void) | undefined;
    server.read = () => new Promise((resolve) => (read = resolve));
    await user.click(screen.getByRole('button', { name: 'Dar otra cantidad o pagar con tarjeta' }));
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    await waitFor(() => expect([answer, read]).not.toContain(undefined));
    read?.(ok({ ...asked, goalLeft: 300 }));
    await act(() => new Promise((resolve) => setTimeout(resolve, 100)));
    act(() => answer?.({ id: 'tok_1' }));
    await waitFor(() => expect(paid()[0]?.body).toMatchObject({ amount: 815 }), { timeout: 20_000 });
  });

  test.each([
    ['TOO_MANY_REJECTIONS', 429, 'Por seguridad hacemos una pausa'],
    ['PROVIDER_DOWN', 503, 'El servicio de tarjetas no responde'],
  ])('may try again after %s', async (code, status, title) => {
    server.pay = () => refuse(status, code);
    const { user } = open();
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    await screen.findByText(title, {}, { timeout: 20_000 });
    screen.getByRole('button', { name: 'Pagar $815.00' });
    // It is forgotten after the screen was drawn.
    await waitFor(() => expect(helpAttempt.sent(CODE)).toBeUndefined());
  });

  test('whose card is rejected reads why, and tries another with all else as it was', async () => {
    server.pay = ({ intentoId }) => ok(paymentThat('rejected', { intentoId, advice: 'other_card' }));
    server.payment = (intentoId) => ok(paymentThat('rejected', { intentoId, advice: 'other_card' }));
    const { user } = open();
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    await screen.findByRole('heading', { name: 'No se pudo cobrar' }, { timeout: 20_000 });
    screen.getByText('Intenta con otra tarjeta.');
    screen.getByText('No salió dinero de tu cuenta');
    await user.click(screen.getByRole('button', { name: 'Reintentar pago' }));
    expect((await screen.findByLabelText<HTMLInputElement>('Tu correo')).value).toBe('marta@example.mx');
    await waitFor(() => screen.getByRole('button', { name: 'Pagar $815.00' }));
  });

  test('whose card was the last that the link took reads that it ended, and that nothing was charged', async () => {
    helpAttempt.begin(EARLIER, CODE, Date.now());
    server.read = () => refuse(404, 'NOT_FOUND');
    server.payment = () => ok(paymentThat('rejected', { advice: 'retry' }));
    open();
    await screen.findByRole('heading', { name: 'Este enlace ya no sirve' });
    expect(screen.getByText('Tu último intento no se cobró.')).toBeDefined();
  });

  test('whose money came too late reads that it goes back whole', async () => {
    helpAttempt.begin(EARLIER, CODE, Date.now());
    server.read = () => ok({ ...asked, least: 0, most: 0, goalLeft: 0 });
    server.payment = () => ok(paymentThat('returned', { refund: { amount: 815, done: false } }));
    open();
    await screen.findByRole('heading', { name: 'Te devolvemos tu dinero' });
    screen.getByText('Te devolvemos $815.00');
    expect(screen.queryByRole('button', { name: 'Ayudar otra vez' })).toBeNull();
  });
});

describe('a helper whose money goes back while the purchase is still being paid', () => {
  test.each([
    ['less is left than they gave', 300, 'Falta menos de lo que diste. Puedes dar hasta $300.00.'],
    ['it came to nothing another way', 800, 'Si quieres, puedes ayudar otra vez.'],
  ])('reads what they may do now, and of no charge that was cancelled: %s', async (_, most, said) => {
    helpAttempt.begin(EARLIER, CODE, Date.now());
    server.read = () => ok({ ...asked, most, goalLeft: most });
    server.payment = () => ok(paymentThat('returned', { refund: { amount: 815, done: false } }));
    open();
    await screen.findByRole('heading', { name: 'Te devolvemos tu dinero' });
    screen.getByText('Te devolvemos $815.00');
    screen.getByText(said);
    expect(screen.queryByText(/se canceló/)).toBeNull();
    screen.getByRole('button', { name: 'Ayudar otra vez' });
  });
});

describe('a helper who goes to a store', () => {
  test('may share a number that says by which clock it ends', () => {
    const text = storeCopy.shareText('Sala', '9412 7700', centavos(51_500), new Date('2096-11-23T05:59:00Z'));
    expect(text).toMatch(/Vigente hasta el 22 nov 2096, 23:59 h \(Ciudad de México\)\.$/);
  });

  const atStore = async (user: ReturnType<typeof open>['user']) =>
    user.click(await screen.findByRole('radio', { name: 'En efectivo en una tienda: $805.00' }));
  const asked805 = () => calls.filter(({ path }) => path === '/v1/Help/StoreReferenceAsync');

  test('reads what it costs each way and how cash would come back, gets a number once, and finds it again', async () => {
    server.number = ({ intentoId }) => ok(numberThat('waiting', { intentoId }));
    server.atStore = () => ok(numberThat('waiting'));
    const { user } = open();
    await screen.findByRole('radio', { name: 'Con tarjeta: $815.00' });
    await atStore(user);
    screen.getByText(/Muebles del Centro te devuelve ese dinero en efectivo, en su caja, con tu folio/);
    screen.getByText(/Si Ana cancela la compra, Muebles del Centro te devuelve/);
    expect(screen.queryByText('Tu banco te pedirá confirmar que eres tú.')).toBeNull();
    await fill(user);
    await user.dblClick(screen.getByRole('button', { name: 'Obtener referencia de $805.00' }));
    await screen.findByRole('heading', { name: 'Paga en una tienda' });
    expect(asked805()).toHaveLength(1);
    expect(asked805()[0]?.body).toMatchObject({ amount: 805, workProof: '65536', helperName: 'Tía Marta' });
    screen.getByRole('img', { name: /Código de barras/ });
    screen.getByText('No es posible: recibe hasta $600.00');
    cleanup();
    open();
    await screen.findByRole('heading', { name: 'Paga en una tienda' });
    server.atStore = () => ok(numberThat('paid', { given: 805, ...PAID }));
    cleanup();
    const later = open();
    await screen.findByRole('heading', { name: '¡Gracias!' });
    screen.getByText('A7K2 9931 0Z');
    await later.user.click(screen.getByRole('button', { name: 'Ayudar otra vez' }));
    await screen.findByRole('button', { name: 'Pagar $815.00' });
    expect(helpNumber.of(CODE)).toBeUndefined();
  });

  test('sees the last number where nothing answers, and goes back to the link without losing it', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    const { user } = open();
    await screen.findByText('No pudimos revisar tu pago.');
    screen.getByRole('img', { name: /Código de barras/ });
    await user.click(screen.getByRole('button', { name: 'Dar otra cantidad o pagar con tarjeta' }));
    await screen.findByText('Tienes una referencia de $805.00 para pagar en tienda.');
    await user.click(screen.getByRole('button', { name: 'Ver mi referencia' }));
    expect(await screen.findByRole('heading', { name: 'Paga en una tienda' })).toBeDefined();
  });

  test.each([
    ['over', {}, 'No pagues con esta referencia', '¿Ya pagaste?'],
    ['reversed', {}, 'La tienda revirtió tu pago', 'Si no fue así'],
    ['owed_back', { owedBack: 805, ...PAID }, 'Te devolvemos tu dinero en efectivo', '$805.00 por recoger'],
    [
      'owed_back',
      { owedBack: 805, handedOver: true, ...PAID },
      'Ya te devolvimos tu dinero',
      'Te entregaron $805.00',
    ],
    [
      'paid',
      { given: 805, owedBack: 300, ...PAID },
      'Tienes $300.00 por recoger',
      'De lo que pagaste en la tienda para Ana, esto no se usó: su compra ya no lo necesita o se canceló.',
    ],
    [
      'paid',
      { given: 805, owedBack: 805, handedOver: true, ...PAID },
      'Te entregaron $805.00',
      'esto no se usó',
    ],
    ['waiting', { tooMuch: true }, 'Paga en una tienda', 'Ya falta menos'],
  ])('reads what became of it: %s %j, though the link ended', async (state, given, title, says) => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    server.read = () => refuse(404, 'NOT_FOUND');
    server.atStore = () => ok(numberThat(state, given));
    open();
    await screen.findByRole('heading', { name: title });
    expect(await screen.findByText(says, { exact: false })).toBeDefined();
  });

  test('whose money waits at the shop after a cancel reads neither that it was paid nor that more is wanted', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    server.read = () => refuse(404, 'NOT_FOUND');
    server.atStore = () => ok(numberThat('paid', { given: 805, owedBack: 805, ...PAID }));
    open();
    await screen.findByRole('heading', { name: 'Tienes $805.00 por recoger' });
    screen.getByText('lleva el folio A7K2 9931 0Z', { exact: false });
    expect(screen.queryByText(/ya se abonó|¡Gracias!/)).toBeNull();
    expect(screen.queryByText('Pagado')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Ayudar otra vez' })).toBeNull();
  });

  test('thanked for what was applied is asked for more only while the link takes it', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    server.read = () => refuse(404, 'NOT_FOUND');
    server.atStore = () => ok(numberThat('paid', { given: 805, ...PAID }));
    open();
    await screen.findByRole('heading', { name: '¡Gracias!' });
    screen.getByText('Pagado');
    expect(screen.queryByRole('button', { name: 'Ayudar otra vez' })).toBeNull();
  });

  test('who paid a number twice reads of both payments, and of what is still to collect', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    const one = (folio: string, more: object = {}) => ({
      folio,
      amount: 805,
      paidAt: '2026-11-21T20:00:00Z',
      owedBack: 0,
      handedOver: false,
      ...more,
    });
    const payments = [one('A7K299310Z'), one('B7K299310Z', { owedBack: 300, handedOver: true })];
    const last = one('C7K299310Z', { owedBack: 805 });
    const all = { given: 2415, owedBack: 1105, folio: last.folio, payments: [...payments, last] };
    server.atStore = () => ok(numberThat('paid', all));
    open();
    await screen.findByText('$2,415.00');
    screen.getByText('Con tu referencia se pagó 3 veces');
    for (const folio of ['A7K2 9931 0Z', 'B7K2 9931 0Z', 'C7K2 9931 0Z'])
      expect(screen.getByText(`Folio ${folio}`, { selector: 'dt' }).parentElement?.textContent).toContain(
        '$805.00',
      );
    screen.getByText('$805.00 por recoger');
    screen.getByText('lleva el folio C7K2 9931 0Z', { exact: false });
    screen.getByText('Te entregaron $300.00');
    cleanup();
    server.atStore = () =>
      ok(numberThat('owed_back', { ...all, given: 805, owedBack: 805, payments: [last] }));
    open();
    await screen.findByText('$805.00 por recoger');
    screen.getByText('lleva el folio C7K2 9931 0Z', { exact: false });
  });

  test('reads what it was for with its picture from the start, and so does a link that is over', async () => {
    const pictures = { small: '/pictures/7-a-small.webp', large: '/pictures/7-a-large.webp' };
    helpNumber.keep(CODE, numberThat('paid', { given: 805, ...PAID, pictures }) as never);
    const silent = new Promise<never>(() => {});
    server.read = () => silent;
    open();
    await screen.findByRole('heading', { name: '¡Gracias!' });
    const src = () => screen.getByRole('img', { name: /Sala Nórdica/ }).getAttribute('src');
    expect(src()).toBe(pictures.small);
    cleanup();
    server.read = () => refuse(404, 'NOT_FOUND');
    server.atStore = () => ok(numberThat('paid', { given: 805, ...PAID, pictures }));
    open();
    await screen.findByRole('heading', { name: '¡Gracias!' });
    expect(src()).toBe(pictures.small);
  });

  test('whose number the server does not know is led to the link', async () => {
    helpNumber.keep(CODE, numberThat('waiting') as never);
    server.atStore = () => refuse(404, 'NOT_FOUND');
    open();
    expect(await screen.findByRole('button', { name: 'Pagar $815.00' })).toBeDefined();
  });

  test.each([
    ['PROVIDER_DOWN', 503, 'El servicio de pago en tiendas no responde'],
    ['TOO_MANY', 429, 'Demasiados intentos'],
    ['CASH_REFERENCE_REFUSED', 409, 'Las tiendas no reciben esta cantidad'],
  ])('may try again by the same id after %s', async (code, status, title) => {
    server.number = () => refuse(status, code);
    const { user } = open();
    await atStore(user);
    await fill(user);
    const get = screen.getByRole('button', { name: 'Obtener referencia de $805.00' });
    await user.click(get);
    await screen.findByText(title);
    server.number = ({ intentoId }) => ok(numberThat('waiting', { intentoId }));
    await user.click(get);
    await screen.findByRole('heading', { name: 'Paga en una tienda' });
    const ids = asked805().map(({ body }) => (body as Sent).intentoId);
    expect(new Set(ids).size).toBe(1);
    expect(ids).toHaveLength(2);
  });

  test('is offered stores alone by a shop that takes no cards now, and none for more than they take', async () => {
    server.read = () => ok({ ...asked, acceptsCards: false, cardKey: '', storeMost: 500 });
    const { user } = open();
    await screen.findByText('Por ahora no se puede pagar con tarjeta');
    await fill(user);
    expect(screen.queryByRole('radio', { name: /^Con tarjeta/ })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Obtener referencia de $805.00' }));
    screen.getByText('Las tiendas reciben hasta $500.00 por pago. Elige menos.');
    expect(asked805()).toEqual([]);
  });

  test.each([
    ['was rejected', 'No se pudo cobrar'],
    ['was refused', 'El servicio de tarjetas no responde'],
    ['was overtaken', 'Lo que falta cambió mientras pagabas'],
    ['is no longer taken', 'Por ahora no se puede pagar con tarjeta'],
  ])('after their card %s sees the number, and asks for it once', async (how, title) => {
    const rejected = (intentoId: string) => ok(paymentThat('rejected', { intentoId, advice: 'other_card' }));
    server.pay = ({ intentoId }) => {
      if (how === 'was rejected') return rejected(intentoId);
      if (how === 'was refused') return refuse(503, 'PROVIDER_DOWN');
      if (how === 'was overtaken') return refuse(409, 'AMOUNT_CHANGED');
      server.read = () => ok({ ...asked, acceptsCards: false });
      return refuse(409, 'CARDS_NOT_ACCEPTED');
    };
    if (how === 'was rejected') server.payment = rejected;
    server.number = ({ intentoId }) => ok(numberThat('waiting', { intentoId }));
    server.atStore = () => ok(numberThat('waiting'));
    const { user } = open();
    await fill(user);
    await user.click(await screen.findByRole('button', { name: 'Pagar $815.00' }));
    await screen.findByText(title, {}, { timeout: 20_000 });
    if (how === 'was rejected') await user.click(screen.getByRole('button', { name: 'Reintentar pago' }));
    if (how !== 'is no longer taken') await atStore(user);
    await user.click(await screen.findByRole('button', { name: 'Obtener referencia de $805.00' }));
    await screen.findByRole('heading', { name: 'Paga en una tienda' });
    expect(asked805()).toHaveLength(1);
  });
});
