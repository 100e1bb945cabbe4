import {
  accountUuidHeader,
  applicationKeyHeader,
  businessUuidHeader,
} from '@aparta/provider-wire/factura-green';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, answerWith, deliver } from '../answer.ts';
import type { Faults, FaultyCall } from '../faults.ts';
import { emit } from './emit.ts';
import { pdfOf, xmlOf } from './files.ts';
import {
  addCustomer,
  addProduct,
  askForFile,
  type InvoicingOffice,
  refusalOfCall,
  refuse,
  updateCustomer,
} from './office.ts';

type Deps = { office: InvoicingOffice; faults: Faults; closing: AbortSignal };

/** FacturaGreen's "interop" API. */
export function mountInvoicingApi(app: FastifyInstance, { office, faults, closing }: Deps): void {
  const calls = [
    ['customer/add', 'addCustomer', addCustomer],
    ['customer/update', 'updateCustomer', updateCustomer],
    ['product/add', 'addProduct', addProduct],
    ['cfdi/emmit', 'emitInvoice', emit],
  ] as const;
  for (const [path, call, work] of calls) {
    app.post(`/interop/${path}`, (request, reply) =>
      serve(call, request, reply, (business) => work(office, business, request.body)),
    );
  }

  app.get<{ Params: { id: string } }>('/interop/cfdi/:id/xml', (request, reply) =>
    serve('getInvoiceFile', request, reply, (business) => {
      const row = askForFile(office, business, request.params.id, 'xml');
      return row === undefined ? noFile() : { status: 200, body: Buffer.from(xmlOf(row)) };
    }),
  );
  app.get<{ Params: { id: string } }>('/interop/cfdi/:id/pdf', (request, reply) =>
    serve('getInvoiceFile', request, reply, (business) => {
      const row = askForFile(office, business, request.params.id, 'pdf');
      return row === undefined ? noFile() : { status: 200, body: pdfOf(row) };
    }),
  );

  /** Authenticates, does the work between the faults that were asked for, and delivers its answer. */
  async function serve(
    call: FaultyCall,
    request: FastifyRequest,
    reply: FastifyReply,
    work: (business: string) => Answer,
  ): Promise<void> {
    const { headers } = request;
    const business = String(headers[businessUuidHeader]);
    const refused = refusalOfCall(
      office,
      headers[applicationKeyHeader],
      headers[accountUuidHeader],
      business,
    );
    if (refused !== undefined) return deliver(reply, refused, closing);
    const between = { undone: refuse(500, 'Error interno'), held: faults.held, closing };
    await deliver(
      reply,
      await answerWith(faults.take(call, business), () => work(business), between),
      closing,
    );
  }
}

const noFile = (): Answer => refuse(404, 'El archivo no existe');
