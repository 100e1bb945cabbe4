import type { LayawayReferenceProblem } from '@aparta/domain/layaway-reference';
import { useAlert } from '@aparta/ui/alert.tsx';
import { useEffect, useEffectEvent } from 'react';
import { badReference } from '../copy/alerts.ts';

/** Says once that the scanned QR had no reference that can be read. */
export default function BadReference({ problem }: { problem: LayawayReferenceProblem }) {
  const showAlert = useAlert();
  const say = useEffectEvent(() => void showAlert(badReference(problem)));
  useEffect(() => say(), []);
  return null;
}
