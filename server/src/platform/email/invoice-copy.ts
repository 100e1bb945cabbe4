import type { Centavos } from '@aparta/domain/money';
import type { FaultyField } from '../db/tables.ts';
import { type Block, button, mxn, paragraph, type Words } from './email-body.ts';
import type { Place } from './links.ts';

/** What an email about an invoice is made of. */
export interface InvoiceFacts {
  readonly invoiceId: number;
  readonly purchaseId: number;
  /** Of the instalment. */
  readonly number: number;
  /** The merchant's, '' where it gives none, or none was stamped. */
  readonly folio: string;
  readonly amountCentavos: Centavos;
  readonly field?: FaultyField | '';
  /** Of a cancelled one: its purchase ended, and its money went back. */
  readonly isPurchaseCancelled?: number;
  /** That one stands: the merchant made a credit note for it. */
  readonly isCredited?: number;
}

function invoiceRows(facts: InvoiceFacts): Block {
  return {
    kind: 'rows',
    rows: [
      ...(facts.folio === '' ? [] : [{ label: 'Folio', value: facts.folio, strong: true }]),
      { label: 'Compra', value: String(facts.purchaseId) },
      { label: 'Pago', value: String(facts.number) },
      { label: 'Total', value: mxn(facts.amountCentavos) },
    ],
  };
}

/** Which of an invoice's files came with the email, or wait at the purchase. */
export type InvoiceFilesAre = 'attached' | 'there' | 'without_pdf';

const FILES: Readonly<Record<InvoiceFilesAre, string>> = {
  attached: 'Van adjuntos el PDF y el XML. También los tienes en tu compra cuando quieras.',
  there: 'Descarga el PDF y el XML desde tu compra.',
  without_pdf: 'Descarga el XML desde tu compra. El PDF puede tardar.',
};

export function invoiceIssued(
  facts: InvoiceFacts,
  { files, isTheirs }: { files: InvoiceFilesAre; isTheirs: boolean },
  { links }: Place,
): Words {
  return {
    subject: `Tu factura de ${mxn(facts.amountCentavos)} está lista`,
    badge: { text: 'Facturado', tone: 'paid' },
    heading: 'Tu factura está lista',
    blocks: [
      paragraph(FILES[files]),
      ...(isTheirs
        ? []
        : [paragraph('Confirma tu correo en tu perfil y tus próximas facturas te llegarán también aquí.')]),
      button('Ver mi compra', links.purchase(facts.purchaseId)),
      invoiceRows(facts),
    ],
  };
}

/** What SAT refused, and how the buyer corrects it. */
const FIELD: Readonly<Record<FaultyField, string>> = {
  rfc: 'El RFC no coincide con el del SAT.',
  name: 'El nombre o razón social no coincide con el del SAT: escríbelo como está en tu Constancia de Situación Fiscal, sin el régimen societario (S.A. de C.V.).',
  postalCode: 'El código postal no es el de tu domicilio fiscal.',
  taxRegime: 'El régimen fiscal no es el que el SAT tiene para tu RFC.',
  cfdiUse: 'El uso del CFDI no corresponde a tu régimen fiscal.',
  email: 'El proveedor de facturas no acepta el correo de tus datos fiscales.',
};

export function invoiceRefused(facts: InvoiceFacts, { links }: Place): Words {
  const { field } = facts;
  return {
    subject: 'No se pudo emitir tu factura',
    badge: { text: 'No se emitió', tone: 'danger' },
    heading: 'No se pudo emitir tu factura',
    blocks: field
      ? [
          paragraph(FIELD[field]),
          paragraph('Corrígelo en tus datos fiscales y pide la factura otra vez.'),
          button('Corregir mis datos fiscales', links.fiscalData),
          invoiceRows(facts),
        ]
      : [
          paragraph(
            'No fue por tus datos fiscales. Pídela otra vez desde tu compra; si vuelve a pasar, habla con el comercio.',
          ),
          button('Ver mi compra', links.purchase(facts.purchaseId)),
          invoiceRows(facts),
        ],
  };
}

export function invoiceCancelled(facts: InvoiceFacts, { links }: Place): Words {
  if (facts.isCredited === 1) {
    return {
      subject: `Tu factura de ${mxn(facts.amountCentavos)} tiene una nota de crédito`,
      badge: { text: 'Con nota de crédito', tone: 'pending' },
      heading: 'Tu factura tiene una nota de crédito',
      blocks: [
        paragraph('Tu compra se canceló. Por eso el comercio le hizo una nota de crédito a esta factura.'),
        paragraph(
          'La factura sigue vigente ante el SAT: guarda las dos. Su PDF y su XML siguen en tu compra; la nota pídesela al comercio.',
        ),
        button('Ver mi compra', links.purchase(facts.purchaseId)),
        invoiceRows(facts),
      ],
    };
  }
  if (facts.isPurchaseCancelled === 1) {
    return {
      subject: `Se anuló tu factura de ${mxn(facts.amountCentavos)}`,
      badge: { text: 'Anulada', tone: 'danger' },
      heading: 'Se anuló tu factura',
      blocks: [
        paragraph(
          'Tu compra se canceló. Por eso el comercio canceló esta factura ante el SAT: no uses su PDF ni su XML.',
        ),
        button('Ver mi compra', links.purchase(facts.purchaseId)),
        invoiceRows(facts),
      ],
    };
  }
  return {
    subject: `Tu factura de ${mxn(facts.amountCentavos)} se canceló ante el SAT`,
    badge: { text: 'Cancelada', tone: 'danger' },
    heading: 'Tu factura se canceló',
    blocks: [
      paragraph('El PDF y el XML que tienes ya no son válidos. Tu pago no cambia.'),
      paragraph('Si tu compra sigue activa, puedes pedir otra factura desde ahí.'),
      button('Ver mi compra', links.purchase(facts.purchaseId)),
      invoiceRows(facts),
    ],
  };
}
