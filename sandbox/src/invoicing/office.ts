import { randomUUID } from 'node:crypto';
import { centavos, type Centavos } from '@aparta/domain/money';
import {
  type Customer,
  customerAddRequest,
  customerUpdateRequest,
  emissionRequest,
  type Envelope,
  productAddRequest,
  type ProductAddRequest,
  success,
} from '@aparta/provider-wire/factura-green';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import type { Clock } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { objectionTo, outcomeOf, refusalOf } from './outcomes.ts';

/** A merchant at the provider: who issues. */
export type Business = { id: string; name: string; rfc: string; regime: string; zip: string };

/** The one account, and what it has from the start. Fixed, so that the product's development settings and demo can name it. */
export const demoOffice = {
  applicationKey: 'demo-application-key',
  accountUuid: 'c0000000-0000-4000-8000-000000000001',
  businesses: [
    business(1, 'LINEA BLANCA DEL VALLE', 'LBV150312AB1', '72000'),
    business(2, 'ELECTRONICA ZAVALETA', 'EZA080917QX4', '72197'),
    business(3, 'MUEBLES DEL VALLE', 'MDV190604KT7', '72760'),
  ],
  /** Every business has them; each with a rate of IVA in basis points. */
  products: [1600, 800, 0].map((rate) => ({
    id: `e0000000-0000-4000-8000-00000000${String(rate).padStart(4, '0')}`,
    rate,
  })),
} as const;

function business(number: number, name: string, rfc: string, zip: string): Business {
  return { id: `d0000000-0000-4000-8000-00000000000${number}`, name, rfc, regime: '601', zip };
}

export type CustomerRow = { id: string; business: string; at: number; customer: Customer };
export type ProductRow = {
  id: string;
  /** Null: of every business. */
  business: string | null;
  sku: string;
  description: string;
  satClass: string;
  satUnit: string;
  ivaBasisPoints: number;
};

/** What was stamped, with everybody in it as he was then. */
export type InvoiceRow = {
  id: string;
  /** SAT's. */
  folioTax: string;
  serie: string;
  folio: string;
  at: number;
  business: string;
  receiver: Customer;
  product: ProductRow;
  description: string;
  observations: string;
  form: string;
  method: string;
  quantity: number;
  priceMicropesos: number;
  subTotalCentavos: Centavos;
  ivaCentavos: Centavos;
  totalCentavos: Centavos;
  /** How often each file was asked for. */
  asked: { xml: number; pdf: number };
};

export type InvoicingOffice = ReturnType<typeof createInvoicingOffice>;

type Deps = { journal: Journal; clock: Clock; waits: { approveLaterMs: number; lateReplyMs: number } };

/** FacturaGreen, and SAT behind it, over one journal. */
export function createInvoicingOffice({ journal, clock, waits }: Deps) {
  const customers: Table<CustomerRow> = journal.table('invoicingCustomers');
  const products: Table<ProductRow> = journal.table('invoicingProducts');
  const invoices: Table<InvoiceRow> = journal.table('invoices');
  const service: Table<{ id: 'service'; down: boolean }> = journal.table('invoicingService');

  const isDown = () => service.get('service')?.down ?? false;

  /** Whether a call may go on; else its answer. */
  function refusalOfCall(key: unknown, account: unknown, businessId: unknown): Answer | undefined {
    if (isDown()) return unavailable();
    if (key !== demoOffice.applicationKey || account !== demoOffice.accountUuid)
      return refuse(401, 'Credenciales incorrectas');
    return demoOffice.businesses.some(({ id }) => id === businessId)
      ? undefined
      : refuse(403, 'La empresa no pertenece a la cuenta');
  }

  function saveCustomer(businessId: string, customer: Customer, id: string): Answer {
    if (outcomeOf(customer.address.main.zip) === 'down') return unavailable();
    const objection = objectionTo(customer);
    if (objection !== undefined) return refuse(400, objection);
    customers.put({ id, business: businessId, at: clock.now(), customer });
    return done({ uuid: id });
  }

  /** POST /interop/customer/add: the same one twice is two. */
  function addCustomer(businessId: string, body: unknown): Answer {
    const given = v.safeParse(customerAddRequest, body);
    if (!given.success) return refuse(400, v.summarize(given.issues));
    return saveCustomer(businessId, given.output.customer, randomUUID());
  }

  /** POST /interop/customer/update. */
  function updateCustomer(businessId: string, body: unknown): Answer {
    const given = v.safeParse(customerUpdateRequest, body);
    if (!given.success) return refuse(400, v.summarize(given.issues));
    const { uuid, ...customer } = given.output.customer;
    if (customers.get(uuid)?.business !== businessId) return refuse(404, 'El cliente no existe');
    return saveCustomer(businessId, customer, uuid);
  }

  /** POST /interop/product/add. */
  function addProduct(businessId: string, body: unknown): Answer {
    const given = v.safeParse(productAddRequest, body);
    if (!given.success) return refuse(400, v.summarize(given.issues));
    const row = products.put(productOf(businessId, given.output));
    return done({ uuid: row.id });
  }

  function productFor(businessId: string, id: string): ProductRow | undefined {
    const demo = demoOffice.products.find((product) => product.id === id);
    if (demo !== undefined) return demoProduct(demo);
    const row = products.get(id);
    return row?.business === businessId ? row : undefined;
  }

  /** POST /interop/cfdi/emmit. Nothing makes it the same one twice. */
  function emit(businessId: string, body: unknown): Answer {
    const given = v.safeParse(emissionRequest, body);
    if (!given.success) return refuse(400, v.summarize(given.issues));
    const { cfdi } = given.output;
    const receiver = customers.get(cfdi.customer.uuid);
    const [item, ...more] = cfdi.items;
    const product = productFor(businessId, item?.uuid ?? '');
    if (receiver?.business !== businessId) return refuse(404, 'El cliente no existe');
    if (item === undefined || product === undefined || more.length > 0)
      return refuse(404, 'El producto no existe');

    const outcome = outcomeOf(receiver.customer.address.main.zip);
    if (outcome === 'down' || outcome === 'emissionDown') return unavailable();
    if (outcome === 'stampingDown')
      return refuse(200, 'El servicio de timbrado no responde, tiempo de espera agotado');
    if (outcome === 'issuerFault')
      return refuse(200, 'CFDI40139: el campo Nombre del emisor no es el registrado para su RFC');
    const refusal = refusalOf(receiver.customer);
    if (refusal !== undefined) return refuse(200, `${refusal.code}: ${refusal.message}`);

    const asked = Math.round(item.price.amount * 1e6);
    const { ivaBasisPoints } = product;
    const priceMicropesos =
      outcome === 'otherTotal' ? Math.round((asked * (10_000 + ivaBasisPoints)) / 10_000) : asked;
    const line = BigInt(priceMicropesos) * BigInt(item.qty);
    const subTotalCentavos = halfUp(line, 10_000n);
    const ivaCentavos = halfUp(line * BigInt(ivaBasisPoints), 100_000_000n);
    if (subTotalCentavos === 0) return refuse(200, 'CFDI40107: el campo SubTotal debe ser mayor que cero');
    const row = invoices.put({
      id: randomUUID(),
      folioTax: randomUUID().toUpperCase(),
      serie: 'A',
      folio: String(1001 + invoices.count()),
      at: clock.now(),
      business: businessId,
      receiver: receiver.customer,
      product,
      description: item.desc ?? product.description,
      observations: cfdi.observations,
      form: cfdi.payment.form.k,
      method: cfdi.payment.method.k,
      quantity: item.qty,
      priceMicropesos,
      subTotalCentavos,
      ivaCentavos,
      totalCentavos: centavos(subTotalCentavos + ivaCentavos),
      asked: { xml: 0, pdf: 0 },
    });
    const { id, folioTax, serie, folio } = row;
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
      case 'stamped':
      case 'otherTotal':
      case 'filesLate':
      case 'noPdf':
        return answer;
    }
  }

  /** Counts the asking for a file: its invoice, or undefined while there is no such file. */
  function askForFile(businessId: string, id: string, file: 'xml' | 'pdf'): InvoiceRow | undefined {
    const row = invoices.get(id);
    if (row?.business !== businessId) return undefined;
    const asked = { ...row.asked, [file]: row.asked[file] + 1 };
    invoices.put({ ...row, asked });
    const outcome = outcomeOf(row.receiver.address.main.zip);
    const isThere = outcome === 'filesLate' ? asked[file] > 3 : outcome !== 'noPdf' || file !== 'pdf';
    return isThere ? row : undefined;
  }

  return {
    customers,
    products,
    invoices,
    isDown,
    setDown: (down: boolean) => void service.put({ id: 'service', down }),
    refusalOfCall,
    addCustomer,
    updateCustomer,
    addProduct,
    emit,
    askForFile,
  };
}

function productOf(businessId: string, { product }: ProductAddRequest): ProductRow {
  return {
    id: randomUUID(),
    business: businessId,
    sku: product.sku,
    description: product.desc,
    satClass: product.sat_class.k,
    satUnit: product.sat_unit.k,
    ivaBasisPoints: product.taxes.iva_ta ? Math.round(Number(product.taxes.iva_tr) * 100) : 0,
  };
}

function demoProduct({ id, rate }: { id: string; rate: number }): ProductRow {
  return {
    id,
    business: null,
    sku: `ABONO-${rate / 100}`,
    description: 'Abono',
    satClass: '01010101',
    satUnit: 'H87',
    ivaBasisPoints: rate,
  };
}

function halfUp(dividend: bigint, divisor: bigint): Centavos {
  return centavos(Number((dividend * 2n + divisor) / (divisor * 2n)));
}

function done(data: unknown): Answer {
  return { status: 200, body: { response: success, data, telemetry: telemetry() } satisfies Envelope };
}

/** A refusal may well come with 200: only the envelope tells. */
export function refuse(status: number, message: string): Answer {
  const body = { response: 'error', message: 'Error', error: { message }, telemetry: telemetry() };
  return { status, body: body satisfies Envelope };
}

const unavailable = (): Answer => refuse(503, 'Servicio no disponible');

const telemetry = () => ({ 'call-uuid': randomUUID() });
