import type { Pickup } from '@aparta/contract/pickup';
import { encode } from 'uqr';
import { pickupText } from '@aparta/domain/pickup-code';
import { shortName } from '@aparta/domain/short-name';

import { isLocked, type PickupView } from './read-pickup.ts';

export function presentPickup({ purchaseId, code, handOver }: PickupView): Pickup {
  const [digits] = code?.digits ?? [];
  return {
    code:
      code === undefined || digits === undefined
        ? null
        : {
            digits,
            ...drawn(pickupText(purchaseId, digits)),
            expiresAt: code.expiresAt.toISOString(),
            locked: isLocked(code),
          },
    collector: (code ?? handOver)?.collectorName ?? null,
    handedOver:
      handOver === undefined
        ? null
        : { at: handOver.at.toISOString(), branch: handOver.branchName, by: shortName(handOver.handedBy) },
  };
}

/** A QR with its quiet zone. Drawn here, so that the buyer's application carries nothing for it. */
function drawn(qr: string): { qr: string; qrPath: string; qrSize: number } {
  const { data, size } = encode(qr, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? [`M${x} ${y}h1v1h-1z`] : [])));
  return { qr, qrPath: path.join(''), qrSize: size };
}
