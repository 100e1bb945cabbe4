import '@aparta/ui/testing/show.tsx';
import { layawayLink } from '@aparta/domain/layaway-reference';
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { attemptThat, merchant, offered } from '../../test/card-stage.ts';
import { stubLocation } from '../../test/location.ts';
import { fakeServer, marisol, ok, refuse } from '../../test/server.ts';
import { madeReference } from '../session/made-reference.ts';
import { reference } from '../session/reference.ts';
import { session } from '../session/session.ts';
import { takeIncomingLink } from './incoming-links.ts';
import { App } from './routes.tsx';

const calls = fakeServer({
  'POST /v1/TokenBuyer/Logout': ok(null),
  'POST /v1/TokenBuyer/Kept/Renew': () => renewal,
  'POST /v1/TokenBuyer/Kept/End': ok(null),
  'GET /v1/Cxc/ByBuyerIdH/7': () => owed,
  'GET /v1/Business/GetAsync/4': ok(merchant),
  'GET /v1/PullApartReference/77': () => made,
  'GET /v1/PullApartReferences/UnresolvedAsync': () => unresolved,
  'GET /v1/BusinessProduct/GetAsync/9': ok({
    id: 9,
    businessId: 4,
    name: 'Sala Nórdica',
    description: '',
    sku: 'S9',
    salePrice: 3000,
    fGeproductuuid: '',
    pictures: null,
    soldOut: false,
  }),
});
let made: Promise<ReturnType<typeof ok> | 'no network'> | ReturnType<typeof ok> | 'no network';
let renewal: ReturnType<typeof ok> | ReturnType<typeof refuse> | 'no network' = 'no network';
const nothingOwed = { body: { ...ok([]).body, next: null, total: 0 } };
let owed: Promise<typeof nothingOwed> | typeof nothingOwed;
let unresolved: Promise<ReturnType<typeof ok>> | ReturnType<typeof ok> | 'no network';
beforeEach(() => {
  owed = nothingOwed;
  unresolved = ok([]);
});

function open(path: string) {
  history.replaceState(null, '', path);
  render(<App />);
  return userEvent.setup();
}

test.each(['/', '/apartado', '/cxcList', '/clientEdit', '/dashboard', '/home', '/anything/else'])(
  'nobody signed in: %s leads to login',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
  },
);

describe('on a phone that stays signed in', () => {
  beforeEach(() => {
    document.cookie = 'aparta-stays=1';
  });
  afterEach(() => {
    document.cookie = 'aparta-stays=; max-age=0';
  });

  test('a link leads to the thing itself, without a password', async () => {
    renewal = ok({ ...marisol, token: 'new' });
    open('/cxcList');
    expect(await screen.findByText(/^Tu listado de compras está vacio!/)).toBeTruthy();
    expect([location.pathname, session.token()]).toEqual(['/cxcList', 'new']);
  });

  test('a session that was ended elsewhere leads to login, and from there to the thing', async () => {
    renewal = refuse(401, 'SESSION_DEAD');
    open('/cxcList');
    expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
    expect([session.takeReturn(), session.stays()]).toEqual(['/cxcList', false]);
  });

  test('without internet it says so, and goes on by a press', async () => {
    renewal = 'no network';
    const user = open('/cxcList');
    expect(await screen.findByText('No pudimos abrir tu sesión')).toBeTruthy();
    renewal = ok({ ...marisol, token: 'new' });
    await user.click(screen.getByRole('button', { name: 'Reintentar' }));
    expect(await screen.findByText(/^Tu listado de compras está vacio!/)).toBeTruthy();
  });

  test('who would rather type the password may', async () => {
    renewal = 'no network';
    const user = open('/cxcList');
    await user.click(await screen.findByRole('button', { name: 'Entrar con mi password' }));
    expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
    expect(session.kept()).toBe('0');
  });

  test('logging out ends it, and takes the cookie back', async () => {
    session.open({ ...marisol, token: 'secret' });
    const user = open('/cxcList');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Bienvenido/a' });
    expect(session.kept()).toBe('0');
    await expect.poll(() => calls.map(({ path }) => path)).toContain('/v1/TokenBuyer/Kept/End');
  });
});

test('a link of an email that is opened signed out is where the buyer lands after signing in, by way of sign-up too', async () => {
  const user = open('/saleCxcList/10002?facturar=3');
  await screen.findByRole('heading', { name: 'Bienvenido/a' });
  await user.click(screen.getByRole('link', { name: /Regístrate/ }));
  await user.click(await screen.findByRole('link', { name: /Entra aquí/ }));
  await screen.findByRole('heading', { name: 'Bienvenido/a' });
  expect(session.takeReturn()).toBe('/saleCxcList/10002?facturar=3');
});

test('who signs out is not led back to where they were', async () => {
  session.open({ ...marisol, token: 'secret' });
  const user = open('/clientEdit');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Bienvenido/a' });
  expect(session.takeReturn()).toBeUndefined();
});

test.each([
  ['the same buyer is signed in stays as it is', () => {}, 0],
  ['they signed out shows nothing of them and loads again', () => sessionStorage.clear(), 1],
  [
    'somebody else is signed in loads again',
    () => sessionStorage.setItem('user', JSON.stringify({ ...marisol, id: 8 })),
    1,
  ],
])('a screen that comes back from the browser’s cache when %s', async (_, since, reloads) => {
  session.open({ ...marisol, token: 'secret' });
  open('/cxcList');
  await screen.findByText(/^Tu listado de compras está vacio!/);
  const reload = vi.fn<() => void>();
  stubLocation({ reload });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    document.body.hidden = false;
  });
  since();
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  expect([reload.mock.calls.length, document.body.hidden]).toEqual([reloads, reloads > 0]);
});

test.each(['/buyerRegister', '/BuyerRegister'])(
  '%s is the sign-up screen in either spelling',
  async (path) => {
    open(path);
    expect(await screen.findByRole('heading', { name: 'Crear mi cuenta' })).toBeTruthy();
  },
);

test('home greets the buyer, offers both actions, and the four entries are there', async () => {
  session.open({ ...marisol, token: 't' });
  open('/home');
  expect(await screen.findByRole('heading', { name: 'Hola, Marisol' })).toBeTruthy();
  const reserve = await screen.findByRole('link', { name: /Realizar Apartados/ });
  expect(reserve.getAttribute('href')).toBe('/apartado');
  expect(screen.getByRole('link', { name: /Realizar Abono/ }).getAttribute('href')).toBe('/cxcList');
  for (const [name, href] of [
    ['Inicio', '/'],
    ['Perfil', '/clientEdit'],
    ['Apartados', '/apartado'],
    ['Pagos pendientes', '/cxcList'],
  ] as const) {
    expect(screen.getByRole('link', { name }).getAttribute('href')).toBe(href);
  }
  expect(screen.queryByText('Tienes un apartado sin terminar')).toBeNull();
});

test('at home what was scanned leads, with its product, deposit and plan, and what follows waits to be known', async () => {
  session.open({ ...marisol, token: 't' });
  reference.save('1|4|9|0|3000.00|3|600.00|0', true);
  const asked = Promise.withResolvers<typeof nothingOwed>();
  owed = asked.promise;
  open('/');
  const scanned = within(await screen.findByRole('region', { name: 'Tu apartado sin terminar' }));
  expect(await scanned.findByText('Sala Nórdica')).toBeTruthy();
  expect(scanned.getByText('Muebles del Centro')).toBeTruthy();
  expect(scanned.getByText('Apartado (20 %)').nextElementSibling?.textContent).toContain('$600.00');
  expect(scanned.getByText('Después, 2 abonos de $1,200.00')).toBeTruthy();
  const loading = screen.getByRole('status', { name: 'Cargando tu próximo pago' });
  const after = Node.DOCUMENT_POSITION_FOLLOWING;
  expect(scanned.getByText('Sala Nórdica').compareDocumentPosition(loading) & after).toBeTruthy();
  expect(screen.queryByRole('link', { name: /Realizar Apartados/ })).toBeNull();
  asked.resolve(nothingOwed);
  expect(await screen.findByRole('link', { name: /Realizar Apartados/ })).toBeTruthy();
});

test('home offers to finish a kept reference, until it is dropped', async () => {
  session.open({ ...marisol, token: 't' });
  reference.save('1|4|9|0|3000.00|3|600.00|0', true);
  const user = open('/');
  const go = await screen.findByRole('link', { name: 'Continuar mi apartado' });
  expect(go.getAttribute('href')).toBe('/apartado');
  await user.click(screen.getByRole('button', { name: 'Descartar' }));
  expect(screen.queryByRole('link', { name: 'Continuar mi apartado' })).toBeNull();
  expect(localStorage.getItem('refApartado')).toBeNull();
});

describe('a layaway that was made on another phone', () => {
  beforeEach(() => session.open({ ...marisol, token: 't' }));
  const elsewhere = { ...offered, Id: 78, id: 78, productId: 10, productName: 'Comedor Roble' };
  const ticket = async () => within(await screen.findByRole('region', { name: 'Tu apartado sin terminar' }));

  test.each([
    ['unknown', 'Estamos confirmando tu pago', 'Ver mi pago'],
    ['pending_3ds', 'Falta que autorices tu pago', 'Continuar mi pago'],
    ['held', 'Tu pago está en revisión', 'Ver mi pago'],
  ] as const)(
    'its card payment that is %s leads at home, where nothing is kept',
    async (state, title, go) => {
      unresolved = ok([{ ...elsewhere, attempt: attemptThat(state) }, elsewhere]);
      open('/');
      const found = await ticket();
      expect(found.getByRole('heading', { name: title })).toBeTruthy();
      expect(found.getByText('Comedor Roble')).toBeTruthy();
      expect(found.getByRole('link', { name: go }).getAttribute('href')).toBe('/pullapartByClip/78');
      expect(found.queryByRole('button', { name: 'Descartar' })).toBeNull();
    },
  );

  test('what a store owes back of it is said at home, and leads to what its third step tells', async () => {
    unresolved = ok([{ ...elsewhere, Estatus: 3, owedBack: 599 }]);
    open('/');
    const found = await ticket();
    expect(found.getByText('Se te deben $599.00 que ya pagaste.')).toBeTruthy();
    expect(found.queryByText('Todavía no se cobra nada.')).toBeNull();
    const see = found.getByRole('link', { name: 'Ver mi apartado' });
    expect(see.getAttribute('href')).toBe('/apartado?paso=3&id=78');
    expect(found.queryByRole('button', { name: 'Descartar' })).toBeNull();
  });

  test('its third step asks for no document ahead, which the policy of ours lets no browser do', async () => {
    made = ok(offered);
    open('/apartado?paso=3&id=77');
    expect(await screen.findByRole('button', { name: 'Pago con Clip' })).toBeTruthy();
    expect(document.querySelector('link[rel=prefetch]')).toBeNull();
  });

  test('its payment leads before another product that is kept here, which stays kept', async () => {
    reference.save('1|4|9|0|3000.00|3|600.00|0', true);
    unresolved = ok([{ ...elsewhere, attempt: attemptThat('unknown') }]);
    open('/');
    expect(await screen.findByText('Comedor Roble')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Descartar' })).toBeNull();
    expect(reference.current()).toBeDefined();
  });

  test('scanned here again, its payment leads and nothing says that no money is taken', async () => {
    reference.save('1|4|9|0|3000.00|3|600.00|0', true);
    unresolved = ok([{ ...offered, attempt: attemptThat('unknown') }]);
    open('/');
    const go = await screen.findByRole('link', { name: 'Ver mi pago' });
    expect(go.getAttribute('href')).toBe('/pullapartByClip/77');
    expect(screen.queryByText('Todavía no se cobra nada.')).toBeNull();
  });

  test('until it is known nothing stands at home that it would move', async () => {
    const asked = Promise.withResolvers<ReturnType<typeof ok>>();
    unresolved = asked.promise;
    open('/');
    expect(await screen.findByRole('status', { name: 'Cargando tu próximo pago' })).toBeTruthy();
    expect(screen.queryByRole('link', { name: /Realizar Apartados/ })).toBeNull();
    asked.resolve(ok([{ ...elsewhere, attempt: attemptThat('unknown') }]));
    expect(await screen.findByText('Comedor Roble')).toBeTruthy();
    expect(await screen.findByRole('link', { name: /Realizar Apartados/ })).toBeTruthy();
  });

  test('where nobody can say, home has its two actions', async () => {
    unresolved = 'no network';
    open('/');
    expect(await screen.findByRole('link', { name: /Realizar Apartados/ })).toBeTruthy();
  });
});

describe('a kept reference whose deposit may have been paid while no screen was open', () => {
  beforeEach(() => {
    session.open({ ...marisol, token: 't' });
    reference.save('1|4|9|7|3000.00|3|600.00|0', true);
    madeReference.save(77);
    made = ok(offered);
  });

  test('once its purchase exists home offers it no more, and both copies go', async () => {
    made = ok({ ...offered, Estatus: 2, ventaId: 501 });
    open('/');
    await screen.findByRole('link', { name: /Realizar Apartados/ });
    await expect.poll(() => reference.current()).toBeUndefined();
    expect(screen.queryByText('Tienes un apartado sin terminar')).toBeNull();
    expect(localStorage.getItem('refApartado')).toBeNull();
  });

  test('until that is known nothing is said of it', async () => {
    const asked = Promise.withResolvers<ReturnType<typeof ok>>();
    made = asked.promise;
    open('/');
    const scanned = within(await screen.findByRole('region', { name: 'Tu apartado sin terminar' }));
    expect(scanned.queryByText('Todavía no se cobra nada.')).toBeNull();
    asked.resolve(ok(offered));
    expect(await scanned.findByText('Todavía no se cobra nada.')).toBeTruthy();
  });

  test('home offers to finish it where nobody can say', async () => {
    made = 'no network';
    open('/');
    expect(await screen.findByText('Tienes un apartado sin terminar')).toBeTruthy();
  });

  test.each([
    ['unknown', 'Estamos confirmando tu pago', 'Ver mi pago'],
    ['pending_3ds', 'Falta que autorices tu pago', 'Continuar mi pago'],
    ['held', 'Tu pago está en revisión', 'Ver mi pago'],
  ] as const)(
    'while a card payment of it is %s home leads to that, and says of no money that it is not taken',
    async (state, title, go) => {
      made = ok({ ...offered, attempt: attemptThat(state) });
      open('/');
      const scanned = within(await screen.findByRole('region', { name: 'Tu apartado sin terminar' }));
      expect(await scanned.findByRole('heading', { name: title })).toBeTruthy();
      expect(scanned.getByRole('link', { name: go }).getAttribute('href')).toBe('/pullapartByClip/77');
      expect(scanned.queryByText(/sin terminar|no se cobra/)).toBeNull();
      expect(scanned.queryByRole('link', { name: 'Continuar mi apartado' })).toBeNull();
      expect(scanned.queryByRole('button', { name: 'Descartar' })).toBeNull();
    },
  );

  test.each([1, 3] as const)(
    'home says what a store took for it and owes back, and not that nothing is taken (Estatus %i)',
    async (Estatus) => {
      made = ok({ ...offered, Estatus, owedBack: 599 });
      open('/');
      expect(await screen.findByText('Se te deben $599.00 que ya pagaste.')).toBeTruthy();
      expect(screen.getByText(/Muebles del Centro te lo entrega en su caja/)).toBeTruthy();
      expect(screen.queryByText('Todavía no se cobra nada.')).toBeNull();
      expect(screen.getByRole('link', { name: 'Continuar mi apartado' })).toBeTruthy();
    },
  );

  test('after a card payment of it that goes back home offers to finish it, and does not say that nothing is taken', async () => {
    made = ok({ ...offered, attempt: attemptThat('returned', { refund: { amount: 615, done: false } }) });
    open('/');
    const scanned = within(await screen.findByRole('region', { name: 'Tu apartado sin terminar' }));
    expect(await scanned.findByText('Sala Nórdica')).toBeTruthy();
    expect(scanned.getByRole('link', { name: 'Continuar mi apartado' })).toBeTruthy();
    expect(scanned.queryByText('Todavía no se cobra nada.')).toBeNull();
  });

  test('who signs out leaves nothing of it on the device', async () => {
    const user = open('/');
    await user.click(await screen.findByRole('button', { name: 'Logout' }));
    await screen.findByRole('heading', { name: 'Bienvenido/a' });
    expect({ ...localStorage }).toEqual({});
  });

  test('scanned again, it is another one to finish', async () => {
    made = ok({ ...offered, Estatus: 2, ventaId: 501 });
    const label = '1|4|9|0|3000.00|3|600.00|0';
    takeIncomingLink(new URL(layawayLink(location.origin, label)));
    open('/');
    expect(await screen.findByText('Todavía no se cobra nada.')).toBeTruthy();
    expect(reference.current()).toBe(label);
  });
});

test('a QR that cannot be read is told once, over whatever screen it leads to', async () => {
  history.replaceState(null, '', '/');
  render(<App problem="malformed" />);
  const alert = await screen.findByRole('alertdialog', { name: 'La referencia está incompleta' });
  await userEvent.click(within(alert).getByRole('button', { name: 'Aceptar' }));
  expect(screen.queryByRole('alertdialog')).toBeNull();
});

test('Logout calls the server with the token, clears the session, and leads to login', async () => {
  session.open({ ...marisol, token: 'secret' });
  const user = open('/');
  await user.click(await screen.findByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('heading', { name: 'Bienvenido/a' })).toBeTruthy();
  expect(calls[0]?.authorization).toBe('Bearer secret');
  expect(sessionStorage.length).toBe(0);
});
