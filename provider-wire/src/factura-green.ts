/**
 * FacturaGreen's wire ("interop"), as far as it is known: customers, products, the emission of an invoice, its files.
 *
 * Known from its integrators (no documentation of its own was found): paths, headers, envelope, the fields of the requests,
 * that prices are before taxes, that an update replaces everything, that the files come as they are. What an invoice is asked
 * with is also that of spec §7.
 *
 * Not found anywhere, so assumed here and nowhere else; to be settled with FacturaGreen before going live:
 * - `price.amount` may have the six decimals of a CFDI, and IVA is taken of it as it stands;
 * - `serie` and `folio` beside `folio_tax`;
 * - nothing tells one emission from its repetition, and an invoice whose answer was lost cannot be searched for;
 * - a refusal of SAT's carries its code (`CFDI40147`) or names its attribute somewhere in its words, with whatever status; a
 *   failure in other words may come after the stamp, unless its status says that the request was not carried out.
 *
 * - https://www.sat.gob.mx/consultas/35025/formato-de-factura-electronica-(anexo-20) (what a CFDI 4.0 is)
 */
import * as v from 'valibot';

// --- Headers --------------------------------------------------------------------------------------------

/** Ours, of the application. On every call, like the other two. */
export const applicationKeyHeader = 'x-application-key';

/** The merchant that the call is for. */
export const businessUuidHeader = 'x-application-business-uuid';

/** Our account. */
export const accountUuidHeader = 'x-application-account-uuid';

// --- The envelope ---------------------------------------------------------------------------------------

/** A field that must not make the rest unreadable when it is not what was assumed. */
const textOrNothing = v.fallback(v.optional(v.string()), undefined);

/** `response` of an answer that did what was asked. Whatever else stands there, with whatever status, did not. */
export const success = 'success';

/** What is answered, success or not. */
export const envelope = v.looseObject({
  response: textOrNothing,
  message: textOrNothing,
  error: v.fallback(v.optional(v.looseObject({ code: textOrNothing, message: textOrNothing })), undefined),
  data: v.optional(v.unknown()),
  /** What their support asks for. */
  telemetry: v.fallback(v.optional(v.looseObject({ 'call-uuid': textOrNothing })), undefined),
});
export type Envelope = v.InferOutput<typeof envelope>;

/** A key of one of SAT's catalogues. */
const key = v.object({ k: v.string() });

// --- POST /interop/customer/add, /interop/customer/update -------------------------------------------------

const customer = v.object({
  name: v.string(),
  taxid: v.string(),
  email: v.string(),
  phone: v.exactOptional(v.string()),
  alias: v.exactOptional(v.string()),
  taxregime: key,
  invoiceuse: key,
  address: v.object({
    main: v.object({
      zip: v.string(),
      street: v.exactOptional(v.string()),
      /** SAT's c_Colonia, four digits within the postal code. */
      suburb: v.exactOptional(key),
    }),
  }),
});
export type Customer = v.InferOutput<typeof customer>;

export const customerAddRequest = v.object({ customer });
export type CustomerAddRequest = v.InferOutput<typeof customerAddRequest>;

/** Replaces everything: what is left out is gone. */
export const customerUpdateRequest = v.object({
  customer: v.object({ uuid: v.string(), ...customer.entries }),
});
export type CustomerUpdateRequest = v.InferOutput<typeof customerUpdateRequest>;

// --- POST /interop/product/add ----------------------------------------------------------------------------

/** A price before taxes, in pesos. */
const price = v.pipe(
  v.number(),
  v.minValue(0),
  v.check((pesos) => Math.round(pesos * 1e6) / 1e6 === pesos, 'pesos with at most 6 decimals'),
);

export const productAddRequest = v.object({
  product: v.object({
    id: v.string(),
    sku: v.string(),
    /** A product or a service. */
    type: v.picklist(['P', 'S']),
    desc: v.string(),
    sat_class: key,
    sat_unit: key,
    /** `dynamic`: each invoice says its own. */
    price: v.object({ type: v.literal('dynamic'), amount: price }),
    taxes: v.object({
      /** Whether IVA is added. At a rate of 0 too. */
      iva_ta: v.boolean(),
      /** Percent, two decimals: `16.00`. */
      iva_tr: v.string(),
    }),
  }),
});
export type ProductAddRequest = v.InferOutput<typeof productAddRequest>;

/** `data` of a customer or a product that was made. */
export const madeData = v.looseObject({ uuid: v.string() });

// --- POST /interop/cfdi/emmit -----------------------------------------------------------------------------

/** The call has no idempotency: repeated, it stamps a second invoice. */
export const emissionRequest = v.object({
  cfdi: v.object({
    customer: v.object({ uuid: v.string() }),
    payment: v.object({ form: key, method: key }),
    items: v.pipe(
      v.array(
        v.object({
          uuid: v.string(),
          qty: v.pipe(v.number(), v.integer(), v.minValue(1)),
          price: v.object({ amount: price }),
          desc: v.exactOptional(v.string()),
        }),
      ),
      v.minLength(1),
    ),
    observations: v.string(),
  }),
});
export type EmissionRequest = v.InferOutput<typeof emissionRequest>;

/** `data` of an emission. `pdf_url` and `xml_url` come too: addresses from outside, which nobody follows. */
export const emissionData = v.looseObject({
  /** Its own, to fetch the files by. */
  uuid: textOrNothing,
  /** SAT's; some answers have it inside `cfdi` alone. */
  folio_tax: textOrNothing,
  cfdi: v.fallback(
    v.optional(v.looseObject({ folio_tax: textOrNothing, serie: textOrNothing, folio: textOrNothing })),
    undefined,
  ),
});
export type EmissionData = v.InferOutput<typeof emissionData>;

// GET /interop/cfdi/{uuid}/xml and /interop/cfdi/{uuid}/pdf answer the files as they are, under no envelope.
