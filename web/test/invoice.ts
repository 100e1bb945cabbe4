import type { Invoice as WireInvoice } from '@aparta/contract/invoice';
import type { FiscalClient } from '@aparta/contract/invoices';

export type { WireInvoice };

/** An issued invoice as the server sends it. */
export const INVOICE: WireInvoice = {
  id: 71,
  cxcId: 412,
  state: 'issued',
  amount: 1000,
  requestedAt: '2026-11-20T18:00:00Z',
  fiscalClientId: 9,
  rfc: 'CACX7605101P8',
  name: 'XOCHILT CASAS CHAVEZ',
  fiscalFolio: '5A6B7C8D-1111-4222-8333-1234567890AB',
  folio: 'A-12',
  credited: false,
  issuedAt: '2026-11-20T18:00:03Z',
  hasPdf: true,
  hasXml: true,
  field: null,
  detailCode: '',
  detailMessage: '',
};

/** A fiscal client as the server sends it. */
export function fiscalClient(about: Partial<FiscalClient> = {}): FiscalClient {
  return {
    id: 9,
    name: 'XOCHILT CASAS CHAVEZ',
    rfc: 'CACX7605101P8',
    alias: 'Personal',
    email: 'xochilt@correo.mx',
    phone: '',
    regime: '612',
    cfdiUse: 'G03',
    street: '',
    suburb: '',
    zip: '36257',
    fGecustomeruuid: 'c41f-90b2',
    regimeDescription: 'Personas Físicas con Actividades Empresariales y Profesionales',
    personType: 'fisica',
    ...about,
  };
}
