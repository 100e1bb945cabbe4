import type { LayawayReferenceProblem } from '@aparta/domain/layaway-reference';
import type { AlertText } from '@aparta/ui/alert.tsx';
import { ApiError } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { knownRefusals } from './known-refusals.ts';
import { alertFor } from '@aparta/browser/copy.ts';

/** Spec §8's alerts for events on signed-in screens, word for word. Refusals are in `refusal-texts.ts`. */
export const alerts = {
  invoiced: { kind: 'success', title: 'Emision de factura!', text: 'factura creada con exito!' },
  paid: { kind: 'success', title: 'Transacción realizada!', text: 'Gracias por su pago!' },
  paidAfter3ds: { kind: 'success', title: 'Transacción exitosa!' },
  rejected: { kind: 'warning', title: 'Transacción rechazada!', text: 'Favor de reintentar el pago!' },
  notApproved: { kind: 'warning', title: 'Transaccion rechazada!' },
  rejectedAfter3ds: { kind: 'warning', title: 'Validación rechazada!' },
  noCards: knownRefusals.CARDS_NOT_ACCEPTED,
  noCardToken: {
    kind: 'error',
    title: 'Error de tarjeta!',
    text: 'fallo la generación de token de tarjeta!',
  },
  notApplied: {
    kind: 'warning',
    title: `Abono no aplicado en ${config.productName}!`,
    text: `favor de contactar a soporte de ${config.productName}!`,
  },
  cancelled: {
    kind: 'success',
    title: 'Cancelación exitosa!',
    text: 'Se cancelo el apartado seleccionado!',
  },
  referenceNotMade: {
    kind: 'error',
    title: 'Sucedió un error',
    text: 'No pudimos generar tu referencia',
  },
  noReference: { kind: 'error', title: 'Sucedió un error', text: 'No se incluyó una referencia' },
} as const satisfies Record<string, AlertText>;

/** The alert for a reference that cannot be read: spec §5's for another type, ours for one that is not whole. */
export function badReference(problem: LayawayReferenceProblem): AlertText {
  return problem === 'not-a-layaway'
    ? knownRefusals.NOT_A_LAYAWAY
    : {
        kind: 'warning',
        title: 'La referencia está incompleta',
        text: 'Escanea otra vez el código QR del producto o copia la referencia completa.',
      };
}

/** The alert for a device that is offline: shown before leaving for a document that could not load. */
export function offlineAlert(): AlertText | undefined {
  return navigator.onLine ? undefined : alertFor(new ApiError({ kind: 'network' }, ''));
}
