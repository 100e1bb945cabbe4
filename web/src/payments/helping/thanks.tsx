import { formatDate, formatMoment, mexicoCityDate } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { Button } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { PaidSum } from '@aparta/ui/paid-sum.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from '../../app/config.ts';
import type { CardAttempt } from '../../data/card-attempt.ts';
import { helpAttempt } from '../../session/help-attempt.ts';
import { paymentsCopy } from '../copy.ts';
import { Contact } from './contact.tsx';
import { helpingCopy as copy } from './copy.ts';
import type { Helping } from './use-helping.ts';

/** The help arrived. It stays so after a reload, until its helper wants to give again. */
export function Thanks({ helping, attempt }: { helping: Helping; attempt: CardAttempt }) {
  useArrival(copy.paid, config.productName);
  const { helped, state } = helping;
  const paidAt = attempt.paidAt ?? attempt.createdAt;
  const done = paymentsCopy.done;
  return (
    <Flow>
      <PageHead title={copy.paid}>{copy.paidText(helped?.firstName ?? '')}</PageHead>
      <div className={text.stack}>
        <Ticket
          label={copy.receipt}
          kind="receipt"
          thing={
            <PaidSum
              label={copy.gave}
              amount={attempt.charged}
              isNews
              date={formatDate(mexicoCityDate(paidAt))}
            >
              {helped && (
                <ProductHeader
                  title={helped.productName}
                  sub={helped.tradeName}
                  merchant={helped.tradeName}
                  pictures={helped.pictures}
                />
              )}
            </PaidSum>
          }
          act={
            <LineItems
              rows={[
                { label: done.date, text: paymentsCopy.moment(formatMoment(paidAt)) },
                ...(attempt.folio === undefined
                  ? []
                  : [{ label: done.folio, text: inGroups(attempt.folio) }]),
                ...(attempt.card === undefined
                  ? []
                  : [{ label: done.card, text: paymentsCopy.card(attempt.card) }]),
              ]}
            />
          }
        />
        <p className={text.muted}>{copy.emailed}</p>
        {state === 'open' && (
          <Button
            wide
            onClick={() => {
              helpAttempt.clear();
              location.reload();
            }}
          >
            {copy.again}
          </Button>
        )}
        <Contact />
      </div>
    </Flow>
  );
}
