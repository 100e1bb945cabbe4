import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rotate, turn, webhooksQuery, type Webhook } from '../data/webhooks.ts';
import { webhooksCopy } from './copy.ts';
import { SecretSheet } from './secret-sheet.tsx';

const copy = webhooksCopy.page;

/** Another secret for an address, and its switch. The first press says what the second does. */
export function Acts({ webhook: { id, state, bothUntil } }: { webhook: Webhook }) {
  const queries = useQueryClient();
  const isOn = state === 'on' || state === 'failing';
  const [asked, setAsked] = useState<'rotate' | 'off'>();
  // Also when the answer was lost: it may be done.
  const refresh = () => void queries.invalidateQueries({ queryKey: webhooksQuery.queryKey });
  const onSuccess = () => setAsked(undefined);
  const rotating = useMutation({ mutationFn: () => rotate(id).finally(refresh), onSuccess });
  const turning = useMutation({ mutationFn: () => turn(id, !isOn).finally(refresh), onSuccess });
  const problem = rotating.error ?? turning.error;
  const press =
    (act: 'rotate' | 'off', { mutate }: { mutate: () => void }) =>
    () => {
      if (asked === act) mutate();
      else setAsked(act);
    };
  // Where the first press was, so that a double tap does nothing.
  const no = <Button onClick={() => setAsked(undefined)}>{copy.no}</Button>;
  return (
    <div className={text.tight}>
      {problem && <Notice tone="danger" title={sentenceFor(problem)} urgent />}
      {asked === 'off' && <p>{copy.turnOffText}</p>}
      {asked === 'rotate' && <p>{bothUntil ? copy.rotateAgainText : copy.rotateText}</p>}
      <div className={text.pair}>
        {asked === 'rotate' && no}
        {asked !== 'off' && (
          <Button
            variant={asked ? 'primary' : 'secondary'}
            busy={rotating.isPending ? copy.rotating : undefined}
            onClick={press('rotate', rotating)}
          >
            {asked ? copy.rotateSure : copy.rotate}
          </Button>
        )}
        {isOn && asked !== 'rotate' && (
          <Button
            variant={asked ? 'danger' : 'secondary'}
            busy={turning.isPending ? copy.turningOff : undefined}
            onClick={press('off', turning)}
          >
            {asked ? copy.turnOffSure : copy.turnOff}
          </Button>
        )}
        {!isOn && !asked && (
          <Button
            variant="primary"
            busy={turning.isPending ? copy.turningOn : undefined}
            onClick={() => turning.mutate()}
          >
            {copy.turnOn}
          </Button>
        )}
        {asked === 'off' && no}
      </div>
      {rotating.data !== undefined && <SecretSheet secret={rotating.data} onClose={rotating.reset} />}
    </div>
  );
}
