import { ButtonLink } from '@aparta/ui/button.tsx';
import cancelled from '@aparta/ui/drawings/cancelled.svg?raw';
import expired from '@aparta/ui/drawings/expired.svg?raw';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { paymentsCopy as copy } from './copy.ts';
import { Elsewhere, OutcomePage, ToPurchase, type Facts } from './outcome.tsx';
import type { Payable } from './payable.ts';

/** Cannot be paid here any more: why, and what became of the card that was tried before, if one was. */
export function Closed({
  kind,
  payable,
}: {
  kind: 'paidElsewhere' | 'expired' | 'cancelled' | 'notYet';
  payable: Payable;
}) {
  if (kind === 'paidElsewhere') {
    const { title, text: line, factTitle, fact } = payable.isMoreOwed ? copy.paidInPart : copy.paidElsewhere;
    return (
      <OutcomePage
        merchantId={payable.merchantId}
        purchases
        alert={{ title, text: line }}
        facts={[
          {
            icon: payable.isMoreOwed ? 'calendar' : 'check',
            title: factTitle,
            text: fact ?? `${payable.productName}\u00a0· ${payable.part}`,
          },
          ...triedCard(payable),
        ]}
      >
        <ToPurchase purchaseId={payable.purchaseId} />
      </OutcomePage>
    );
  }
  if (kind === 'notYet' || payable.kind === 'instalment') {
    const { title, text: line, factTitle, fact } = kind === 'notYet' ? copy.notYet : copy.purchaseCancelled;
    return (
      <OutcomePage
        merchantId={payable.merchantId}
        purchases
        alert={{ title, text: line }}
        {...(kind !== 'notYet' && { drawing: cancelled })}
        facts={[{ icon: 'calendar', title: factTitle, text: fact }, ...triedCard(payable)]}
      >
        <ToPurchase purchaseId={payable.purchaseId} />
      </OutcomePage>
    );
  }
  const { title, text: line, factTitle, fact, go } = copy[kind];
  return (
    <OutcomePage
      merchantId={payable.merchantId}
      alert={{ title, text: line }}
      drawing={kind === 'expired' ? expired : cancelled}
      facts={[{ icon: 'qr', title: factTitle, text: fact }, ...triedCard(payable)]}
    >
      <ButtonLink variant="primary" to={paths.layaway} reload wide>
        {go}
      </ButtonLink>
    </OutcomePage>
  );
}

/** It may have ended while the bank's window was open: nobody is left to wonder whether their money has gone. */
function triedCard({ attempt }: Payable): Facts {
  const { title, noMoney, late } = copy.triedCard;
  switch (attempt?.state) {
    case 'rejected':
    case 'not_charged':
      return [{ icon: 'card', title, text: noMoney(attempt.card && copy.card(attempt.card)) }];
    case 'abandoned':
      return [{ icon: 'card', title, text: late }];
    default:
      return [];
  }
}

/** Spec §2's URLs carry ids that anybody can type: nothing is said about another buyer's. */
export function Missing() {
  useArrival(copy.missing.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.missing.title}>{copy.missing.text}</PageHead>
      <Elsewhere />
      <StickyFooter>
        <ToPurchase purchaseId={undefined} />
      </StickyFooter>
    </Flow>
  );
}
