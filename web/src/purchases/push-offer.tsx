import { sentenceFor } from '@aparta/browser/copy.ts';
import { deviceStorage } from '@aparta/browser/storage.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pushesQuery, turningPushes } from '../data/pushes.ts';
import { pushCopy as copy } from './push-copy.ts';

/** Whoever said "not now" finds it in their profile, and is not asked again. */
const NOT_NOW = 'pushNotNow';

/** Asks in one sentence whether this browser may tell of the purchase; the browser itself asks only after that. */
export default function PushOffer() {
  const { data: pushes } = useQuery(pushesQuery);
  const turn = useMutation(turningPushes(useQueryClient()));
  const [isPutOff, setPutOff] = useState(() => deviceStorage.get(NOT_NOW) !== undefined);
  // Whether it was asked here: then its answer stays to be read.
  const [wasAsked, setAsked] = useState(false);
  if (wasAsked && pushes === 'on') return <p role="status">{copy.on}</p>;
  if (wasAsked && pushes === 'blocked') return <p role="status">{copy.blocked}</p>;
  if (pushes !== 'off' || isPutOff) return null;
  return (
    <section className={text.stack} aria-label={copy.label}>
      <p>{copy.offer}</p>
      {turn.error && <Notice tone="danger" title={sentenceFor(turn.error)} urgent onDismiss={turn.reset} />}
      <div className={text.pair}>
        <Button
          busy={turn.isPending ? copy.turning : undefined}
          onClick={() => {
            setAsked(true);
            turn.mutate(true);
          }}
        >
          {copy.turnOn}
        </Button>
        <Button
          variant="quiet"
          onClick={() => {
            deviceStorage.set(NOT_NOW, '1');
            setPutOff(true);
          }}
        >
          {copy.notNow}
        </Button>
      </div>
    </section>
  );
}
