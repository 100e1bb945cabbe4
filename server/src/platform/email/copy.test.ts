import { centavos } from '@aparta/domain/money';
import { expect, test } from 'vitest';

import { asHtml } from './as-html.ts';
import { asText } from './as-text.ts';
import { composeEmail, type Occasion } from './copy.ts';
import { linksFrom } from './links.ts';

const SENDER = { product: 'Aparta', origin: 'https://aparta.example' };
const PLACE = {
  product: 'Aparta',
  links: linksFrom(SENDER.origin),
  unsubscribeLink: 'https://aparta.example/x',
};
const write = (occasion: Occasion) => composeEmail(occasion, PLACE);
const figure = (count: number) => ({ count, amountCentavos: centavos(300_000) });
const NONE = { count: 0, amountCentavos: centavos(0) };
const DIGEST: Occasion = {
  topic: 'staff_digest',
  digest: {
    day: '2031-06-05',
    tradeName: 'Muebles',
    collected: [{ method: 'card', ...figure(2), withdrawnCentavos: centavos(0) }],
    newPurchases: 0,
    paidOff: 0,
    cancelled: 0,
    expiring: NONE,
    refunds: NONE,
    overdue: figure(12),
    claims: NONE,
    ending: [],
    uncut: [],
  },
};
const NEWS = {
  topic: 'staff_shop_news',
  news: {
    positionId: '1',
    merchantId: 1,
    subjectId: 1,
    kind: 'paid_off',
    tradeName: 'Muebles',
    buyer: 'Marisol R.',
    payer: '',
    productName: 'Sala',
    purchaseId: 7,
    amountCentavos: centavos(120_000),
    priceCentavos: null,
    balanceCentavos: null,
    last4: null,
    endsAt: null,
  },
} as const satisfies Occasion;

test.each<Occasion>([
  { topic: 'staff_password_reset', link: 'https://aparta.example/y' },
  { topic: 'staff_password_changed', passkeysForgotten: 0 },
  { topic: 'staff_passkey_added' },
  { topic: 'staff_invitation', tradeName: 'Muebles', role: 'cashier', link: 'https://aparta.example/y' },
  DIGEST,
  NEWS,
])('the people of a shop read of their contraseña, not of a buyer’s password or card: %o', (occasion) => {
  const text = asText(write(occasion), SENDER);
  expect(text).toContain('Nunca te pedimos tu contraseña por correo.');
  expect(text).not.toMatch(/password|los datos de tu tarjeta/);
});

test.each([
  [DIGEST, 'Cobrado ayer: $3,000.00 MXN'],
  [NEWS, 'Último pago: $1,200.00 MXN'],
])(
  'an owner reads the money beside the subject, and one button; what ends the email is small',
  (occasion, preview) => {
    const body = write(occasion);
    expect(body.preview).toBe(preview);
    expect(body.blocks.filter(({ kind }) => kind === 'button')).toHaveLength(1);
    expect(body.off).toEqual({ label: 'Dejar de recibirlo', link: PLACE.unsubscribeLink });
  },
);

test('a sum stays on its line on a phone, also after how many it is of', () => {
  expect(asHtml(write(DIGEST), SENDER)).toMatch(/white-space: nowrap"\s*>\s*12 · \$3,000\.00 MXN/);
});

test('who confirmed their mailbox before the welcome went is not told to confirm nothing', () => {
  expect(asText(write({ topic: 'welcome', link: undefined }), SENDER)).not.toContain('confirmes');
  expect(asText(write({ topic: 'welcome', link: 'https://aparta.example/z' }), SENDER)).toContain(
    'no confirmes nada',
  );
});

test('a buyer reads one word for what opens their account, also of a plan that somebody else changed', () => {
  const facts = { amountCentavos: centavos(61_500), purchaseId: 7, number: 2 };
  const text = asText(write({ topic: 'plan_changed', facts }), SENDER);
  expect(text).toContain('cambia tu password');
  expect(text).not.toContain('contraseña');
});

test('a payment of a helper reads as one sentence in the list of emails', () => {
  const facts = { amountCentavos: centavos(61_500), folio: 'AB12CD34EF' };
  const receipt = { payerName: 'Luis', paidOff: [], receipt: [] };
  expect(write({ topic: 'instalment_paid', facts, receipt }).subject).toBe(
    'Luis te ayudó: recibimos tu abono de $615.00 MXN',
  );
});

test.each(['end_warned', 'more_time'] as const)(
  '%s names a sum without fees, and says that one may be added',
  (topic) => {
    const facts = {
      amountCentavos: centavos(120_000),
      purchaseId: 7,
      dueOn: '2031-01-31',
      endsOn: '2031-03-17',
    } as const;
    const text = asText(write({ topic, facts }), SENDER);
    expect(text).toContain('$1,200.00');
    expect(text).toContain('Al pagar se suma el cargo por servicio, si tu forma de pago lo tiene.');
  },
);

test('nothing that a shop writes becomes a link: what its products are called, nor where it is', () => {
  const owed: Occasion = {
    topic: 'cash_owed_back',
    facts: { amountCentavos: centavos(61_500), purchaseId: 7 },
    shop: { tradeName: 'Muebles', address: 'https://falso.example/pago', hours: 'www.falso.mx', phone: '55' },
  };
  const sold: Occasion = {
    topic: NEWS.topic,
    news: { ...NEWS.news, productName: 'Sala, paga en falso.com' },
  };
  for (const occasion of [owed, sold]) {
    const body = write(occasion);
    for (const text of [asText(body, SENDER), asHtml(body, SENDER)]) {
      expect(text).toMatch(/falso[ .](example\/pago|mx|com)/);
      expect(text).not.toMatch(/www\.falso|\/\/falso|falso\.(com|mx)/);
    }
  }
});
