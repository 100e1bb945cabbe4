import { useAlert } from '@aparta/ui/alert.tsx';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import { paths, type InvoicePlace } from '../app/paths.ts';
import { profileAlerts as alerts } from '../copy/profile-alerts.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import {
  FISCAL_FIELDS,
  fiscalClientsQuery,
  type FiscalClient,
  type FiscalValues,
} from '../data/fiscal-clients.ts';
import type { BuyerProfile } from '../data/profile.ts';
import { fiscalDraft } from '../session/fiscal-draft.ts';
import { useUser } from '../session/session.ts';
import { fiscalCopy } from './fiscal-copy.ts';
import { FiscalClients } from './fiscal-clients.tsx';
import styles from './fiscal.module.css';

/** It stands below what is registered already, and brings SAT's tables: asked for with the list, and not awaited with it. */
const FiscalForm = lazyPage(() => import('./fiscal-form.tsx'));
const RemoveSheet = lazy(() => import('./remove-sheet.tsx'));

const copy = fiscalCopy;

/** Spec §2, fiscal information tab: the registered fiscal clients, and the form that adds or corrects one. */
export default function FiscalData() {
  const user = useUser();
  return user && <Fiscal user={user} />;
}

/**
 * The client being corrected and the invoice to return to are in the URL, so that reload and back keep them.
 */
function Fiscal({ user }: { user: BuyerProfile }) {
  const [search] = useSearchParams();
  const [, navigate] = useLocation();
  const showAlert = useAlert();
  const list = useRef<HTMLHeadingElement>(null);
  /** Number of saves; each resets the form. */
  const [saved, setSaved] = useState(0);
  const [toRemove, setToRemove] = useState<FiscalClient>();
  const query = useQuery(fiscalClientsQuery(user.id));
  useEffect(() => FiscalForm.preload(), []);

  const wanted = idIn(search.get('cliente'));
  const client = query.data?.find(({ id }) => id === wanted);
  const invoice = invoiceIn(search);
  const faulty = FISCAL_FIELDS.find((field) => field === search.get('campo'));

  const toForm = (id?: number) =>
    navigate(paths.fiscal({ ...(id !== undefined && { client: id }), invoice }), { replace: true });

  async function end(registered: FiscalClient) {
    fiscalDraft.clear();
    await showAlert(client ? alerts.profileUpdated : alerts.fiscalClientAdded);
    if (invoice) return navigate(paths.invoice(invoice, registered.id));
    toForm();
    setSaved(saved + 1);
    list.current?.focus();
  }

  // The list stands above the form on a phone: until it is known, the form would jump.
  if (!query.data && !query.error) return <Loading />;
  return (
    <div className={styles.around}>
      <div className={styles.fiscal}>
        <section className={text.stack} aria-labelledby="datos-fiscales">
          <h2 id="datos-fiscales" tabIndex={-1} ref={list}>
            {copy.clients.title}
          </h2>
          {query.data ? (
            <FiscalClients
              clients={query.data}
              open={client?.id}
              onCorrect={(id) => toForm(id)}
              onRemove={setToRemove}
            />
          ) : (
            <Failed
              title={copy.clients.failed}
              text={sentenceFor(query.error)}
              busy={query.isFetching ? copy.retrying : undefined}
              onRetry={() => void query.refetch()}
            />
          )}
        </section>
        <div className={text.stack}>
          {invoice && (
            <div className={styles.forInvoice}>
              <Notice tone="next" title={copy.forInvoice} />
              <ButtonLink variant="quiet" icon="back" to={paths.invoice(invoice)}>
                {copy.toInvoice}
              </ButtonLink>
            </div>
          )}
          {wanted !== undefined && query.data && !client && (
            <Notice tone="pending" title={copy.gone} urgent />
          )}
          {(wanted === undefined || query.data) && (
            <Suspense fallback={<Skeleton label={copy.loadingForm}>{fields}</Skeleton>}>
              <FiscalForm
                key={`${client?.id ?? 'new'} ${saved}`}
                buyerId={user.id}
                client={client}
                start={startFor(user)}
                faulty={client && faulty}
                onSaved={(registered) => void end(registered)}
                onFresh={() => toForm()}
              />
            </Suspense>
          )}
        </div>
      </div>
      {toRemove && (
        <Suspense>
          <RemoveSheet
            buyerId={user.id}
            client={toRemove}
            onClose={() => setToRemove(undefined)}
            onRemoved={() => {
              if (toRemove.id === wanted) toForm();
              list.current?.focus();
            }}
          />
        </Suspense>
      )}
    </div>
  );
}

const fields = FISCAL_FIELDS.map((field) => <SkeletonBlock key={field} shape="control" />);

function Loading() {
  return (
    <Skeleton label={copy.clients.loading}>
      <div className={text.card}>
        <SkeletonBlock width="most" />
        <SkeletonBlock />
      </div>
      {fields}
    </Skeleton>
  );
}

/** An empty form, prefilled from the account. */
function startFor({ user, phone }: BuyerProfile): FiscalValues {
  return {
    rfc: '',
    alias: '',
    name: '',
    regime: '',
    cfdiUse: '',
    email: user,
    phone,
    street: '',
    suburb: '',
    zip: '',
    chosenType: '',
  };
}

function invoiceIn(search: URLSearchParams): InvoicePlace | undefined {
  const purchaseId = idIn(search.get('compra'));
  const instalmentId = idIn(search.get('pago'));
  return purchaseId === undefined || instalmentId === undefined ? undefined : { purchaseId, instalmentId };
}

function idIn(said: string | null): number | undefined {
  return said !== null && /^[1-9]\d{0,14}$/.test(said) ? Number(said) : undefined;
}
