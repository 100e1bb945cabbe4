import type { Centavos } from '@aparta/domain/money';
import type { ReactNode } from 'react';
import { Amount } from './amount.tsx';
import { Barcode } from './barcode.tsx';
import { Chip } from './chip.tsx';
import { Code } from './code.tsx';
import text from './text.module.css';
import { Ticket } from './ticket.tsx';

/** What a cashier of a store needs to see: the sum and the reference, as bars and in digits. `children` are its terms. */
export function StoreTicket({
  words,
  total,
  bars,
  reference,
  children,
}: {
  words: {
    readonly ticket: string;
    readonly total: string;
    readonly waits: string;
    readonly reference: string;
  };
  total: Centavos;
  bars: string;
  reference: string;
  children: ReactNode;
}) {
  return (
    <Ticket
      label={words.ticket}
      thing={
        <>
          <div className={text.tight}>
            <p className={text.between}>
              <span className={`${text.muted} ${text.small}`}>{words.total}</span>
              <Chip state="atStore" text={words.waits} />
            </p>
            <Amount of={total} size="hero" />
          </div>
          <div className={text.tight}>
            <Barcode reference={bars} ground="white" />
            <Code label={words.reference} reference={reference} />
          </div>
        </>
      }
      act={children}
    />
  );
}
