import type { ErrorCode, StatusDetailCode } from '@aparta/provider-wire/clip';

/** What happens when a card is charged. Waits are in `app.ts`, so that tests can shorten them. */
export type Outcome =
  | { kind: 'approve'; extraCentavos?: number; detail?: string }
  | { kind: 'authorize' }
  | { kind: 'reject'; detail: StatusDetailCode }
  /** The bank asks the buyer; `bank` says what it then does. */
  | { kind: 'threeDs'; bank: 'obeysButton' | 'rejects' | 'approvesAlone' }
  /** `pending` with nothing for the buyer to do; approved a little later. */
  | { kind: 'approveLater' }
  /** Approved and recorded, but the caller never reads it, reads it too late or cannot read it. */
  | { kind: 'approveUnheard'; reply: 'lost' | 'late' | 'malformed' }
  /** Nothing is charged and nothing is answered. */
  | { kind: 'vanish' }
  /** Nothing is charged; an error is answered. */
  | { kind: 'fail'; status: 422 | 429 | 500; code: ErrorCode | null };

export type CardType = 'credit_card' | 'debit_card' | 'prepaid_card';
export type CardBrand = 'visa' | 'master' | 'amex';

export type TestCard = {
  number: string;
  /** Shown to testers. */
  label: string;
  brand: CardBrand;
  type: CardType;
  issuer: string;
  country: 'MX' | 'US';
  outcome: Outcome;
};

/** Group → its cards, in the order of the pages. */
export type CardGroup = { title: string; note: string; cards: TestCard[] };

// Clip's own test cards: https://developer.clip.mx/reference/pruebas (any CVV, any future date).
// Columns: paid, insufficient funds, not honoured, restricted, over the limit.
const documented: [issuer: string, CardBrand, CardType, country: 'MX' | 'US', numbers: (string | null)[]][] =
  [
    [
      'BBVA Bancomer',
      'visa',
      'credit_card',
      'MX',
      ['4555128482797669', '4555126387272952', '4555124951976546', '4555126464792591', '4555127277126233'],
    ],
    [
      'Santander',
      'master',
      'credit_card',
      'MX',
      ['5177136199824515', '5177134282349839', '5177132762165477', '5177137336291766', '5177131151610598'],
    ],
    [
      'CIBanco',
      'visa',
      'prepaid_card',
      'MX',
      ['4746469153355902', null, '4746464772355300', '4746467113246237', '4746462229056935'],
    ],
    [
      'AEB México',
      'amex',
      'debit_card',
      'MX',
      ['377770358335399', '377770541774520', '377770520127013', '377770887509613', '377770935123896'],
    ],
    [
      'Nevada State Bank',
      'visa',
      'credit_card',
      'US',
      ['4065503514846523', '4065507860853728', '4065508500608936', '4065508992011896', '4065505330411929'],
    ],
    [
      'First National Omaha',
      'master',
      'credit_card',
      'US',
      ['5216509312757445', '5216505450131153', '5216506995049843', '5216502876379557', '5216507997638146'],
    ],
    [
      'Toka',
      'visa',
      'debit_card',
      'MX',
      ['4208318689081956', '4208312218017433', '4208316178021657', '4208316706262831', '4208318842645341'],
    ],
  ];

const documentedOutcomes: [label: string, Outcome][] = [
  ['Pagada', { kind: 'approve' }],
  ['Fondos insuficientes', { kind: 'reject', detail: 'RE-ISS01' }],
  ['No honrada por el banco', { kind: 'reject', detail: 'RE-ISS02' }],
  ['Tarjeta restringida', { kind: 'reject', detail: 'RE-ISS03' }],
  ['Excede el límite', { kind: 'reject', detail: 'RE-ISS08' }],
];

const documentedCards: TestCard[] = documented.flatMap(([issuer, brand, type, country, numbers]) =>
  numbers.flatMap((number, column) => {
    const [label, outcome] = documentedOutcomes[column] ?? [];
    return number === null || label === undefined || outcome === undefined
      ? []
      : [{ number, label, brand, type, issuer, country, outcome }];
  }),
);

/**
 * Our own cards: 4000 00GG NN00 000L, where GG is the group, NN the card within it and L the check digit.
 * In group 40, NN is the number of the issuer's code (RE-ISS01 → 01).
 */
function ours(
  group: number,
  card: number,
  label: string,
  outcome: Outcome,
  type: CardType = 'credit_card',
): TestCard {
  const digits = `400000${String(group).padStart(2, '0')}${String(card).padStart(2, '0')}00000`;
  return {
    number: digits + checkDigit(digits),
    label,
    brand: 'visa',
    type,
    issuer: 'Banco de Pruebas',
    country: 'MX',
    outcome,
  };
}

const issuerRefusals: [card: number, detail: StatusDetailCode, label: string][] = [
  [1, 'RE-ISS01', 'Fondos insuficientes'],
  [2, 'RE-ISS02', 'No honrada por el banco'],
  [3, 'RE-ISS03', 'Tarjeta restringida'],
  [4, 'RE-ISS04', 'Tarjeta de uso privado'],
  [5, 'RE-ISS05', 'No permitida al titular'],
  [6, 'RE-ISS06', 'Retener la tarjeta'],
  [7, 'RE-ISS07', 'Tarjeta vencida'],
  [8, 'RE-ISS08', 'Excede el límite'],
  [9, 'RE-ISS09', 'NIP incorrecto'],
  [10, 'RE-ISS10', 'Demasiados intentos de NIP'],
  [11, 'RE-ISS11', 'Llamar al banco'],
  [12, 'RE-ISS12', 'Monto no válido'],
  [13, 'RE-ISS13', 'Banco fuera de línea'],
  [14, 'RE-ISS14', 'Banco o red caídos'],
  [16, 'RE-ISS16', 'Número de tarjeta no válido'],
  [17, 'RE-ISS17', 'Comercio no válido'],
  [19, 'RE-ISS19', 'Rechazada sin detalle'],
  [99, 'RE-ISS99', 'Error general del banco'],
];

export const cardGroups: CardGroup[] = [
  {
    title: 'Pagadas',
    note: 'Las tarjetas de prueba de la documentación de Clip.',
    cards: documentedCards.filter((card) => card.outcome.kind === 'approve'),
  },
  {
    title: 'Autenticación 3DS',
    note: 'El banco pide autorizar el pago en su propia ventana.',
    cards: [
      ours(10, 1, '3DS: decides con Aprobar o Rechazar', { kind: 'threeDs', bank: 'obeysButton' }),
      ours(
        10,
        2,
        '3DS: decides con Aprobar o Rechazar (débito)',
        { kind: 'threeDs', bank: 'obeysButton' },
        'debit_card',
      ),
      ours(10, 3, '3DS: siempre rechazada', { kind: 'threeDs', bank: 'rejects' }),
      ours(10, 4, '3DS: si cierras la ventana, el banco la aprueba solo a los 20 s', {
        kind: 'threeDs',
        bank: 'approvesAlone',
      }),
    ],
  },
  {
    title: 'Fallas en el camino',
    note: 'El cobro y la respuesta no siempre viajan juntos.',
    cards: [
      ours(20, 1, 'Aprobada, pero la respuesta se pierde', { kind: 'approveUnheard', reply: 'lost' }),
      ours(20, 2, 'No se cobra y tampoco hay respuesta', { kind: 'vanish' }),
      ours(20, 3, 'Aprobada, pero responde a los 60 s', { kind: 'approveUnheard', reply: 'late' }),
      ours(20, 4, 'Aprobada, pero la respuesta llega ilegible', {
        kind: 'approveUnheard',
        reply: 'malformed',
      }),
      ours(20, 5, 'Error 500, sin cobro', { kind: 'fail', status: 500, code: null }),
      ours(20, 6, 'Error 429 (demasiadas llamadas), sin cobro', { kind: 'fail', status: 429, code: null }),
      ours(20, 7, 'Error 422 (medio de pago no admitido), sin cobro', {
        kind: 'fail',
        status: 422,
        code: 'CL1127',
      }),
      ours(20, 8, 'En proceso; aprobada a los 5 s', { kind: 'approveLater' }),
    ],
  },
  {
    title: 'Respuestas raras',
    note: 'Hay dinero de por medio, pero no como se acordó.',
    cards: [
      ours(30, 1, 'Aprobada con un código de detalle desconocido', { kind: 'approve', detail: 'AP-XXX99' }),
      ours(30, 2, 'Aprobada por $1.00 de más', { kind: 'approve', extraCentavos: 100 }),
      ours(30, 3, 'Solo autorizada, sin capturar', { kind: 'authorize' }),
    ],
  },
  {
    title: 'Rechazos del banco',
    note: 'El número de la tarjeta lleva el código: RE-ISS07 es 4000 0040 07…',
    cards: issuerRefusals.map(([card, detail, label]) =>
      ours(40, card, `${label} (${detail})`, { kind: 'reject', detail }),
    ),
  },
  {
    title: 'Otros rechazos',
    note: 'No vienen del banco.',
    cards: [
      ours(50, 1, 'Tipo de tarjeta no aceptado (RE-BIN01)', { kind: 'reject', detail: 'RE-BIN01' }),
      ours(50, 2, 'Rechazada por riesgo (RE-ERI03)', { kind: 'reject', detail: 'RE-ERI03' }),
      ours(50, 3, 'Comercio sin verificar (RE-ERI05)', { kind: 'reject', detail: 'RE-ERI05' }),
      ours(50, 4, 'Rechazada sin detalle (RE-CHI01)', { kind: 'reject', detail: 'RE-CHI01' }),
      ours(50, 5, '3DS fallida sin ventana (RE-3DS01)', { kind: 'reject', detail: 'RE-3DS01' }),
    ],
  },
  {
    title: 'Rechazos con las tarjetas de Clip',
    note: 'Las de su documentación, con los resultados que ahí se prometen.',
    cards: documentedCards.filter((card) => card.outcome.kind !== 'approve'),
  },
];

const cardsByNumber = new Map(cardGroups.flatMap((group) => group.cards).map((card) => [card.number, card]));

/** The card of that number. A number that no table has is rejected with RE-ISS16. */
export function cardOf(number: string): TestCard {
  return (
    cardsByNumber.get(number) ?? {
      number,
      label: 'Número desconocido',
      brand: number.startsWith('3') ? 'amex' : number.startsWith('5') ? 'master' : 'visa',
      type: 'credit_card',
      issuer: 'Desconocido',
      country: 'MX',
      outcome: { kind: 'reject', detail: 'RE-ISS16' },
    }
  );
}

/** The digit that completes `digits` to pass the Luhn check. */
function checkDigit(digits: string): string {
  const sum = [...digits].reverse().reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
}

/** True for 13 to 19 digits that pass the Luhn check. */
export function isCardNumber(number: string): boolean {
  return /^\d{13,19}$/.test(number) && checkDigit(number.slice(0, -1)) === number.at(-1);
}
