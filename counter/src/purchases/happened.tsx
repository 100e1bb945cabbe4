import { may } from '@aparta/domain/staff-rights';
import { refundStands } from '@aparta/domain/shop-copy';
import { Amount } from '@aparta/ui/amount.tsx';
import { AppLink } from '@aparta/ui/app-link.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import type { PurchaseStory } from '../data/purchases.ts';
import { refundedTo, refundOf } from '../refunds/copy.ts';
import { PayRefund } from '../refunds/pay-refund.tsx';
import { useSession } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import styles from './purchases.module.css';

const copy = purchasesCopy.story;

/** What came of a purchase: its payments, what went back, and what its buyer was told. */
export function Happened({ story }: { story: PurchaseStory }) {
  const { payments, planChanges, refunds, emails, handedOver, buyer } = story;
  const role = useSession()?.position.role;
  return (
    <>
      {handedOver && (
        <Events title={copy.handedOver} none="">
          {[
            <Event
              key="hand-over"
              title={copy.handedOverTo(handedOver.collector ?? buyer)}
              facts={[
                copy.moment(handedOver.at),
                copy.takenBy(handedOver.by, handedOver.branch),
                handedOver.signed && copy.signed,
              ]}
            />,
          ]}
        </Events>
      )}
      <Events title={copy.payments} none={copy.noPayments}>
        {payments.map((payment) => (
          <Event
            key={payment.folio}
            title={copy.methods[payment.method]}
            amount={<Amount of={payment.amount} size="strong" />}
            facts={[
              copy.moment(payment.at),
              payment.takenBy !== null &&
                payment.branch !== null &&
                copy.takenBy(payment.takenBy, payment.branch),
              payment.method.startsWith('counter') && role && may(role, 'see_receipt') ? (
                <AppLink key="receipt" to={paths.receipt(payment.folio)}>
                  {copy.folio(payment.folio)}
                </AppLink>
              ) : (
                copy.folio(payment.folio)
              ),
              copy.includesFee(payment.fee),
              payment.withdrawn > 0 && copy.withdrawn(payment.withdrawn),
            ]}
          />
        ))}
      </Events>
      {planChanges.length > 0 && (
        <Events title={copy.planChanges} none="">
          {planChanges.map(({ changeNumber, number, fromDay, toDay, parts, at }) => (
            <Event
              key={changeNumber}
              title={
                parts
                  ? copy.split(number, parts.first, fromDay, parts.rest, toDay)
                  : copy.moved(number, fromDay, toDay)
              }
              facts={[copy.moment(at)]}
            />
          ))}
        </Events>
      )}
      {refunds.length > 0 && (
        <Events title={copy.refunds} none="">
          {refunds.map((refund) => (
            <Event
              key={refund.id}
              title={refundedTo(refund)}
              amount={<Amount of={refund.amount} size="strong" />}
              facts={[
                refundStands(refund),
                copy.moment(refund.doneAt ?? refund.at),
                refund.payerName !== null && refundOf(refund.payerName),
              ]}
            >
              {refund.method === 'cash' && (
                <PayRefund refund={refund} buyer={story.contact?.name ?? buyer} purchaseId={story.id} />
              )}
            </Event>
          ))}
        </Events>
      )}
      <Events title={copy.emails} none={copy.noEmails}>
        {emails.map((email) => (
          <Event
            key={`${email.topic} ${email.at.getTime()}`}
            title={copy.email(email.topic)}
            facts={[copy.emailStates[email.state], copy.moment(email.at)]}
          />
        ))}
      </Events>
    </>
  );
}

function Events({ title, none, children }: { title: string; none: string; children: readonly ReactNode[] }) {
  return (
    <section className={text.tight}>
      <h2>{title}</h2>
      {children.length === 0 ? (
        <p className={text.muted}>{none}</p>
      ) : (
        <ul className={styles.events}>{children}</ul>
      )}
    </section>
  );
}

function Event({
  title,
  amount,
  facts,
  children,
}: {
  title: string;
  amount?: ReactNode;
  facts: readonly ReactNode[];
  children?: ReactNode;
}) {
  const said = facts.filter(Boolean);
  return (
    <li>
      <p className={text.between}>
        <b>{title}</b>
        {amount}
      </p>
      <p className={`${text.muted} ${text.small} ${styles.facts}`}>
        {said.map((fact, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- facts never move
          <span key={at}>{fact}</span>
        ))}
      </p>
      {children}
    </li>
  );
}
