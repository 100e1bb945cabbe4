import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useFocusAfter } from '@aparta/ui/use-focus-after.ts';
import { useMutation } from '@tanstack/react-query';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { sendConfirmation } from '../data/email-confirmation.ts';
import { confirmCopy as copy } from './confirm-copy.ts';

/** Ours: says that the e-mail is not confirmed yet, and sends another email. */
export function UnconfirmedEmail({ email }: { email: string }) {
  const send = useMutation({ mutationFn: sendConfirmation });
  const notice = useFocusAfter<HTMLDivElement>(send.isSuccess);
  return (
    <div className={text.stack} ref={notice} tabIndex={-1}>
      {send.isSuccess ? (
        <Notice tone="info" title={copy.sent} urgent>
          {copy.sentText(email)}
        </Notice>
      ) : (
        <Notice tone="pending" title={copy.notice}>
          {copy.noticeText(email)}
        </Notice>
      )}
      {send.error && <Notice tone="danger" title={sentenceFor(send.error)} urgent onDismiss={send.reset} />}
      {!send.isSuccess && (
        <div>
          <Button small busy={send.isPending ? copy.sending : undefined} onClick={() => send.mutate()}>
            {copy.again}
          </Button>
        </div>
      )}
    </div>
  );
}
