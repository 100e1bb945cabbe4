import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import { Redirect } from 'wouter';
import { paths } from '../app/paths.ts';
import { codeOnDevice } from '../data/kept-codes.ts';
import { CodePicture } from './code-picture.tsx';
import { pickupCopy as copy } from './pickup-copy.ts';

/**
 * The pickup code last shown on this device, where the server cannot be asked. Without `buyerId` nobody is signed in, since the tab
 * was opened without internet.
 */
export default function KeptCode({ purchaseId, buyerId }: { purchaseId: number; buyerId?: number }) {
  const [kept] = useState(() => codeOnDevice(purchaseId, { buyerId, now: new Date() }));
  if (!kept) return buyerId === undefined ? <Redirect to={paths.login} replace /> : null;
  const shown = (
    <section className={`${text.card} ${text.stack}`} aria-label={copy.ready}>
      <h2>{kept.product}</h2>
      <CodePicture code={kept} />
      <Notice tone="pending" title={copy.old.title}>
        {copy.old.text}
      </Notice>
    </section>
  );
  if (buyerId !== undefined) return shown;
  return (
    <main className={text.stack}>
      <h1>{copy.ready}</h1>
      {shown}
      <Button icon="retry" onClick={() => location.reload()}>
        {copy.retry}
      </Button>
    </main>
  );
}
