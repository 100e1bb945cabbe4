import { useAlert, type AlertText } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { download } from '@aparta/ui/download.ts';
import text from '@aparta/ui/text.module.css';
import { usePolling } from '@aparta/ui/use-polling.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isRefused } from '@aparta/browser/api-error.ts';
import { alerts } from '../copy/alerts.ts';
import { knownRefusals } from '../copy/known-refusals.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import type { CancelledInvoice, Invoice } from '../data/invoice.ts';
import { emitting, faultIn, invoiceFile } from '../data/invoices.ts';
import { inProcessWords, invoicesCopy } from './copy.ts';
import type { Invoiced } from './invoice-part.tsx';
import { InvoiceSheet } from './invoice-sheet.tsx';
import styles from './invoice.module.css';

const copy = invoicesCopy.part;

/** An invoice in process is polled this often and this long; after that an email announces it. */
const POLL_EVERY_MS = 4_000;
const POLL_FOR_MS = 2 * 60_000;

/** Spec §2, the state of an instalment's invoice, its files once issued, and the popup that asks for it. */
export default function InvoiceStanding({
  invoice,
  cancelled,
  hasEnded,
  popup,
  ...instalment
}: Invoiced & {
  invoice: Invoice | undefined;
  cancelled: CancelledInvoice | undefined;
  hasEnded: boolean;
  popup: { isOpen: boolean; close: () => void };
}) {
  const { instalmentId, number, mayBeInvoiced, refresh } = instalment;
  const state = invoice?.state;
  const showAlert = useAlert();
  const emit = useMutation(emitting);

  // Requested earlier, here or in another tab, and finished while the screen was open.
  const before = useRef(state);
  const asking = useRef(false);
  const stoodAs = useEffectEvent((was: Invoice['state'] | undefined) => {
    if (was !== 'inProcess' || asking.current || invoice === undefined) return;
    if (state === 'issued') popup.close();
    const alert = endOf(invoice);
    if (alert) void showAlert(alert);
  });
  useEffect(() => {
    stoodAs(before.current);
    before.current = state;
  }, [state]);

  async function ask(clientId: number) {
    asking.current = true;
    try {
      const asked = await emit.mutateAsync({ instalmentId, clientId });
      await refresh();
      if (asked.state === 'issued') popup.close();
      const end = endOf(asked);
      if (end) await showAlert(end);
    } catch (error) {
      // Other failures show in the popup, beside the invoice's current state.
      await refresh();
      if (isRefused(error, 'INVOICE_REFUSED')) await showAlert(refusedFor(faultIn(error)));
      if (isRefused(error, 'INVOICE_TOO_LATE')) await showAlert(alertFor(error));
      if (isRefused(error, 'INVOICE_OTHER_RFC')) {
        // Asked for in another tab: the purchase shows that one, and a later popup nothing of this answer.
        popup.close();
        emit.reset();
        await showAlert(alertFor(error));
      }
    } finally {
      asking.current = false;
    }
  }

  return (
    <>
      {invoice ? (
        <Stands key={invoice.id} invoice={invoice} hasEnded={hasEnded} number={number} refresh={refresh} />
      ) : cancelled ? (
        <Cancelled invoice={cancelled} hasEnded={hasEnded} />
      ) : null}
      {popup.isOpen && (mayBeInvoiced || state === 'inProcess' || state === 'review') && (
        <InvoiceSheet
          {...instalment}
          invoice={invoice}
          busy={emit.isPending}
          error={emit.error}
          onAsk={ask}
          onClose={popup.close}
        />
      )}
    </>
  );
}

/** Spec §8's alert for how it ended, or undefined while it has not. */
function endOf({ state, field }: Invoice): AlertText | undefined {
  if (state === 'issued') return alerts.invoiced;
  return state === 'refused' ? refusedFor(field) : undefined;
}

function refusedFor(field: Invoice['field']): AlertText {
  return { ...knownRefusals.INVOICE_REFUSED, ...(field && { footer: invoicesCopy.faults[field] }) };
}

function Stands({
  invoice,
  hasEnded,
  number,
  refresh,
}: {
  invoice: Invoice;
  hasEnded: boolean;
  number: number;
  refresh: () => Promise<unknown>;
}) {
  switch (invoice.state) {
    case 'inProcess':
      return <InProcess invoice={invoice} refresh={refresh} />;
    case 'review':
      return (
        <div className={styles.stands}>
          <Chip state="confirming" text={copy.review} />
          <p className={text.muted}>{copy.to(invoice.rfc, invoice.name)}</p>
          <p className={text.muted}>{copy.reviewText}</p>
        </div>
      );
    case 'refused':
      return (
        <div className={styles.stands}>
          <Chip state="late" text={copy.refused} />
          <p>{invoice.field ? invoicesCopy.faults[invoice.field] : invoicesCopy.faultOfNobody}</p>
          {!invoice.field && invoice.detail !== '' && <p className={text.muted}>{invoice.detail}</p>}
        </div>
      );
    case 'issued':
      return <Issued invoice={invoice} hasEnded={hasEnded} number={number} />;
  }
}

/** Polls for a while; then an email follows, and the buyer can check by hand. */
function InProcess({ invoice, refresh }: { invoice: Invoice; refresh: () => Promise<unknown> }) {
  const { isPolling } = usePolling(POLL_FOR_MS);
  const [isChecking, setChecking] = useState(false);
  useEffect(() => {
    if (!isPolling) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refresh();
    }, POLL_EVERY_MS);
    return () => clearInterval(timer);
  }, [isPolling, refresh]);
  return (
    <div className={styles.stands}>
      <Chip state="confirming" text={copy.inProcess} />
      <p className={text.muted}>{copy.to(invoice.rfc, invoice.name)}</p>
      <p className={text.muted}>{inProcessWords(invoice, !isPolling)}</p>
      {!isPolling && (
        <Button
          small
          icon="retry"
          busy={isChecking ? copy.checking : undefined}
          onClick={() => {
            setChecking(true);
            void refresh().finally(() => setChecking(false));
          }}
        >
          {copy.check}
        </Button>
      )}
    </div>
  );
}

function Issued({ invoice, hasEnded, number }: { invoice: Invoice; hasEnded: boolean; number: number }) {
  const [busy, setBusy] = useState<'pdf' | 'xml'>();
  const [said, setSaid] = useState<string>();

  async function save(what: 'pdf' | 'xml') {
    setBusy(what);
    setSaid(undefined);
    try {
      const file = await invoiceFile(invoice.id, what);
      download(file);
      setSaid(copy.downloaded(file.name));
    } catch {
      setSaid(copy.downloadFailed);
    } finally {
      setBusy(undefined);
    }
  }

  const files = (['pdf', 'xml'] as const).filter((what) =>
    what === 'pdf' ? invoice.hasPdf : invoice.hasXml,
  );
  return (
    <div className={styles.stands}>
      <Chip state="invoiced" text={copy.issued(invoice.folio, invoice.issuedOn)} />
      {invoice.isCredited && <Chip state="invoiced" text={copy.credited} />}
      {invoice.isCredited ? <p>{copy.creditedText}</p> : hasEnded && <p>{copy.ended}</p>}
      <Whose invoice={invoice} />
      {files.length > 0 ? (
        <div className={styles.files}>
          {files.map((what) => (
            <Button
              key={what}
              small
              icon="save"
              busy={busy === what ? copy.downloading : undefined}
              onClick={() => void save(what)}
            >
              <span>
                {copy.files[what]} <span className={text.srOnly}>{copy.of(number)}</span>
              </span>
            </Button>
          ))}
        </div>
      ) : (
        <p className={text.muted}>{copy.filesLater}</p>
      )}
      <p role="status" className={text.muted}>
        {said}
      </p>
    </div>
  );
}

/** The buyer has its files: they read that these are void, in the words of its email. */
function Cancelled({ invoice, hasEnded }: { invoice: CancelledInvoice; hasEnded: boolean }) {
  return (
    <div className={styles.stands}>
      <Chip state="late" text={hasEnded ? copy.annulled(invoice.folio) : copy.cancelled(invoice.folio)} />
      <p>{hasEnded ? copy.annulledText : copy.cancelledText}</p>
      <Whose invoice={invoice} />
    </div>
  );
}

function Whose({ invoice: { rfc, name, fiscalFolio } }: { invoice: Invoice | CancelledInvoice }) {
  return (
    <>
      <p className={text.muted}>{copy.to(rfc, name)}</p>
      {fiscalFolio && (
        <p className={text.muted}>
          {copy.fiscalFolio} <span className={styles.folio}>{fiscalFolio}</span>
        </p>
      )}
    </>
  );
}
