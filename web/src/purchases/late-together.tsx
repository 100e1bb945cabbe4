import { useQuery } from '@tanstack/react-query';
import { add, sum, zero, type Centavos } from '@aparta/domain/money';
import { Amount } from '@aparta/ui/amount.tsx';
import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Check } from '@aparta/ui/check.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import { paths } from '../app/paths.ts';
import { offlineAlert } from '../copy/alerts.ts';
import type { InstalmentToPay } from '../data/instalments.ts';
import { lateWithQuery, type LatePurchase } from '../data/late-purchases.ts';
import { attempt } from '../session/attempt.ts';
import { togetherCopy as copy } from './together-copy.ts';

/** Of a late purchase, where others of its merchant are late too: one card payment for them. */
export default function LateTogether({ toPay }: { toPay: InstalmentToPay }) {
  const { data: late = [] } = useQuery(lateWithQuery(toPay.purchaseId));
  const [choosing, setChoosing] = useState(false);
  if (late.length < 2 || late[0]?.id !== toPay.purchaseId) return null;
  return (
    <>
      <Button wide aria-haspopup="dialog" onClick={() => setChoosing(true)}>
        {copy.open(late.length)}
      </Button>
      {choosing && <Together toPay={toPay} late={late} onClose={() => setChoosing(false)} />}
    </>
  );
}

/** Which of them; the one whose screen this is stays. */
function Together({
  toPay,
  late,
  onClose,
}: {
  toPay: InstalmentToPay;
  late: readonly LatePurchase[];
  onClose: () => void;
}) {
  const showAlert = useAlert();
  const [left, setLeft] = useState<readonly number[]>([]);
  const chosen = late.filter(({ id }) => !left.includes(id));
  const fee = chosen.reduce<Centavos>((most, { cardFee }) => (cardFee > most ? cardFee : most), zero);
  const total = add(sum(chosen.map(({ amount }) => amount)), fee);
  const others = chosen.map(({ id }) => id).filter((id) => id !== toPay.purchaseId);

  function pay() {
    const alert = offlineAlert();
    if (alert) return showAlert(alert);
    attempt.startAnew();
    // A separate document: only there may the card provider be loaded.
    location.assign(
      paths.payInstalment(toPay.purchaseId, toPay.id, undefined, others.length > 0 ? others : undefined),
    );
  }

  return (
    <Sheet title={copy.title} onClose={onClose}>
      <p className={`${text.muted} ${text.small}`}>{copy.text(toPay.merchant)}</p>
      <div className={text.tight}>
        {late.map(({ id, product, amount }) => (
          <Check
            key={id}
            name={`purchase-${id}`}
            defaultChecked
            disabled={id === toPay.purchaseId}
            onChange={(isChosen) =>
              setLeft((before) => (isChosen ? before.filter((each) => each !== id) : [...before, id]))
            }
          >
            {product} <Amount of={amount} />
          </Check>
        ))}
      </div>
      <LineItems
        rows={[
          ...(fee > zero ? [{ label: copy.fee, amount: fee }] : []),
          { label: copy.total, amount: total, strong: true },
        ]}
      />
      <Button variant="primary" wide disabled={others.length === 0} onClick={() => void pay()}>
        {copy.pay(total)}
      </Button>
      <Button wide onClick={onClose}>
        {copy.close}
      </Button>
    </Sheet>
  );
}
