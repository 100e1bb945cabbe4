import type { IvaRate, PaymentForm } from '@aparta/domain/fiscal';
import type { FaultyField } from '../../platform/db/tables.ts';
import type { ProviderCheck } from '../../platform/provider-check.ts';

/** The receiver of an invoice as SAT has them registered (rules/providers#receiver-data), normalised. */
export interface Receiver {
  readonly rfc: string;
  readonly name: string;
  readonly alias: string;
  readonly email: string;
  readonly phone: string;
  readonly taxRegime: string;
  readonly cfdiUse: string;
  readonly street: string;
  readonly suburb: string;
  readonly postalCode: string;
}

export type { FaultyField } from '../../platform/db/tables.ts';

/**
 * The provider, or SAT through it, refused. `field` is the receiver's field at fault; undefined when none is (the merchant's own
 * set-up). `code` is SAT's, '' where none came. `message` is theirs, at most 300 characters.
 */
export interface Refused {
  readonly kind: 'refused';
  readonly code: string;
  readonly field: FaultyField | undefined;
  readonly message: string;
}

/** `not_sent`: it certainly was not done, and may be asked again. `unreachable`: nobody knows; asked again it might be done twice. */
export interface NotKnown {
  readonly kind: 'not_sent' | 'unreachable';
  readonly why: string;
}

export interface InvoiceRequest {
  /** The merchant at the provider. */
  readonly businessUuid: string;
  readonly customerUuid: string;
  readonly productUuid: string;
  readonly paymentForm: PaymentForm;
  /** Without IVA, from `netOfIva`: the provider adds IVA by the product's rate. */
  readonly priceMicropesos: number;
  /** The text of the line ('Abono 2 de 3, compra 10023'). */
  readonly description: string;
  readonly observations: string;
}

/** What the lines of a merchant's invoices refer to. The price comes with each invoice. */
export interface InvoicingProduct {
  readonly sku: string;
  readonly name: string;
  readonly ivaBasisPoints: IvaRate;
  /** SAT's c_ClaveProdServ, eight digits. */
  readonly satClass: string;
  /** SAT's c_ClaveUnidad ('H87', a piece). */
  readonly satUnit: string;
}

export interface IssuedInvoice {
  readonly kind: 'issued';
  /** The provider's own id, by which the files are fetched. */
  readonly providerUuid: string;
  /** SAT's UUID ('folio fiscal'). */
  readonly fiscalFolio: string;
  /** The merchant's series and number, '' where the provider gives none. */
  readonly folio: string;
}

export type InvoiceFile = 'xml' | 'pdf';

/** The invoicing provider. Every call happens outside a transaction; the adapter repeats none. */
export interface InvoicingProvider {
  /** Registers a receiver under one merchant. Twice makes a second customer there, which does no harm. */
  registerCustomer(
    businessUuid: string,
    receiver: Receiver,
  ): Promise<{ readonly kind: 'registered'; readonly uuid: string } | Refused | NotKnown>;
  /** Replaces all data of a customer. May be repeated. */
  updateCustomer(
    businessUuid: string,
    uuid: string,
    receiver: Receiver,
  ): Promise<{ readonly kind: 'updated' } | Refused | NotKnown>;
  /** Registers a product under one merchant. Twice makes a second product there. */
  registerProduct(
    businessUuid: string,
    product: InvoicingProduct,
  ): Promise<{ readonly kind: 'registered'; readonly uuid: string } | Refused | NotKnown>;
  /** Issues one invoice. The provider has no idempotency, so a success without ids is `unreachable`. */
  issue(request: InvoiceRequest): Promise<IssuedInvoice | Refused | NotKnown>;
  /** Asks for the file of an invoice that nobody issued: shows whether one merchant's calls are let in. */
  check(businessUuid: string): Promise<ProviderCheck>;
  /** Fetches a file of a stamped invoice, at most 2 MB, unchanged. */
  fetchFile(
    businessUuid: string,
    providerUuid: string,
    file: InvoiceFile,
  ): Promise<
    { readonly kind: 'file'; readonly bytes: Buffer } | { readonly kind: 'unreachable'; readonly why: string }
  >;
}
