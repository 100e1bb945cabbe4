import { randomUUID } from 'node:crypto';
import type { Centavos } from '@aparta/domain/money';
import {
  type Customer,
  customerAddRequest,
  customerUpdateRequest,
  type Envelope,
  productAddRequest,
  type ProductAddRequest,
  success,
} from '@aparta/provider-wire/factura-green';
import * as v from 'valibot';
import type { Answer } from '../answer.ts';
import type { Clock } from '../clock.ts';
import type { Journal, Table } from '../journal.ts';
import { objectionTo, outcomeOf } from './outcomes.ts';

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

/** What was stamped, with the receiver and the product as they were then. */
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

type Deps = { journal: Journal; clock: Clock; waits: { approveLaterMs: number; lateReplyMs: number } };

/** FacturaGreen, and SAT behind it: what they keep in the journal. */
export type InvoicingOffice = Omit<Deps, 'journal'> & {
  customers: Table<CustomerRow>;
  products: Table<ProductRow>;
  invoices: Table<InvoiceRow>;
  service: Table<{ id: 'service'; down: boolean }>;
};

export function openInvoicingOffice({ journal, ...deps }: Deps): InvoicingOffice {
  return {
    ...deps,
    customers: journal.table('invoicingCustomers'),
    products: journal.table('invoicingProducts'),
    invoices: journal.table('invoices'),
    service: journal.table('invoicingService'),
  };
}

export function isDown({ service }: InvoicingOffice): boolean {
  return service.get('service')?.down ?? false;
}

export function setDown({ service }: InvoicingOffice, down: boolean): void {
  service.put({ id: 'service', down });
}

/** What a call is refused with; undefined for one that may go on. */
export function refusalOfCall(
  office: InvoicingOffice,
  key: unknown,
  account: unknown,
  businessId: unknown,
): Answer | undefined {
  if (isDown(office)) return unavailable();
  if (key !== demoOffice.applicationKey || account !== demoOffice.accountUuid)
    return refuse(401, 'Credenciales incorrectas');
  return demoOffice.businesses.some(({ id }) => id === businessId)
    ? undefined
    : refuse(403, 'La empresa no pertenece a la cuenta');
}

function saveCustomer(office: InvoicingOffice, businessId: string, customer: Customer, id: string): Answer {
  if (outcomeOf(customer.address.main.zip) === 'down') return unavailable();
  const objection = objectionTo(customer);
  if (objection !== undefined) return refuse(400, objection);
  office.customers.put({ id, business: businessId, at: office.clock.now(), customer });
  return done({ uuid: id });
}

/** POST /interop/customer/add: the same one twice is two. */
export function addCustomer(office: InvoicingOffice, businessId: string, body: unknown): Answer {
  const given = v.safeParse(customerAddRequest, body);
  if (!given.success) return refuse(400, v.summarize(given.issues));
  return saveCustomer(office, businessId, given.output.customer, randomUUID());
}

/** POST /interop/customer/update. */
export function updateCustomer(office: InvoicingOffice, businessId: string, body: unknown): Answer {
  const given = v.safeParse(customerUpdateRequest, body);
  if (!given.success) return refuse(400, v.summarize(given.issues));
  const { uuid, ...customer } = given.output.customer;
  if (office.customers.get(uuid)?.business !== businessId) return refuse(404, 'El cliente no existe');
  return saveCustomer(office, businessId, customer, uuid);
}

/** POST /interop/product/add. */
export function addProduct(office: InvoicingOffice, businessId: string, body: unknown): Answer {
  const given = v.safeParse(productAddRequest, body);
  if (!given.success) return refuse(400, v.summarize(given.issues));
  const row = office.products.put(productOf(businessId, given.output));
  return done({ uuid: row.id });
}

/** A product of a business, its own or the demo's. */
export function productFor(office: InvoicingOffice, businessId: string, id: string): ProductRow | undefined {
  const demo = demoOffice.products.find((product) => product.id === id);
  if (demo !== undefined) return demoProduct(demo);
  const row = office.products.get(id);
  return row?.business === businessId ? row : undefined;
}

/** Counts that a file was asked for. Its invoice; undefined while there is no such file. */
export function askForFile(
  office: InvoicingOffice,
  businessId: string,
  id: string,
  file: 'xml' | 'pdf',
): InvoiceRow | undefined {
  const row = office.invoices.get(id);
  if (row?.business !== businessId) return undefined;
  const asked = { ...row.asked, [file]: row.asked[file] + 1 };
  office.invoices.put({ ...row, asked });
  const outcome = outcomeOf(row.receiver.address.main.zip);
  const isThere = outcome === 'filesLate' ? asked[file] > 3 : outcome !== 'noPdf' || file !== 'pdf';
  return isThere ? row : undefined;
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

export function done(data: unknown): Answer {
  return { status: 200, body: { response: success, data, telemetry: telemetry() } satisfies Envelope };
}

/** A refusal may come with 200: only the envelope says so. */
export function refuse(status: number, message: string): Answer {
  const body = { response: 'error', message: 'Error', error: { message }, telemetry: telemetry() };
  return { status, body: body satisfies Envelope };
}

export const unavailable = (): Answer => refuse(503, 'Servicio no disponible');

const telemetry = () => ({ 'call-uuid': randomUUID() });
