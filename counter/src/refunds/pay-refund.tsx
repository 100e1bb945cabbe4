import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { newId } from '@aparta/browser/new-id.ts';
import { isUnanswered } from '@aparta/browser/unanswered.ts';
import { inGroups } from '@aparta/domain/in-groups';
import { centavosToPesos } from '@aparta/domain/money';
import { may } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Choice } from '@aparta/ui/choice.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useOnline } from '../app/use-online.ts';
import { payOwed, purchaseQuery, type StoryRefund } from '../data/purchases.ts';
import { owedRefundsQuery } from '../data/reports.ts';
import { refundPresses, type RefundPress, type Presser } from '../session/press.ts';
import { useBranch, useSession } from '../session/session.ts';
import { refundsCopy as copy } from './copy.ts';
import styles from './refunds.module.css';

type Method = NonNullable<RefundPress['method']>;

interface Of {
  readonly refund: Pick<
    StoryRefund,
    'id' | 'amount' | 'folio' | 'state' | 'payerName' | 'last4' | 'storeReversed'
  >;
  readonly buyer: string;
  /** On whose page it stands; null in the list of what is owed, of money that no purchase got. */
  readonly purchaseId: number | null;
}

/** Hands a refund that is owed over, in cash or on the terminal that took it; by who may. */
export function PayRefund({ refund, buyer, purchaseId }: Of) {
  const queries = useQueryClient();
  const role = useSession()?.position.role;
  const online = useOnline();
  const [isOpen, setOpen] = useState(false);
  const isOwed = refund.state === 'owed';
  // An open sheet still says that somebody else handed it over.
  if (!role || !may(role, 'pay_refund') || !(isOwed || isOpen)) return null;
  if (refund.storeReversed && !isOpen) return <Notice tone="danger" title={copy.storeReversed} />;
  function close() {
    setOpen(false);
    // Somebody else may have handed it over: then its row goes, and only now what the sheet says of that.
    if (purchaseId === null) void queries.invalidateQueries(owedRefundsQuery);
  }
  return (
    <div className={styles.act}>
      {isOwed && !refund.storeReversed && (
        <Button disabled={!online} onClick={() => setOpen(true)}>
          {copy.open[methodOf(refund)](refund.amount)}
        </Button>
      )}
      {isOpen && <PaySheet {...{ refund, buyer, purchaseId }} onClose={close} />}
    </div>
  );
}

/** As it came: no card is turned into banknotes without being asked for. */
const methodOf = ({ last4 }: Of['refund']): Method => (last4 === null ? 'cash' : 'terminal');

function PaySheet({ refund, buyer, purchaseId, onClose }: Of & { onClose: () => void }) {
  const queries = useQueryClient();
  const online = useOnline();
  const branch = useBranch();
  const position = useSession()?.position;
  const [method, setMethod] = useState(methodOf(refund));
  const form = useSubmit({
    async send() {
      if (!branch) return { title: copy.noBranch };
      const press = pressFor(position, refund, branch.id, method);
      refundPresses.keep(position, press);
      try {
        const stands = await payOwed(press);
        refundPresses.forget(press.id);
        if (stands === 'still owed') return { title: copy.stillOwed };
      } catch (error) {
        if (!isUnanswered(error)) refundPresses.forget(press.id);
        // The row behind the sheet says how it stands.
        if (isRefused(error, 'AMOUNT_CHANGED', 'REFUND_TAKEN_BACK'))
          void queries.invalidateQueries(owedRefundsQuery);
        if (purchaseId !== null && isRefused(error, 'REFUND_DONE', 'REFUND_TAKEN_BACK', 'AMOUNT_CHANGED'))
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
        <p>
          {refund.last4 !== null
            ? copy.byTerminal(refund.last4)
            : refund.payerName === null
              ? copy.text
              : copy.helper}
        </p>
        {refund.last4 !== null && (
          <Choice
            legend={copy.method}
            name="method"
            options={(['terminal', 'cash'] as const).map((value) => ({ value, label: copy.methods[value] }))}
            value={method}
            onChange={setMethod}
          />
        )}
        {refund.last4 !== null && method === 'cash' && <Notice tone="pending" title={copy.rarelyCash} />}
        <LineItems
          rows={[
            { label: copy.to, text: refund.payerName ?? buyer },
            { label: copy.folio, text: inGroups(refund.folio) },
            ...(branch
              ? [{ label: copy.from, text: method === 'cash' ? copy.drawer(branch.name) : copy.terminal }]
              : []),
          ]}
          total={{ label: copy.amount, amount: refund.amount, size: 'mid' }}
        />
        {!branch && <Notice tone="danger" title={copy.noBranch} />}
        <RefusedNotice of={form} />
        {refund.state === 'owed' && !refund.storeReversed && (
          <Button {...form.button(copy.busy)} variant="primary" wide disabled={!online || !branch}>
            {copy.submit[method](refund.amount)}
          </Button>
        )}
      </Form>
    </Sheet>
  );
}

/** The press whose end was not seen, sent again as it was; else a new one. */
function pressFor(
  who: Presser,
  { id: refundId, amount, last4 }: Of['refund'],
  branchId: number,
  method: Method,
): RefundPress {
  const press = {
    refundId,
    branchId,
    amount: centavosToPesos(amount),
    // A server of the version before, which names no card, would take what it does not know for cash.
    ...(last4 !== null && { method }),
  };
  const before = refundPresses.unfinished(
    who,
    (kept) =>
      kept.refundId === refundId &&
      kept.branchId === branchId &&
      kept.amount === press.amount &&
      (kept.method ?? 'cash') === method,
  );
  return before ?? { id: newId(), ...press };
}

/** Why a refund was not written down as handed over. `purchaseId`: on whose page it is said. */
export function wordsFor(error: unknown, purchaseId: number | null): string {
  if (isRefused(error, 'REFUND_DONE') && purchaseId === null) return copy.done;
  if (isRefused(error, 'AMOUNT_CHANGED')) return copy.changed;
  if (isUnanswered(error)) return copy.unanswered;
  return sentenceFor(error);
}
