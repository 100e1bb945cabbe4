import type { DayDifference } from '@aparta/server/payments/tills/day-file';
import type { SettlementKind, SettlementParty } from '@aparta/server/platform/db/tables';
import type { Via } from '@aparta/server/back-office/settlements/report.read-model';
import type { Proof } from '@aparta/server/ledger/books/proofs.read-model';

/** Texts of the commands about books, days and settlements. */
export const BOOKS = {
  holds: 'BIEN ',
  broken: 'ROTO ',
  good: (proofs: number, tookMs: number) => `Los libros cuadran: ${proofs} pruebas en ${tookMs} ms.`,
  bad: (broken: number, proofs: number) =>
    `Los libros NO cuadran: ${broken} de ${proofs} pruebas están rotas.`,
  dayWritten: (operations: number, chain: string, day: string, out: string) =>
    `${operations} operaciones de ${chain} del ${day} en ${out}.`,
  same: (who: string, day: string, operations: number) =>
    `${who}, ${day}: ${operations} operaciones, ninguna diferencia.`,
  network: 'La red de tiendas',
  asked: (operations: number) =>
    `Se pregunta a la red por ${operations} que no conocíamos: vea en unos minutos payment follow --by OPERACIÓN.`,
  reportWritten: (files: readonly string[]) => `Quedó en ${files.join(' y ')}.`,
  nothingPending: 'No falta ningún depósito.',
  noSettlements: 'No se ha anotado nada.',
  again: (id: number) => `Ya estaba anotado: movimiento ${id}. No se anotó otra vez.`,
  deposited: (id: number, amount: string, operations: number) =>
    operations === 0
      ? `Movimiento ${id}: depósito de ${amount}.`
      : `Movimiento ${id}: depósito de ${amount} que paga ${operations} ${operations === 1 ? 'operación' : 'operaciones'}.`,
  wasOnItsWay: (before: string, left: string | undefined) =>
    `Había en camino ${before}${left === undefined ? '' : `; quedan ${left}`}.`,
  isShort: (id: number, difference: string) =>
    `Faltan ${difference}. Cuando se sepa por qué: settlement explain ${id}`,
  isOver: (id: number, difference: string) =>
    `Llegaron ${difference} de más. Cuando se sepa por qué: settlement explain ${id}`,
  paid: (id: number, amount: string, to: 'merchant' | 'operator') =>
    to === 'merchant'
      ? `Movimiento ${id}: el operador pagó ${amount} al comercio.`
      : `Movimiento ${id}: el comercio pagó ${amount} al operador.`,
  wasHeld: (to: 'merchant' | 'operator', before: string, left: string) =>
    `${to === 'merchant' ? 'El operador tenía del comercio' : 'El comercio debía al operador'} ${before}; quedan ${left}.`,
  explained: (id: number, amount: string, left: string | undefined) =>
    `Movimiento ${id}: ${amount} explicados.${left === undefined ? '' : ` Todavía faltan por explicar ${left}.`}`,
  voided: (id: number, amount: string) =>
    `El movimiento ${id} de ${amount} quedó cancelado. La misma evidencia se puede anotar otra vez.`,
} as const;

export const VIAS: Readonly<Record<Via, string>> = {
  card: 'tarjeta',
  till: 'caja',
  cash: 'tienda',
  counter_cash: 'mostrador: efectivo',
  counter_terminal: 'mostrador: terminal',
};
export const PARTIES: Readonly<Record<SettlementParty, string>> = {
  merchant: 'comercio',
  operator: 'operador',
  provider: 'quien deposita',
};
export const KINDS: Readonly<Record<SettlementKind, string>> = {
  deposit: 'depósito',
  payout: 'pago',
  explanation: 'explicación',
  void: 'cancelación',
};

export const DIFFERENCES: Readonly<Record<DayDifference['difference'], string>> = {
  'only in our books': 'solo en nuestros libros',
  'only in their file': 'solo en su archivo',
  'twice in their file': 'dos veces en su archivo',
  amount: 'otra cantidad',
  reference: 'otra referencia',
  state: 'otro estado',
};

export const PROOF_WORDS: Readonly<Record<Proof, string>> = {
  'every event has all its transfers, and every transfer its event':
    'cada asiento tiene todas sus partes, y cada parte su asiento',
  'all postings sum to zero': 'todos los cargos y abonos suman cero',
  'no account is below zero': 'ninguna cuenta está debajo de cero',
  'what a purchase says is paid is what the ledger holds for it':
    'lo que una compra dice que tiene pagado es lo que hay en los libros',
  'what an instalment says is paid is what was applied to it':
    'lo pagado de cada pago es lo que se le aplicó',
  'a plan sums to its price and its payments to what is paid':
    'cada plan suma su precio, y sus pagos lo que está pagado',
  'every centavo of every receipt went somewhere, once':
    'cada centavo de cada recibo está en un lugar, una vez',
  'every receipt is in the ledger with its amount, and the other way round':
    'cada recibo está en los libros con su cantidad, y al revés',
  'a refund that is owed is in its payable account, and a finished one is not':
    'cada devolución que se debe está apartada, y las terminadas no',
  'nothing is owed back without a refund that says so': 'no se debe nada sin una devolución que lo diga',
  'what stands in suspense is what no other place was found for':
    'en aclaración está lo que no tiene otro lugar',
  'the fees that are kept are those that came, less what cancels gave back':
    'los cargos por servicio son los que llegaron menos los que se devolvieron',
  'what was taken back of a receipt is what its reversal moved':
    'lo revertido de cada recibo es lo que se movió',
  'captured is the receipt, refunded is the refunds done, and no more is owed than was captured':
    'lo cobrado a tarjeta es su recibo, lo devuelto sus devoluciones, y no se debe más',
  'every external refund is in the ledger, once':
    'lo que salió de un pago por otro camino está en los libros, una vez',
  'a cancelled purchase gave back, owes or kept exactly what was paid':
    'cada compra cancelada devolvió, debe o retuvo justo lo que estaba pagado',
  'nothing lies in the deposits of a delivered purchase, and it was paid whole':
    'nada queda en depósito de lo que ya se entregó, y estaba pagado completo',
  'every delivered purchase has its hand-over, or an erased buyer, and is sold for what was paid, and no other':
    'cada compra entregada tiene su entrega, o se borró a quien compró, y se vendió por lo pagado, y ninguna otra',
  'every paid reference has its purchase, and no other has one':
    'cada referencia pagada tiene su compra, y ninguna otra',
  'every authorised till operation is a receipt, a reversed one was taken back, and no refused one is':
    'cada operación autorizada en caja tiene su recibo, las revertidas se revirtieron y las rechazadas no tienen',
  'what a purchase says is due next is the oldest day that its instalments owe for':
    'lo que una compra dice que vence ahora es el día más antiguo que deben sus pagos',
  'what a shop’s page sums up is what its payments, plans and refunds say':
    'lo que suma la página de cada comercio es lo que dicen sus pagos, planes y devoluciones',
  'what a day of tills counts is what they authorised': 'lo contado por día de cada caja es lo que autorizó',
  'every notice whose money was placed is a receipt, and no other is':
    'cada aviso de tienda con dueño tiene su recibo, y ningún otro',
  'what a chain or Tapi still has to pay is what it took and no deposit brought':
    'lo que una cadena o la red falta de pagar es lo que cobró y ningún depósito trajo',
  'a deposit or payout is in the ledger with its amount, once more when it was taken back':
    'cada depósito y cada pago está en los libros con su cantidad, y su cancelación también',
  'what a deposit differs by is its operations less what came, and less what was explained':
    'la diferencia de cada depósito es sus operaciones menos lo que llegó y lo explicado',
  'every receipt has the source that it names, with its sum, merchant and buyer, and with the provider’s word':
    'cada recibo tiene de dónde vino, con la misma cantidad, comercio y persona, y con lo que dijo quien cobró',
  'a card payment that was applied took what was agreed':
    'cada pago con tarjeta que se aplicó cobró lo acordado',
  'a purchase is its reference’s buyer’s, on its terms, and begins with its deposit':
    'cada compra es de quien la apartó, con el trato que apartó, y empieza con su primer pago',
  'a receipt and what it paid are one buyer’s and one merchant’s':
    'cada recibo y lo que pagó son de una misma persona y un mismo comercio',
  'what a counter took or gave back is in the day file with its sum, branch and state':
    'lo que un mostrador cobró o devolvió está en el archivo del día con su cantidad, sucursal y estado',
  'a cut says what was taken and given back in its drawer':
    'cada corte de caja dice lo que se cobró y se devolvió en ella',
  'what came before a cut of its drawer is in one':
    'lo que se cobró o devolvió antes de un corte de esa caja está en un corte',
  'what a branch has for sale is what it entered less what is kept or handed over':
    'las piezas a la venta son las que se dieron de alta menos las guardadas y las entregadas',
  'what is kept is for a reservation that waits or a purchase that goes on':
    'cada pieza guardada es de una referencia que espera o de una compra en curso',
  'a difference of a deposit is explained within two days':
    'ninguna diferencia de un depósito lleva más de dos días sin explicar',
};
