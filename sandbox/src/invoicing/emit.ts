import { randomUUID } from 'node:crypto';
import { centavos, type Centavos } from '@aparta/domain/money';
import { emissionRequest, type EmissionRequest } from '@aparta/provider-wire/factura-green';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import {
  type CustomerRow,
  done,
  type InvoiceRow,
  type InvoicingOffice,
  type ProductRow,
  productFor,
  refuse,
  unavailable,
} from './office.ts';
import { type Outcome, outcomeOf, refusalOf } from './outcomes.ts';

type Cfdi = EmissionRequest['cfdi'];
type Item = Cfdi['items'][number];

/** POST /interop/cfdi/emmit. Not idempotent: asked twice, it is stamped twice. */
export function emit(office: InvoicingOffice, businessId: string, body: unknown): Answer {
  const given = v.safeParse(emissionRequest, body);
  if (!given.success) return refuse(400, v.summarize(given.issues));
  const { cfdi } = given.output;
  const receiver = office.customers.get(cfdi.customer.uuid);
  const [item, ...more] = cfdi.items;
  const product = productFor(office, businessId, item?.uuid ?? '');
  if (receiver?.business !== businessId) return refuse(404, 'El cliente no existe');
  if (item === undefined || product === undefined || more.length > 0)
    return refuse(404, 'El producto no existe');

  const outcome = outcomeOf(receiver.customer.address.main.zip);
  const refused = refusalBeforeStamping(outcome, receiver);
  if (refused !== undefined) return refused;
  const amounts = amountsOf(item, product, outcome);
  if (amounts.subTotalCentavos === 0)
    return refuse(200, 'CFDI40107: el campo SubTotal debe ser mayor que cero');
  const row = office.invoices.put({
    id: randomUUID(),
    folioTax: randomUUID().toUpperCase(),
    serie: 'A',
    folio: String(1001 + office.invoices.count()),
    at: office.clock.now(),
    business: businessId,
    receiver: receiver.customer,
    product,
    description: item.desc ?? product.description,
    observations: cfdi.observations,
    form: cfdi.payment.form.k,
    method: cfdi.payment.method.k,
    quantity: item.qty,
    ...amounts,
    asked: { xml: 0, pdf: 0 },
  });
  return answerOf(office, row, outcome);
}

function refusalBeforeStamping(outcome: Outcome, { customer }: CustomerRow): Answer | undefined {
  if (outcome === 'down' || outcome === 'emissionDown') return unavailable();
  if (outcome === 'stampingDown')
    return refuse(200, 'El servicio de timbrado no responde, tiempo de espera agotado');
  if (outcome === 'issuerFault')
    return refuse(200, 'CFDI40139: el campo Nombre del emisor no es el registrado para su RFC');
  const refusal = refusalOf(customer);
  return refusal && refuse(200, `${refusal.code}: ${refusal.message}`);
}

type Amounts = Pick<InvoiceRow, 'priceMicropesos' | 'subTotalCentavos' | 'ivaCentavos' | 'totalCentavos'>;

function amountsOf(item: Item, { ivaBasisPoints }: ProductRow, outcome: Outcome): Amounts {
  const asked = Math.round(item.price.amount * 1e6);
  const priceMicropesos =
    outcome === 'otherTotal' ? Math.round((asked * (10_000 + ivaBasisPoints)) / 10_000) : asked;
  const line = BigInt(priceMicropesos) * BigInt(item.qty);
  const subTotalCentavos = halfUp(line, 10_000n);
  const ivaCentavos = halfUp(line * BigInt(ivaBasisPoints), 100_000_000n);
  const totalCentavos = centavos(subTotalCentavos + ivaCentavos);
  return { priceMicropesos, subTotalCentavos, ivaCentavos, totalCentavos };
}

function halfUp(dividend: bigint, divisor: bigint): Centavos {
  return centavos(Number((dividend * 2n + divisor) / (divisor * 2n)));
}

/** What is answered of an invoice that was stamped. */
function answerOf(
  { waits }: InvoicingOffice,
  { id, folioTax, serie, folio }: InvoiceRow,
  outcome: Outcome,
): Answer {
  const answer = done({
    uuid: id,
    cfdi: { folio_tax: folioTax, serie, folio },
    // Addresses that nobody should follow.
    pdf_url: `https://169.254.169.254/${id}.pdf`,
    xml_url: `https://169.254.169.254/${id}.xml`,
  });
  switch (outcome) {
    case 'slow':
      return { ...answer, reply: { afterMs: waits.approveLaterMs } };
    case 'late':
      return { ...answer, reply: { afterMs: waits.lateReplyMs } };
    case 'lost':
    case 'malformed':
      return { ...answer, reply: outcome };
    case 'withoutIds':
      return done({});
    case 'unsent':
      return refuse(200, 'No se pudo enviar el correo al receptor');
    default:
      return answer;
  }
}
