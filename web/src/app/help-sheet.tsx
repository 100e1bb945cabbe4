import { Sheet } from '@aparta/ui/dialog.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { Skeleton, SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { merchantQuery } from '../data/merchants.ts';
import { config } from './config.ts';
import { helpCopy as copy } from './help-copy.ts';
import styles from './help-sheet.module.css';

/** Whom to ask about what. */
export default function HelpSheet({
  merchantId,
  onClose,
}: {
  merchantId: number | undefined;
  onClose: () => void;
}) {
  const { email, phone } = config.help;
  return (
    <Sheet title={copy.title} onClose={onClose}>
      {merchantId !== undefined && <OfMerchant merchantId={merchantId} />}
      <Contact title={copy.payments(config.productName)}>
        <p>{copy.paymentsText}</p>
        {email !== '' && (
          <p>
            {copy.email} <a href={`mailto:${email}`}>{email}</a>
          </p>
        )}
        {phone !== '' && <Phone phone={phone} />}
      </Contact>
      <Button wide onClick={onClose}>
        {copy.close}
      </Button>
    </Sheet>
  );
}

function OfMerchant({ merchantId }: { merchantId: number }) {
  const query = useQuery(merchantQuery(merchantId));
  const { data: merchant } = query;
  if (!merchant) {
    return query.error ? (
      <Failed title={copy.failed} text={sentenceFor(query.error)} onRetry={() => void query.refetch()} />
    ) : (
      <Skeleton label={copy.loading}>
        <SkeletonBlock width="half" />
        <SkeletonBlock />
        <SkeletonBlock width="most" />
        <SkeletonBlock width="most" />
      </Skeleton>
    );
  }
  const { name, address, phone, hours } = merchant;
  return (
    <Contact title={copy.goods(name)}>
      <p>{copy.goodsText}</p>
      {address !== '' && <p>{address}</p>}
      {hours !== '' && <p>{copy.hours(hours)}</p>}
      {phone !== '' && <Phone phone={phone} />}
      {address === '' && phone === '' && <p>{copy.noContact}</p>}
    </Contact>
  );
}

function Contact({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={`${text.tight} ${styles.contact}`} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  );
}

function Phone({ phone }: { phone: string }) {
  return (
    <p>
      {copy.phone} <a href={`tel:${phone.replaceAll(/[^+\d]/g, '')}`}>{phone}</a>
    </p>
  );
}
