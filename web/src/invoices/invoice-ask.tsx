import { usesFor } from '@aparta/domain/fiscal';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Select } from '@aparta/ui/other-fields.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { fiscalClientsQuery, refusedFields, type FiscalClient } from '../data/fiscal-clients.ts';
import type { Invoice } from '../data/invoice.ts';
import { profileQuery } from '../data/profile.ts';
import { useUser } from '../session/session.ts';
import { invoicesCopy } from './copy.ts';
import { fiscalCopy } from './fiscal-copy.ts';
import type { Invoiced } from './invoice-part.tsx';
import { Loading, type Asking } from './invoice-sheet.tsx';
import styles from './invoice-sheet.module.css';

const copy = invoicesCopy.sheet;

/** Chooses the fiscal client and asks for the invoice; without one, leads to registering the first. */
export default function InvoiceAsk(props: Invoiced & Asking) {
  const { purchaseId, instalmentId, onClose } = props;
  const buyerId = useUser()?.id ?? 0;
  const query = useQuery(fiscalClientsQuery(buyerId));
  const close = (
    <Button wide onClick={onClose}>
      {copy.close}
    </Button>
  );
  if (query.data) {
    if (query.data.length > 0) return <AskFor {...props} clients={query.data} />;
    return (
      <>
        <FactList facts={[{ icon: 'invoice', title: copy.none.title, text: copy.none.text }]} />
        <div className={text.tight}>
          <ButtonLink variant="primary" wide to={paths.fiscal({ invoice: { purchaseId, instalmentId } })}>
            {copy.none.go}
          </ButtonLink>
          {close}
        </div>
      </>
    );
  }
  return (
    <>
      {query.error ? (
        <Failed
          title={fiscalCopy.clients.failed}
          text={sentenceFor(query.error)}
          busy={query.isFetching ? fiscalCopy.retrying : undefined}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Loading />
      )}
      {close}
    </>
  );
}

function nameOfUse({ values: { regime, cfdiUse } }: FiscalClient): string {
  const use = usesFor(regime).find(({ code }) => code === cfdiUse);
  return use ? `${use.code} · ${use.name}` : cfdiUse;
}

/** The selector, the invoice's details and the submit button. */
function AskFor({
  clients,
  invoice,
  busy,
  error,
  onAsk,
  onClose,
  ...instalment
}: Invoiced & Asking & { clients: readonly FiscalClient[] }) {
  const [search] = useSearchParams();
  /** To the account's e-mail, whatever the fiscal data say: the invoice itself once the mailbox is confirmed. */
  const { id = 0, user: email = '', emailConfirmed = false } = useUser() ?? {};
  // It may have been since this tab signed in.
  const profile = useQuery({ ...profileQuery(id), enabled: !emailConfirmed });
  const isSent = emailConfirmed || profile.data?.emailConfirmed === true;
  // Preselects the client just saved, the refused invoice's, or the only one; with several the buyer chooses
  // (spec §5).
  const [chosen, setChosen] = useState(() => search.get('cliente') ?? String(invoice?.clientId ?? ''));
  const client =
    clients.find(({ id }) => String(id) === chosen) ?? (clients.length === 1 ? clients[0] : undefined);
  const back = { purchaseId: instalment.purchaseId, instalmentId: instalment.instalmentId };
  // A buyer who comes from the form has just corrected it, so the earlier refusal no longer applies.
  const refused = invoice?.state === 'refused' && !busy && !search.has('cliente') ? invoice : undefined;
  const isToMend = refused?.field !== undefined && client?.id === refused.clientId;
  const [wrong] = refusedFields(error);

  const form = useSubmit({
    check: (typed) => (typed('clientSatId') === '' ? { errors: { clientSatId: copy.required } } : undefined),
    // The popup may be closed and opened again meanwhile: `busy` and `error` are of the request, not of this form.
    async send(typed) {
      if (!busy) await onAsk(Number(typed('clientSatId')));
      return {};
    },
    refuse: () => ({}),
  });

  return (
    <Form of={form} className={text.stack}>
      {refused && (
        <Refused
          invoice={refused}
          back={clients.some(({ id }) => id === refused.clientId) ? back : undefined}
          variant={isToMend ? 'primary' : 'secondary'}
        />
      )}
      <Select
        label={copy.client}
        name="clientSatId"
        value={client ? String(client.id) : ''}
        error={form.errors.clientSatId}
        onChange={(event) => setChosen(event.target.value)}
        options={[
          ...(client && clients.length === 1 ? [] : [{ value: '', label: copy.choose }]),
          ...clients.map(({ id, values }) => ({
            value: String(id),
            label: `${values.rfc} · ${values.name}`,
          })),
        ]}
      />
      {client && (
        <dl className={styles.about}>
          {(
            [
              [copy.regime, client.regime],
              [copy.use, nameOfUse(client)],
              [copy.zip, client.values.zip],
              [isSent ? copy.email : copy.notice, email],
            ] as const
          ).map(([label, said]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{said}</dd>
            </div>
          ))}
        </dl>
      )}
      {client && !isSent && (
        <p className={`${text.muted} ${text.small}`}>
          {copy.toGetIt} <Link to={paths.profile}>{copy.confirm}</Link>.
        </p>
      )}
      <div className={styles.choices}>
        {client && (
          <ButtonLink
            variant="quiet"
            small
            to={paths.fiscal({ client: client.id, ...(wrong && { field: wrong }), invoice: back })}
          >
            {copy.correct}
          </ButtonLink>
        )}
        <ButtonLink variant="quiet" small to={paths.fiscal({ invoice: back })}>
          {copy.other}
        </ButtonLink>
      </div>
      {error !== null && !busy && !isRefused(error, 'INVOICE_REFUSED') && (
        <Notice tone="danger" title={sentenceFor(error)} urgent />
      )}
      <div className={text.tight}>
        <Button
          type="submit"
          variant={isToMend ? 'secondary' : 'primary'}
          wide
          busy={busy || form.busy ? copy.emitting : undefined}
        >
          {copy.emit}
        </Button>
        <Button wide onClick={onClose}>
          {copy.close}
        </Button>
      </div>
    </Form>
  );
}

/** Why it was not issued, and a link to the field where one is at fault. */
function Refused({
  invoice: { field, clientId, rfc, detail },
  back,
  variant,
}: {
  invoice: Invoice;
  variant: 'primary' | 'secondary';
  /** Undefined if the fiscal client was removed. */
  back: { purchaseId: number; instalmentId: number } | undefined;
}) {
  return (
    <div className={text.tight}>
      <Notice tone="danger" title={copy.refused}>
        {field ? `${rfc}. ${invoicesCopy.faults[field]}` : `${invoicesCopy.faultOfNobody} ${detail}`}
      </Notice>
      {field && back && (
        <ButtonLink variant={variant} wide to={paths.fiscal({ client: clientId, field, invoice: back })}>
          {invoicesCopy.mend[field]}
        </ButtonLink>
      )}
    </div>
  );
}
