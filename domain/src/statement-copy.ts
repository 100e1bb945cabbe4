import type { StatementKind } from './statement.ts';

const ends = {
  buyer: 'Cancelaste la compra',
  merchant: 'La tienda terminó la compra',
  rule: 'La compra terminó por atraso',
  claim: 'La compra terminó por tu reclamo',
  reversal: 'La compra terminó: se quitó lo pagado',
};

/** A line of a statement, as far as its words need it. */
interface WordedLine {
  readonly kind: StatementKind;
  readonly endedBy: keyof typeof ends | null;
  /** The instalments that a payment paid, of so many. */
  readonly numbers: readonly number[];
  readonly instalments: number;
  /** Whether the money waits in suspense. */
  readonly inReview: boolean;
}

/** What a line is, in words: on the screen and in its files. */
export function whatOf(line: WordedLine): string {
  switch (line.kind) {
    case 'reserved':
      return 'Apartaste';
    case 'payment':
      return partsOf(line);
    case 'received':
      return line.inReview ? 'Pago en revisión' : 'Pago que no se aplicó: va de regreso';
    case 'reversal':
      return 'Se quitó un pago';
    case 'ended':
      return line.endedBy === null ? 'La compra se canceló' : ends[line.endedBy];
    case 'penalty':
      return 'Cargo por cancelar';
    case 'refund_owed':
      return 'Devolución pendiente';
    case 'refunded':
      return 'Devolución hecha';
  }
}

function partsOf({ numbers, instalments }: WordedLine): string {
  const [first = 0, last = first] = [numbers[0], numbers.at(-1)];
  if (first !== last) return `Abono a los pagos ${first} a ${last} de ${instalments}`;
  return first === 1 ? 'Adelanto' : `Abono al pago ${first} de ${instalments}`;
}
