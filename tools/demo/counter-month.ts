type Sku = 'LB-MIC-14' | 'LB-REF-14' | 'LB-LAV-18' | 'LB-EST-06' | 'LB-LIC-10';

/** Who stands at the counter: the manager at Angelópolis, and the cashier at Centro. */
export const AT_COUNTER = [
  { role: 'manager', branch: 'Angelópolis' },
  { role: 'cashier', branch: 'Centro' },
] as const;
const [HUGO, LAURA] = AT_COUNTER;

/** What the first merchant counts, with what each branch had before anybody came. */
export const COUNTED: readonly { readonly sku: Sku; readonly branch: string; readonly free: number }[] = [
  { sku: 'LB-EST-06', branch: 'Centro', free: 6 },
  { sku: 'LB-EST-06', branch: 'Angelópolis', free: 3 },
  { sku: 'LB-LAV-18', branch: 'Centro', free: 4 },
  { sku: 'LB-LAV-18', branch: 'Angelópolis', free: 5 },
];

/** When somebody came, what they gave (`next`: what comes next; else pesos, fee inside), and to whom. */
export type Visit = readonly [
  daysAgo: number,
  sum: 'next' | 'all' | number,
  by: (typeof AT_COUNTER)[number],
  way?: 'terminal' | 'reversed',
];

/**
 * Who pays at the counter of the first merchant; the first visit reserves, and pays the deposit. They have nothing to sign in with.
 * A plan of that merchant asks for a payment after 30 and after 60 days; most bring a little every week.
 */
export const CUSTOMERS: readonly {
  readonly name: string;
  readonly sku: Sku;
  readonly visits: readonly Visit[];
}[] = [
  // Late for more than sixty days, for more than thirty, and for a few.
  {
    name: 'Teófilo Ruiz',
    sku: 'LB-EST-06',
    visits: [
      [98, 'next', LAURA],
      [80, 500, LAURA],
    ],
  },
  {
    name: 'Rocío Salas',
    sku: 'LB-LAV-18',
    visits: [
      [70, 'next', HUGO],
      [44, 300, HUGO],
    ],
  },
  {
    name: 'Elvia Cortés',
    sku: 'LB-REF-14',
    visits: [
      [36, 'next', LAURA],
      [20, 800, LAURA],
    ],
  },
  // Paid off.
  {
    name: 'Guadalupe Hernández',
    sku: 'LB-LIC-10',
    visits: [
      [52, 'next', LAURA],
      [38, 400, LAURA],
      [24, 'all', LAURA],
    ],
  },
  {
    name: 'Joel Ávila',
    sku: 'LB-MIC-14',
    visits: [
      [33, 'next', HUGO, 'terminal'],
      [4, 'all', HUGO, 'terminal'],
    ],
  },
  // A little every week.
  {
    name: 'Irma Castillo',
    sku: 'LB-REF-14',
    visits: [
      [27, 'next', LAURA],
      [20, 600, LAURA],
      [13, 600, LAURA],
      [6, 600, LAURA],
    ],
  },
  {
    name: 'Norma Peralta',
    sku: 'LB-LAV-18',
    visits: [
      [25, 'next', HUGO],
      [18, 750, HUGO],
      [11, 750, HUGO],
      [4, 750, HUGO],
    ],
  },
  {
    name: 'Arturo Lima',
    sku: 'LB-EST-06',
    visits: [
      [22, 'next', LAURA],
      [15, 500, LAURA],
      [8, 500, LAURA],
      [1, 500, LAURA],
    ],
  },
  {
    name: 'Beatriz Fuentes',
    sku: 'LB-MIC-14',
    visits: [
      [19, 'next', LAURA],
      [12, 350, LAURA],
      [5, 350, LAURA],
    ],
  },
  {
    name: 'Saúl Escobar',
    sku: 'LB-REF-14',
    visits: [
      [16, 'next', HUGO, 'terminal'],
      [2, 1_000, HUGO],
    ],
  },
  // One took it back on the same day: the wrong purchase was paid.
  {
    name: 'Yolanda Mena',
    sku: 'LB-LIC-10',
    visits: [
      [9, 'next', LAURA],
      [6, 200, LAURA, 'reversed'],
      [2, 250, LAURA],
    ],
  },
  { name: 'Martín Olvera', sku: 'LB-MIC-14', visits: [[3, 'next', HUGO]] },
  // Today's, which no cut has yet.
  { name: 'Lucía Barrios', sku: 'LB-EST-06', visits: [[0, 'next', LAURA]] },
];

/** The one cut whose drawer held less than it should. */
export const SHORT_CUT = {
  daysAgo: 20,
  centavos: 5_000,
  reason: 'Faltó un billete de cincuenta; se buscó y no apareció.',
};
