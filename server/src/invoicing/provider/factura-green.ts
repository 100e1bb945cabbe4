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
import type {
  FaultyField,
  InvoiceFile,
  InvoicingProvider,
  IssuedInvoice,
  NotKnown,
  Receiver,
  Refused,
} from './port.ts';

/** Our account at FacturaGreen; each merchant is a business in it. */
export interface FacturaGreenAccount {
  readonly base: string;
  readonly applicationKey: string;
  readonly accountUuid: string;
}

/** What may go into a path or a header: an id of theirs, never a way out of either. */
const ID = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;
const SAT_UUID = /^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/;

const LONGEST_DESCRIPTION = 1_000;

/**
 * FacturaGreen behind our words (rules/providers#facturagreen). An emission has no idempotency: this adapter sends each call
 * once and never again. Addresses that it answers are never followed: files are fetched from the configured base alone.
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

  /** The envelope of an answer that did what was asked, or what else became of it. */
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
        // No envelope: somebody between us and them may have said it, also after they did what was asked.
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
          // The whole instalment is paid when it is invoiced: one exhibition (rules/invoicing#one-per-instalment).
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
        // A key of SAT's, where what buyers write is a name; a CFDI does without.
        ...(/^\d{4}$/.test(suburb) && { suburb: { k: suburb } }),
      },
    },
  };
}

/** The ids of what was stamped, as far as an answer has them. */
function stampedIn({ data }: Envelope): string[] {
  const { uuid = '', folio_tax, cfdi } = emissionIn(data);
  return [uuid, (cfdi?.folio_tax ?? folio_tax ?? '').toUpperCase()].filter(Boolean);
}

function emissionIn(data: unknown): v.InferOutput<typeof emissionData> {
  const read = v.safeParse(emissionData, data);
  return read.success ? read.output : {};
}

/** A success that does not say what was stamped is one that nobody can repeat. */
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

/** Which field SAT's matrix of errors is about. Integrators disagree on some numbers, so the words go first. */
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

/** How a message names each field, in lower case without accents. */
const FIELD_WORDS: readonly (readonly [FaultyField, RegExp])[] = [
  ['postalCode', /domicilio ?fiscal|codigo ?postal|\bzip/],
  ['taxRegime', /regimen|taxregime/],
  ['cfdiUse', /uso ?(de |del )?cfdi|invoiceuse/],
  ['name', /\bnombre|razon social|denominacion/],
  ['rfc', /\brfc\b|taxid/],
  ['email', /correo|\be-?email\b/],
];

/** The provider could not reach whoever stamps: it may have been stamped all the same. */
const NOBODY_KNOWS =
  /time-?d? ?out|tiempo de espera|no (responde|disponible)|unavailable|intent\w* (mas tarde|de nuevo)/;

/** Statuses of a request that was looked at and not carried out. Any other one may tell of what came after the stamp. */
const NOT_CARRIED_OUT: readonly number[] = [400, 401, 402, 403, 404, 405, 413, 415, 422];
/** It is stamped already, by whatever asking. */
const STAMPED_BEFORE = /\bya (esta|fue|ha sido|se|existe)\b|previ(o|a)|duplicad/;
/** How SAT's matrix names the receiver's attributes: who speaks of one compared them before there was anything to stamp. */
const SAT_ATTRIBUTE = /\bcampo (DomicilioFiscalReceptor|RegimenFiscalReceptor|UsoCFDI)\b/;
/** 'Error no clasificado': of no rule of SAT's, so of no certain moment. */
const UNCLASSIFIED = 'CFDI40999';

/**
 * What an answer that did not do what was asked means. `isStamp`: it was an emission, which must not be repeated while it
 * may have happened, so that only a sure refusal is one: SAT's own code or sentence, or a status of a request that was not
 * carried out. Words of the provider's own with a 2xx may well tell of what went wrong after the stamp.
 */
function notDone(status: number, answer: Envelope, isStamp: boolean): Refused | NotKnown {
  const { message, error, telemetry } = answer;
  const said = plain([message, error?.message].filter(Boolean).join(' · ') || `status ${status}`);
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
  return { kind: 'refused', code, field: fieldOf(code, message), message: plain(message) };
}

/** The field that the words name first, being their subject; else the code's. The issuer's fields are the merchant's to mend. */
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

/** Whether bytes begin as such a file does: a page of an error is neither. */
function isOfKind(bytes: Buffer, file: InvoiceFile): boolean {
  const start = bytes.subarray(0, 2_000).toString('utf8');
  return file === 'pdf' ? start.startsWith('%PDF-') : /^\uFEFF?\s*<[^]*Comprobante/.test(start);
}
