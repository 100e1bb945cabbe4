import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { read } from '../control.ts';
import { type InvoicingOffice, setDown } from './office.ts';

/** The invoicing provider as tests drive it. Listed in the README. */
export function mountInvoicingControl(app: FastifyInstance, office: InvoicingOffice): void {
  // The oracle.
  app.get('/control/invoicing', () => ({
    customers: office.customers.all(),
    products: office.products.all(),
    invoices: office.invoices.all(),
  }));
  app.post('/control/invoicing/service', (request, reply) => {
    const body = read(v.object({ down: v.boolean() }), request.body, reply);
    if (body === undefined) return reply;
    setDown(office, body.down);
    return body;
  });
}
