import { useAlert } from '@aparta/ui/alert.tsx';
import { Amount } from '@aparta/ui/amount.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Option } from '@aparta/ui/option.tsx';
import text from '@aparta/ui/text.module.css';
import { useLocation } from 'wouter';
import { paths } from '../app/paths.ts';
import { alerts, offlineAlert } from '../copy/alerts.ts';
import type { InstalmentToPay } from '../data/instalments.ts';
import { attempt } from '../session/attempt.ts';
import { purchasesCopy } from './copy.ts';

const copy = purchasesCopy.pay;

/** Spec §2, the 'Realizar pago' popup: both payment methods with their cost. */
export default function PaySheet({ toPay, onClose }: { toPay: InstalmentToPay; onClose: () => void }) {
  const showAlert = useAlert();
  const [, navigate] = useLocation();
  const { card, cash } = toPay;

  async function payByCard() {
    onClose();
    if (!toPay.acceptsCards) {
      // Spec §5 and §8.
      attempt.clear();
      await showAlert(alerts.noCards);
      return navigate(paths.purchases);
    }
    const alert = offlineAlert();
    if (alert) return showAlert(alert);
    // A separate document: only there may the card provider be loaded.
    location.assign(paths.payInstalment(toPay.purchaseId, toPay.id));
  }

  return (
    <Sheet title={copy.title} onClose={onClose}>
      <div className={text.tight}>
        <p className={`${text.muted} ${text.small}`}>{copy.of(toPay.product, toPay.number, toPay.of)}</p>
        <Amount of={toPay.balance} size="hero" />
      </div>
      {toPay.number === toPay.of && <Notice tone="next" title={copy.last} />}
      <div className={text.tight}>
        <Option
          icon="card"
          title={copy.card}
          text={toPay.acceptsCards ? copy.cardText(card.fee) : copy.noCards}
          amount={toPay.acceptsCards ? card.total : undefined}
          onClick={() => void payByCard()}
        />
        <Option
          icon="store"
          title={copy.store}
          text={copy.storeText(cash.fee)}
          amount={cash.total}
          onClick={() => {
            onClose();
            navigate(paths.payInStore(toPay.purchaseId, toPay.id));
          }}
        />
      </div>
      <Button wide onClick={onClose}>
        {copy.close}
      </Button>
    </Sheet>
  );
}
