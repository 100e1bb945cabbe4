import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { newId } from '@aparta/browser/new-id.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { inGroups } from '@aparta/domain/in-groups';
import { centavosToPesos } from '@aparta/domain/money';
import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { payInCash, purchaseQuery, type StoryRefund } from '../data/purchases.ts';
import { owedRefundsQuery } from '../data/reports.ts';
import { refundPresses, type RefundPress, type Presser } from '../session/press.ts';
import { useBranch, useSession } from '../session/session.ts';
import { refundsCopy as copy } from './copy.ts';
import styles from './refunds.module.css';

interface Of {
  readonly refund: Pick<StoryRefund, 'id' | 'amount' | 'folio' | 'state' | 'payerName'>;
  readonly buyer: string;
  /** On whose page it stands; null in the list of what is owed, of money that no purchase got. */
  readonly purchaseId: number | null;
}

/** Hands a refund that is owed over in cash; by who may. */
export function PayRefund({ refund, buyer, purchaseId }: Of) {
  const queries = useQueryClient();
  const role = useSession()?.position.role;
  const [isOpen, setOpen] = useState(false);
  const isOwed = refund.state === 'owed';
  // An open sheet still says that somebody else handed it over.
  if (!role || !may(role, 'pay_refund') || !(isOwed || isOpen)) return null;
  function close() {
    setOpen(false);
    // Somebody else may have handed it over: then its row goes, and only now what the sheet says of that.
    if (purchaseId === null) void queries.invalidateQueries(owedRefundsQuery);
  }
  return (
    <div className={styles.act}>
      {isOwed && <Button onClick={() => setOpen(true)}>{copy.open(refund.amount)}</Button>}
      {isOpen && <PaySheet {...{ refund, buyer, purchaseId }} onClose={close} />}
    </div>
  );
}

function PaySheet({ refund, buyer, purchaseId, onClose }: Of & { onClose: () => void }) {
  const queries = useQueryClient();
  const online = useOnline();
  const branch = useBranch();
  const position = useSession()?.position;
  const form = useSubmit({
    async send() {
      if (!branch) return { title: copy.noBranch };
      const press = pressFor(position, refund, branch.id);
      refundPresses.keep(position, press);
      try {
        const stands = await payInCash(press);
        refundPresses.forget(press.id);
        if (stands === 'still owed') return { title: copy.stillOwed };
      } catch (error) {
        if (!isUnanswered(error)) refundPresses.forget(press.id);
        // The row behind the sheet says how it stands.
        if (isRefused(error, 'AMOUNT_CHANGED')) void queries.invalidateQueries(owedRefundsQuery);
        if (purchaseId !== null && isRefused(error, 'REFUND_DONE', 'AMOUNT_CHANGED'))
          void queries.invalidateQueries(purchaseQuery(purchaseId));
        throw error;
      }
      void queries.invalidateQueries({ queryKey: ['today'] });
      void queries.invalidateQueries({ queryKey: ['shifts'] });
      await queries.invalidateQueries(owedRefundsQuery);
      if (purchaseId !== null) await queries.invalidateQueries(purchaseQuery(purchaseId));
      onClose();
      return {};
    },
    refuse: (error) => ({ title: wordsFor(error, purchaseId) }),
  });
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <p>{refund.payerName === null ? copy.text : copy.helper}</p>
        <LineItems
          rows={[
            { label: copy.to, text: refund.payerName ?? buyer },
            { label: copy.folio, text: inGroups(refund.folio) },
            ...(branch ? [{ label: copy.from, text: copy.drawer(branch.name) }] : []),
          ]}
          total={{ label: copy.amount, amount: refund.amount, size: 'mid' }}
        />
        {!branch && <Notice tone="danger" title={copy.noBranch} />}
        <RefusedNotice of={form} />
        {refund.state === 'owed' && (
          <Button {...form.button(copy.busy)} variant="primary" wide disabled={!online || !branch}>
            {copy.submit(refund.amount)}
          </Button>
        )}
      </Form>
    </Sheet>
  );
}

/** The press whose end was not seen, sent again as it was; else a new one. */
function pressFor(who: Presser, { id: refundId, amount }: Of['refund'], branchId: number): RefundPress {
  const press = { refundId, branchId, amount: centavosToPesos(amount) };
  const before = refundPresses.unfinished(
    who,
    (kept) => kept.refundId === refundId && kept.branchId === branchId && kept.amount === press.amount,
  );
  return before ?? { id: newId(), ...press };
}

function wordsFor(error: unknown, purchaseId: number | null): string {
  if (isRefused(error, 'REFUND_DONE') && purchaseId === null) return copy.done;
  if (isRefused(error, 'AMOUNT_CHANGED')) return copy.changed;
  if (isUnanswered(error)) return copy.unanswered;
  return sentenceFor(error);
}
