import { sentenceFor } from '@aparta/browser/copy.ts';
import type { ShopInvoiceState } from '@aparta/domain/shop-lists';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Chip, type ChipState } from '@aparta/ui/chip.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation } from '@tanstack/react-query';
import { purchasesAddress } from '../app/paths.ts';
import { useOnline } from '../app/use-online.ts';
import { invoiceFile, type PaidInstalment } from '../data/invoices.ts';
import { HowItStands, Row } from '../lists/row.tsx';
import { invoicesCopy as copy } from './copy.ts';
import styles from './invoices.module.css';

const CHIPS: Readonly<Record<ShopInvoiceState, ChipState>> = {
  in_process: 'confirming',
  review: 'confirming',
  issued: 'paid',
  credited: 'invoiced',
  refused: 'late',
  cancelled: 'cancelled',
};

/** A paid instalment, and what became of its invoice. */
export function InstalmentRow({ of }: { of: PaidInstalment }) {
  const {
    productName,
    amount,
    purchaseId,
    number,
    of: all,
    paidAt,
    receiptFolio,
    buyer,
    paymentForm,
    invoice,
    cancelled,
  } = of;
  const asking = copy.asking(of);
  return (
    <Row
      title={productName}
      amount={amount}
      facts={[
        copy.part(number, all),
        buyer,
        copy.paid(paidAt),
        copy.receipt(receiptFolio),
        copy.form(paymentForm),
      ].join(' · ')}
    >
      <HowItStands>
        <Chip state={invoice ? CHIPS[invoice.state] : 'upcoming'} text={copy.stands(invoice?.state)} />
        {asking !== undefined && <span>{asking}</span>}
      </HowItStands>
      {invoice && <Invoice of={invoice} />}
      {invoice && <Files of={invoice} />}
      {cancelled.map((each) => (
        <div key={each.id}>
          <p className={`${text.muted} ${text.small}`}>{copy.cancelledBefore(nameOf(each))}</p>
          <Files of={each} />
        </div>
      ))}
      <div className={styles.acts}>
        <ButtonLink variant="quiet" small to={purchasesAddress({ show: 'all' }, purchaseId)}>
          {copy.see(purchaseId)}
        </ButtonLink>
      </div>
    </Row>
  );
}

type ShopInvoice = NonNullable<PaidInstalment['invoice']>;
type InvoiceFiles = PaidInstalment['cancelled'][number];

const nameOf = ({ folio, fiscalFolio }: InvoiceFiles) => folio || (fiscalFolio ?? '');

function Invoice({ of: { rfc, fiscalFolio, folio, reason } }: { of: ShopInvoice }) {
  const facts = [
    [copy.rfc, rfc],
    [copy.number, folio],
    [copy.fiscalFolio, fiscalFolio],
    [copy.reason, reason],
  ] as const;
  return (
    <dl className={styles.invoice}>
      {facts.map(
        ([label, said]) =>
          said && (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{said}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** On a line of their own: which invoice they are of is what stands above. */
function Files({ of }: { of: InvoiceFiles }) {
  const { id, hasPdf, hasXml } = of;
  const online = useOnline();
  const save = useMutation({
    mutationFn: async (format: 'pdf' | 'xml') => download(await invoiceFile(id, format)),
  });
  const busy = (format: 'pdf' | 'xml') =>
    save.isPending && save.variables === format ? copy.saving : undefined;
  if (!hasPdf && !hasXml) return null;
  return (
    <div className={styles.acts}>
      {([hasPdf && 'pdf', hasXml && 'xml'] as const).map(
        (format) =>
          format && (
            <Button
              key={format}
              variant="quiet"
              small
              icon="save"
              busy={busy(format)}
              disabled={!online}
              onClick={() => save.mutate(format)}
            >
              {copy.files[format]} <span className={text.srOnly}>{copy.ofInvoice(nameOf(of))}</span>
            </Button>
          ),
      )}
      {save.error && <Notice tone="danger" title={sentenceFor(save.error)} urgent />}
    </div>
  );
}
