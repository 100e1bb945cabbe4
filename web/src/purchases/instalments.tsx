import type { DateOnly } from '@aparta/domain/calendar';
import { tracesOf } from '@aparta/domain/moving';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { LineItems } from '@aparta/ui/line-items.tsx';
import text from '@aparta/ui/text.module.css';
import { Timeline, TimelineItem } from '@aparta/ui/timeline.tsx';
import { lazy, Suspense, useState, type ComponentProps, type ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import type {
  AppliedPayment,
  Instalment,
  InstalmentToPay,
  InstalmentWithPayments,
} from '../data/instalments.ts';
import type { PurchaseDetail } from '../data/purchases.ts';
import { dueWords } from './copy.ts';
import { detailCopy } from './detail-copy.ts';
import { nextCopy } from './next-copy.ts';
import type { RenderInvoice } from './render-invoice.ts';
import styles from './instalments.module.css';

const copy = detailCopy.detail;

const MoveSheet = lazy(() => import('./move-sheet.tsx'));
const PlanChanges = lazy(() => import('./plan-changes.tsx'));

/** Spec §2, all instalments with their payments. `progress` is that of the next one's payment. */
export function Instalments({
  purchase,
  progress,
  today,
  invoice,
  refresh,
}: {
  purchase: PurchaseDetail;
  progress: InstalmentToPay['progress'] | undefined;
  today: DateOnly;
  invoice: RenderInvoice;
  refresh: () => Promise<unknown>;
}) {
  const invoiceOf = ({ id, number, of, amount, ...instalment }: InstalmentWithPayments) =>
    (instalment.invoice !== undefined ||
      instalment.cancelledInvoice !== undefined ||
      instalment.mayBeInvoiced ||
      instalment.invoiceUntil !== undefined) && (
      <Suspense fallback={<InvoiceRoom of={instalment} />}>
        {invoice({
          purchaseId: purchase.id,
          instalmentId: id,
          product: purchase.product,
          merchant: purchase.merchant,
          number,
          of,
          amount,
          invoice: instalment.invoice,
          cancelled: instalment.cancelledInvoice,
          hasEnded: purchase.status === 'cancelled',
          mayBeInvoiced: instalment.mayBeInvoiced,
          invoiceUntil: instalment.invoiceUntil,
          hasFee: instalment.hasFee,
          refresh,
        })}
      </Suspense>
    );
  const { moving } = purchase;
  const [changing, setChanging] = useState<ReturnType<typeof movableOf>>();
  const traces = tracesOf(moving?.changes ?? []);
  return (
    <>
      <Timeline label={copy.payments}>
        {purchase.instalments.map((instalment) => (
          <TimelineItem
            key={instalment.id}
            {...standing(instalment, progress)}
            number={instalment.number}
            title={copy.item(instalment.number, instalment.of)}
            amount={instalment.amount}
            note={dateNote(instalment, today)}
            {...chipText(instalment)}
          >
            {instalment.payments.map((payment, index) => (
              <Applied key={payment.id} payment={payment}>
                {index === instalment.payments.length - 1 && invoiceOf(instalment)}
              </Applied>
            ))}
            {instalment.paid > 0 && instalment.balance > 0 && instalment.state !== 'dropped' && (
              <div className={text.small}>
                <LineItems rows={[{ label: nextCopy.balance, amount: instalment.balance, strong: true }]} />
              </div>
            )}
            <Was trace={traces.get(instalment.number)} />
            {movableOf(purchase, instalment.number) && (
              <div className={styles.acts}>
                <Button
                  variant="quiet"
                  small
                  icon="clock"
                  aria-haspopup="dialog"
                  onClick={() => setChanging(movableOf(purchase, instalment.number))}
                >
                  <span>
                    {copy.change} <span className={text.srOnly}>{copy.changeOf(instalment.number)}</span>
                  </span>
                </Button>
              </div>
            )}
          </TimelineItem>
        ))}
      </Timeline>
      {/* Apart: the first change may be known, and this code on its way, while the sheet has yet to say how it went. */}
      <Suspense>{moving && moving.changes.length > 0 && <PlanChanges moving={moving} />}</Suspense>
      <Suspense>{changing && <MoveSheet {...changing} onClose={() => setChanging(undefined)} />}</Suspense>
    </>
  );
}

/** Of an invoice while its code comes. */
function InvoiceRoom({
  of: { invoice, cancelledInvoice, mayBeInvoiced, invoiceUntil },
}: {
  of: Pick<InstalmentWithPayments, 'invoice' | 'cancelledInvoice' | 'mayBeInvoiced' | 'invoiceUntil'>;
}) {
  return (
    <>
      {(invoice ?? cancelledInvoice) && <span className={styles.stands} />}
      {mayBeInvoiced && <span className={styles.ask} />}
      {invoiceUntil && <span className={styles.until} data-over={!mayBeInvoiced || undefined} />}
    </>
  );
}

/** What changing an instalment needs; undefined where it cannot be changed. */
function movableOf({ id, moving, instalments }: PurchaseDetail, number: number) {
  const movable = moving?.movable.find((each) => each.number === number);
  const instalment = instalments.find((each) => each.number === number);
  return moving && movable && instalment && { purchaseId: id, moving, movable, instalment };
}

function Was({ trace }: { trace: ReturnType<ReturnType<typeof tracesOf>['get']> }) {
  const words = [
    trace?.wasDueOn === undefined ? '' : copy.was(trace.wasDueOn),
    trace?.isPart === true ? copy.isPart : '',
  ].filter((each) => each !== '');
  return words.length > 0 && <p className={`${text.muted} ${text.small}`}>{words.join('. ')}</p>;
}

/** A late one that is under way is both. */
function standing(
  { state, isNext }: Instalment,
  progress: InstalmentToPay['progress'] | undefined,
): Pick<ComponentProps<typeof TimelineItem>, 'state' | 'also'> {
  if (isNext && (progress === 'confirming' || progress === 'atStore'))
    return state === 'late' ? { state, also: progress } : { state: progress };
  return { state: state === 'dropped' ? 'upcoming' : state };
}

function chipText({ state, note }: Instalment): { chipText?: string } {
  if (state === 'dropped') return { chipText: copy.dropped };
  return note !== '' && state === 'due' ? { chipText: copy.partial } : {};
}

function dateNote({ state, dueOn }: Instalment, today: DateOnly): string | undefined {
  if (state === 'paid') return undefined;
  if (state === 'dropped') return copy.wouldBeDue(dueOn);
  return state === 'late' ? nextCopy.lateSince(dueOn) : dueWords(dueOn, today, false);
}

/** 'Abono aplicado' with its method and receipt, and after an instalment's last payment its invoice. */
function Applied({ payment, children }: { payment: AppliedPayment; children: ReactNode }) {
  return (
    <div className={styles.applied}>
      <LineItems rows={[{ label: copy.applied, amount: payment.amount }]} />
      <p className={text.muted}>{copy.how(payment)}</p>
      <div className={styles.acts}>
        <ButtonLink variant="quiet" small icon="payments" to={paths.receipt(payment.folio)}>
          <span>
            {copy.receipt} <span className={text.srOnly}>{copy.receiptOf(payment.folio)}</span>
          </span>
        </ButtonLink>
        {children}
      </div>
    </div>
  );
}
