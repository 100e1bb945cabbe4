import { buyerSums, fillsOfSum } from '@aparta/domain/buyer-sums';
import type { DateOnly } from '@aparta/domain/calendar';
import { add, subtract, type Centavos } from '@aparta/domain/money';
import { typedSum } from '@aparta/browser/typed-sum.ts';
import { Ahead } from '@aparta/ui/ahead.tsx';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Option } from '@aparta/ui/option.tsx';
import text from '@aparta/ui/text.module.css';
import { useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { alerts, offlineAlert } from '../copy/alerts.ts';
import { fillsText } from '../copy/fills-text.ts';
import type { Instalment, InstalmentToPay } from '../data/instalments.ts';
import { attempt } from '../session/attempt.ts';
import { payCopy } from './pay-copy.ts';

const copy = payCopy;

type Which = 'next' | 'late' | 'all' | 'other';

/** Spec §2, the 'Realizar pago' popup: how much of the plan, and both payment methods with their cost. */
export default function PaySheet({
  toPay,
  plan,
  today,
  onClose,
  onLeave,
}: {
  toPay: InstalmentToPay;
  plan: readonly Instalment[];
  today: DateOnly;
  onClose: () => void;
  /** Before another document is opened. The sheet stays until that shows: without its link, what was made ready is thrown away. */
  onLeave: () => void;
}) {
  const showAlert = useAlert();
  const [, navigate] = useLocation();
  const owed = owedOf(plan, toPay);
  const sums = buyerSums(owed, today) ?? {
    next: toPay.balance,
    late: undefined,
    all: toPay.balance,
    least: toPay.balance,
  };
  const late = sums.late !== undefined && sums.late < sums.all ? sums.late : undefined;
  const [{ picked, byKeys }, pick] = useState({ picked: 'next' as Which, byKeys: false });
  // What is late may change while the sheet is open: one of what is offered stays picked.
  const which = picked !== 'late' || late !== undefined ? picked : sums.late === undefined ? 'next' : 'all';
  const [other, setOther] = useState<Centavos>();
  const [isWrong, setWrong] = useState(false);
  const field = useRef<HTMLDivElement>(null);

  const asked = which === 'other' ? other : sums[which];
  const fills = asked === undefined ? undefined : fillsOfSum(owed, asked);
  const sum = fills && asked;
  const { card, cash, till } = toPay;

  /** Does it with a sum that is allowed; else asks for one. */
  function withSum(act: (sum: Centavos) => void) {
    if (sum !== undefined) return act(sum);
    setWrong(true);
    field.current?.querySelector<HTMLElement>('[name=amount]')?.focus();
  }

  async function payByCard(chosen: Centavos) {
    if (!toPay.acceptsCards) {
      onClose();
      // Spec §5 and §8.
      attempt.clear();
      await showAlert(alerts.noCards);
      return navigate(paths.purchases);
    }
    const alert = offlineAlert();
    if (alert) {
      onClose();
      return showAlert(alert);
    }
    attempt.startAnew();
    onLeave();
    // Only in a separate document may the card provider be loaded.
    location.assign(cardScreen(toPay, chosen));
  }

  return (
    <Sheet title={copy.title} onClose={onClose}>
      <div className={text.tight}>
        <p className={`${text.muted} ${text.small}`}>{copy.of(toPay.product, toPay.number, toPay.of)}</p>
        {sum !== undefined && <Amount of={sum} size="hero" />}
      </div>
      {toPay.number === toPay.of && <Notice tone="next" title={copy.last} />}
      {(sums.all > sums.next || sums.all > sums.least) && (
        <div className={text.tight} ref={field}>
          <Choice
            legend={copy.howMuch}
            name="sum"
            stacked
            options={[
              ...(sums.all > sums.next ? [{ value: 'next' as const, label: copy.next(sums.next) }] : []),
              ...(late === undefined ? [] : [{ value: 'late' as const, label: copy.late(late) }]),
              {
                value: sums.all > sums.next ? ('all' as const) : ('next' as const),
                label: copy.all(sums.all),
              },
              { value: 'other' as const, label: copy.other },
            ]}
            value={which}
            onChange={(value, isByKeys) => {
              pick({ picked: value, byKeys: isByKeys });
              setOther(undefined);
              setWrong(false);
            }}
          />
          {which === 'other' && (
            <Field
              name="amount"
              label={copy.otherField}
              hint={copy.otherHint(sums.least, sums.all)}
              error={isWrong && sum === undefined ? copy.otherWrong(sums.least, sums.all) : undefined}
              inputMode="decimal"
              autoComplete="off"
              autoFocus={!byKeys}
              onInput={(event) => setOther(typedSum(event.currentTarget.value))}
            />
          )}
          <p role="status" className={`${text.muted} ${text.small}`}>
            {fills && sum !== undefined && fillsText(plan, fills, subtract(sums.all, sum))}
          </p>
        </div>
      )}
      <div className={text.tight}>
        <Option
          icon="card"
          title={copy.card}
          text={toPay.acceptsCards ? copy.cardText(card.fee) : copy.noCards}
          amount={toPay.acceptsCards && sum !== undefined ? add(sum, card.fee) : undefined}
          onClick={() => withSum((chosen) => void payByCard(chosen))}
        />
        <Option
          icon="store"
          title={copy.store}
          text={copy.storeText(cash.fee)}
          amount={sum === undefined ? undefined : add(sum, cash.fee)}
          onClick={() =>
            withSum((chosen) => {
              onClose();
              // A reference that is alive may be of another sum.
              const isPlain = chosen === toPay.balance && toPay.progress !== 'atStore';
              navigate(paths.payInStore(toPay.purchaseId, toPay.id, isPlain ? undefined : chosen));
            })
          }
        />
        {till && (
          <Option
            icon="tag"
            title={copy.till(toPay.merchant)}
            text={copy.tillText(till.fee)}
            amount={sum === undefined ? undefined : add(sum, till.fee)}
            onClick={() => withSum(() => navigate(paths.barcode(till.reference)))}
          />
        )}
      </div>
      <Button wide onClick={onClose}>
        {copy.close}
      </Button>
      {/* Not of a sum that is being typed: each figure would be a document of its own. */}
      {toPay.acceptsCards && which !== 'other' && !attempt.isKept() && (
        <Ahead to={cardScreen(toPay, sums[which] ?? sums.next)} />
      )}
    </Sheet>
  );
}

/** Where a sum of it is paid by card. */
function cardScreen({ purchaseId, id, balance }: InstalmentToPay, chosen: Centavos): string {
  return paths.payInstalment(purchaseId, id, chosen === balance ? undefined : chosen);
}

/** The plan with what the server has just said of the one that is next. */
function owedOf(plan: readonly Instalment[], { id, balance }: InstalmentToPay) {
  return plan.map((each) => ({
    number: each.number,
    dueOn: each.dueOn,
    balanceCentavos: each.id === id ? balance : each.balance,
  }));
}
