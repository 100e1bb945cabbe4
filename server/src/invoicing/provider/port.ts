import type { IvaRate, PaymentForm } from '@aparta/domain/fiscal';
import type { FaultyField } from '../../platform/db/tables.ts';

/** Whose invoice it is, as SAT's register has him (providers' facts: CFDI 4.0, receiver). Normalised already. */
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
 * The provider, or SAT through it, will not as asked. `field` is the receiver's datum at fault; undefined when it is
 * none of them (the merchant's own set-up). `code` is SAT's where it was said, else ''. `message` is theirs, at most 300 characters.
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
  /** Without IVA, as `netOfIva` of domain/fiscal.ts makes it: the provider adds it by the product's rate. */
  readonly priceMicropesos: number;
  /** What the line says ('Abono 2 de 3, compra 10023'). */
  readonly description: string;
  readonly observations: string;
}

/** What a merchant's invoices are lines of. Its prices are said by each invoice. */
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
  /** The provider's own id, to fetch its files by. */
  readonly providerUuid: string;
  /** SAT's UUID ('folio fiscal'). */
  readonly fiscalFolio: string;
  /** The merchant's series and number, '' where the provider says none. */
  readonly folio: string;
}

export type InvoiceFile = 'xml' | 'pdf';

/** What the product needs of an invoicing provider. Every call happens outside any transaction; none is repeated by the adapter. */
export interface InvoicingProvider {
  /** Makes the receiver known under one merchant. Twice is a second customer there: a nuisance, never money. */
  registerCustomer(
    businessUuid: string,
    receiver: Receiver,
  ): Promise<{ readonly kind: 'registered'; readonly uuid: string } | Refused | NotKnown>;
  /** Replaces all that the provider has of a customer. May be repeated. */
  updateCustomer(
    businessUuid: string,
    uuid: string,
    receiver: Receiver,
  ): Promise<{ readonly kind: 'updated' } | Refused | NotKnown>;
  /** Makes a product known under one merchant. Twice is a second product there. */
  registerProduct(
    businessUuid: string,
    product: InvoicingProduct,
  ): Promise<{ readonly kind: 'registered'; readonly uuid: string } | Refused | NotKnown>;
  /** Issues one invoice. The provider knows no idempotency: an answer of success without ids is `unreachable`. */
  issue(request: InvoiceRequest): Promise<IssuedInvoice | Refused | NotKnown>;
  /** Fetches what SAT stamped (at most 2 MB), as it came. */
  fetchFile(
    businessUuid: string,
    providerUuid: string,
    file: InvoiceFile,
  ): Promise<
    { readonly kind: 'file'; readonly bytes: Buffer } | { readonly kind: 'unreachable'; readonly why: string }
  >;
}
