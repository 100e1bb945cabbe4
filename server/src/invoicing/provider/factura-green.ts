import { randomUUID } from 'node:crypto';
import {
  accountUuidHeader,
  applicationKeyHeader,
  businessUuidHeader,
  type Customer,
  type CustomerAddRequest,
  type CustomerUpdateRequest,
  emissionData,
  type EmissionRequest,
  type Envelope,
  envelope,
  madeData,
  type ProductAddRequest,
  success,
} from '@aparta/provider-wire/factura-green';
import * as v from 'valibot';
import type { HttpClient } from '../../platform/http-client.ts';
import { failedCheck } from '../../platform/provider-check.ts';
import type {
  FaultyField,
  InvoiceFile,
  InvoicingProvider,
  IssuedInvoice,
  NotKnown,
  Receiver,
  Refused,
} from './port.ts';

/** The installation's account at FacturaGreen; each merchant is a business in it. */
export interface FacturaGreenAccount {
  readonly base: string;
  readonly applicationKey: string;
  readonly accountUuid: string;
}

/** The ids that may go into a path or a header: none can escape it. */
const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const SAT_UUID = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

const LONGEST_DESCRIPTION = 1_000;

/**
 * FacturaGreen as an invoicing provider (rules/providers#facturagreen). Issuing has no idempotency there, so this adapter sends
 * each call once. It never follows addresses in an answer: files are fetched from the configured base alone.
 */
export function facturaGreen(options: {
  account: FacturaGreenAccount;
  http: HttpClient;
  timeoutMs: number;
}): InvoicingProvider {
  const { account, http, timeoutMs } = options;

  const headersFor = (businessUuid: string) => ({
    [applicationKeyHeader]: account.applicationKey,
    [businessUuidHeader]: businessUuid,
    [accountUuidHeader]: account.accountUuid,
  });

  /** The envelope of a success, or how else the call ended. */
  async function send(
    operation: string,
    businessUuid: string,
    path: string,
    body: object,
    ids: readonly string[] = [],
  ): Promise<{ readonly kind: 'done'; readonly answer: Envelope } | Refused | NotKnown> {
    const isStamp = operation === 'issue';
    const unfit = [businessUuid, ...ids].find((id) => !ID.test(id));
    if (unfit !== undefined) return refusal('', `not an id of the provider's: ${unfit}`);
    const answer = await http.call({
      as: ['factura-green', operation],
      method: 'POST',
      url: `${account.base}/interop/${path}`,
      headers: headersFor(businessUuid),
      body,
      reply: envelope,
      readsEveryStatus: true,
      timeoutMs,
    });
    switch (answer.kind) {
      case 'answer':
        return answer.status < 300 && answer.body.response === success
          ? { kind: 'done', answer: answer.body }
          : notDone(answer.status, answer.body, isStamp);
      case 'refused':
        // Without an envelope a proxy may have answered, even after FacturaGreen did what was asked.
        return isStamp || answer.status === 408
          ? { kind: 'unreachable', why: `status ${answer.status}` }
          : refusal(answer.code ?? '', `status ${answer.status}`);
      case 'not_sent':
      case 'unreachable':
        return { kind: answer.kind, why: answer.why };
    }
  }

  async function register(
    operation: string,
    businessUuid: string,
    path: string,
    body: object,
  ): Promise<{ readonly kind: 'registered'; readonly uuid: string } | Refused | NotKnown> {
    const sent = await send(operation, businessUuid, path, body);
    if (sent.kind !== 'done') return sent;
    const made = v.safeParse(madeData, sent.answer.data);
    return made.success && ID.test(made.output.uuid)
      ? { kind: 'registered', uuid: made.output.uuid }
      : { kind: 'unreachable', why: 'success without its id' };
  }

  return {
    registerCustomer: (businessUuid, receiver) =>
      register('register customer', businessUuid, 'customer/add', {
        customer: customerOf(receiver),
      } satisfies CustomerAddRequest),

    async updateCustomer(businessUuid, uuid, receiver) {
      const body: CustomerUpdateRequest = { customer: { uuid, ...customerOf(receiver) } };
      const sent = await send('update customer', businessUuid, 'customer/update', body, [uuid]);
      return sent.kind === 'done' ? { kind: 'updated' } : sent;
    },

    registerProduct: (businessUuid, { sku, name, ivaBasisPoints, satClass, satUnit }) =>
      register('register product', businessUuid, 'product/add', {
        product: {
          id: sku,
          sku,
          type: 'P',
          desc: name,
          sat_class: { k: satClass },
          sat_unit: { k: satUnit },
          price: { type: 'dynamic', amount: 0 },
          taxes: { iva_ta: true, iva_tr: (ivaBasisPoints / 100).toFixed(2) },
        },
      } satisfies ProductAddRequest),

    async issue(request) {
      const body: EmissionRequest = {
        cfdi: {
          customer: { uuid: request.customerUuid },
          // The instalment is paid in full, so PUE, one payment (rules/invoicing#one-per-instalment).
          payment: { form: { k: request.paymentForm }, method: { k: 'PUE' } },
          items: [
            {
              uuid: request.productUuid,
              qty: 1,
              price: { amount: request.priceMicropesos / 1_000_000 },
              desc: request.description.slice(0, LONGEST_DESCRIPTION),
            },
          ],
          observations: request.observations.slice(0, LONGEST_DESCRIPTION),
        },
      };
      const ids = [request.customerUuid, request.productUuid];
      const sent = await send('issue', request.businessUuid, 'cfdi/emmit', body, ids);
      return sent.kind === 'done' ? issued(sent.answer) : sent;
    },

    async check(businessUuid) {
      if (!ID.test(businessUuid)) return { kind: 'refused', why: 'not an id' };
      const answer = await http.call({
        as: ['factura-green', 'check'],
        method: 'GET',
        url: `${account.base}/interop/cfdi/${randomUUID()}/xml`,
        headers: headersFor(businessUuid),
        reply: envelope,
        readsEveryStatus: true,
        timeoutMs,
      });
      if (answer.kind === 'not_sent' || answer.kind === 'unreachable') return failedCheck(answer.why);
      // That there is no such file, in an envelope: any web server says 404.
      const isTheirs = answer.kind === 'answer' && answer.body.response !== undefined;
      if (isTheirs && (answer.status < 300 || answer.status === 400 || answer.status === 404))
        return { kind: 'works' };
      return failedCheck(`status ${answer.status}`);
    },

    async fetchFile(businessUuid, providerUuid, file) {
      if (!ID.test(businessUuid) || !ID.test(providerUuid)) return { kind: 'unreachable', why: 'not an id' };
      const fetched = await http.download({
        as: ['factura-green', `fetch ${file}`],
        url: `${account.base}/interop/cfdi/${providerUuid}/${file}`,
        headers: headersFor(businessUuid),
        timeoutMs,
      });
      if (fetched.kind === 'refused') return { kind: 'unreachable', why: `status ${fetched.status}` };
      if (fetched.kind !== 'file') return { kind: 'unreachable', why: fetched.why };
      return isOfKind(fetched.bytes, file) ? fetched : { kind: 'unreachable', why: `no ${file}` };
    },
  };
}

function customerOf(receiver: Receiver): Customer {
  const { phone, alias, street, suburb } = receiver;
  return {
    name: receiver.name,
    taxid: receiver.rfc,
    email: receiver.email,
    ...(phone !== '' && { phone }),
    ...(alias !== '' && { alias }),
    taxregime: { k: receiver.taxRegime },
    invoiceuse: { k: receiver.cfdiUse },
    address: {
      main: {
        zip: receiver.postalCode,
        ...(street !== '' && { street }),
        // SAT wants a key of its own here and buyers write a name; a CFDI may leave it out.
        ...(/^\d{4}$/.test(suburb) && { suburb: { k: suburb } }),
      },
    },
  };
}

/** The ids of a stamped invoice, as far as an answer has them. */
function stampedIn({ data }: Envelope): string[] {
  const { uuid = '', folio_tax, cfdi } = emissionIn(data);
  return [uuid, (cfdi?.folio_tax ?? folio_tax ?? '').toUpperCase()].filter(Boolean);
}

function emissionIn(data: unknown): v.InferOutput<typeof emissionData> {
  const read = v.safeParse(emissionData, data);
  return read.success ? read.output : {};
}

/** A success that names no stamped invoice cannot be repeated safely. */
function issued({ data, telemetry }: Envelope): IssuedInvoice | NotKnown {
  const { uuid = '', folio_tax, cfdi } = emissionIn(data);
  const fiscalFolio = (cfdi?.folio_tax ?? folio_tax ?? '').toUpperCase();
  if (ID.test(uuid) && SAT_UUID.test(fiscalFolio)) {
    const folio = `${cfdi?.serie ?? ''}${cfdi?.folio ?? ''}`.slice(0, 60);
    return { kind: 'issued', providerUuid: uuid, fiscalFolio, folio };
  }
  const said = [uuid, fiscalFolio, telemetry?.['call-uuid']].filter(Boolean).join(' ');
  return { kind: 'unreachable', why: plain(`success without ids: ${said || 'nothing'}`) };
}

// --- Refusals -------------------------------------------------------------------------------------------

/** The field that each code in SAT's matrix of errors is about. Integrators disagree on some codes, so words come first. */
const FIELD_OF_CODE: Readonly<Record<string, FaultyField>> = {
  CFDI40143: 'rfc',
  CFDI40144: 'name',
  CFDI40145: 'name',
  CFDI40147: 'postalCode',
  CFDI40148: 'postalCode',
  CFDI40157: 'taxRegime',
  CFDI40158: 'taxRegime',
  CFDI40159: 'taxRegime',
  CFDI40160: 'cfdiUse',
  CFDI40161: 'cfdiUse',
};

/** The words by which a message names each field, in lower case without accents. */
const FIELD_WORDS: readonly (readonly [FaultyField, RegExp])[] = [
  ['postalCode', /domicilio ?fiscal|codigo ?postal|\bzip/],
  ['taxRegime', /regimen|taxregime/],
  ['cfdiUse', /uso ?(de |del )?cfdi|invoiceuse/],
  ['name', /\bnombre|razon social|denominacion/],
  ['rfc', /\brfc\b|taxid/],
  ['email', /correo|\be-?mail\b/],
];

/** The provider could not reach the stamping service: it may have been stamped all the same. */
const NOBODY_KNOWS =
  /time-?d? ?out|tiempo de espera|no (responde|disponible)|unavailable|intent\w* (mas tarde|de nuevo)/;

/** Statuses of a request that was rejected before it was carried out. Any other may come from after the stamp. */
const NOT_CARRIED_OUT: readonly number[] = [400, 401, 402, 403, 404, 405, 413, 415, 422];
/** It was stamped by an earlier request. */
const STAMPED_BEFORE = /\bya (esta|fue|ha sido|se|existe)\b|previ(o|a)|duplicad/;
/** SAT's names of the receiver's attributes: they are compared before anything is stamped. */
const SAT_ATTRIBUTE = /\bcampo (DomicilioFiscalReceptor|RegimenFiscalReceptor|UsoCFDI)\b/;
/** 'Error no clasificado': it belongs to no rule of SAT's, so it may come from before or after the stamp. */
const UNCLASSIFIED = 'CFDI40999';

/**
 * The meaning of an answer that is no success. For an invoice (`isStamp`) only a sure refusal counts, since it must not be
 * repeated while it may have been stamped: SAT's own code or sentence, or a status of a request that was not carried out. The
 * provider's own words with a 2xx may come from after the stamp.
 */
function notDone(status: number, answer: Envelope, isStamp: boolean): Refused | NotKnown {
  const { message, error, telemetry } = answer;
  // Beside words, a bare 'Error' says nothing.
  const title = message === 'Error' && error?.message ? '' : message;
  const said = plain([title, error?.message].filter(Boolean).join(' · ') || `status ${status}`);
  const words = bare(said);
  const stamped = isStamp ? stampedIn(answer) : [];
  const code = /\bCFDI\d{5}\b/.exec(`${error?.code ?? ''} ${said}`)?.[0];
  const isOfSat = code !== undefined && (code !== UNCLASSIFIED || !isStamp);
  const isOpen = NOBODY_KNOWS.test(words) || (isStamp && STAMPED_BEFORE.test(words));
  const isDecided = isStamp
    ? NOT_CARRIED_OUT.includes(status) || (status < 300 && SAT_ATTRIBUTE.test(said))
    : status < 300 || (status >= 400 && status < 500 && status !== 408 && status !== 429);
  if (stamped.length === 0 && (isOfSat || (isDecided && !isOpen))) {
    return refusal(code ?? /^[\w.-]{1,60}$/.exec(error?.code ?? '')?.[0] ?? '', said);
  }
  const ids = [...stamped, telemetry?.['call-uuid'] ?? ''].join(' ');
  return { kind: 'unreachable', why: plain(`status ${status}: ${ids} ${said}`) };
}

function refusal(code: string, message: string): Refused {
  const words = plain(message);
  // Who reads it reads the code before it.
  const isTwice = code !== '' && words.startsWith(code);
  return {
    kind: 'refused',
    code,
    field: fieldOf(code, message),
    message: isTwice ? words.slice(code.length).replace(/^[\s:.·-]+/, '') : words,
  };
}

/** The field that the words name first, else the code's. Undefined for the issuer's fields, which the merchant must correct. */
function fieldOf(code: string, message: string): FaultyField | undefined {
  const words = bare(message);
  if (/\bemisor/.test(words) && !/\breceptor/.test(words)) return undefined;
  const named = FIELD_WORDS.map(([field, pattern]) => ({ field, at: words.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  return named[0]?.field ?? FIELD_OF_CODE[code];
}

function bare(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** One line of at most 300 characters. */
function plain(text: string): string {
  return text
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, 300);
}

/** Whether bytes begin as such a file does: an error page does not. */
function isOfKind(bytes: Buffer, file: InvoiceFile): boolean {
  const start = bytes.subarray(0, 2_000).toString('utf8');
  return file === 'pdf' ? start.startsWith('%PDF-') : /^\uFEFF?\s*<[^]*Comprobante/.test(start);
}
