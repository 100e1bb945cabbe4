import { parseLayawayReference } from '@aparta/domain/layaway-reference';
import { reference } from '../session/reference.ts';
import type { Payable } from './payable.ts';

/**
 * rules/layaways#kept-reference: the saved reference is cleared once its purchase exists, unless another product was scanned
 * in the meantime.
 */
export function dropReferenceOf({ merchantId, productId }: Payable): void {
  const saved = parseLayawayReference(reference.current() ?? '');
  if (saved.ok && saved.value.businessId === merchantId && saved.value.productId === productId)
    reference.clear();
}
