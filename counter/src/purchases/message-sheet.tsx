import { sum } from '@aparta/domain/money';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { TextArea } from '@aparta/ui/other-fields.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import type { PurchaseStory } from '../data/purchases.ts';
import { useSession } from '../session/session.ts';
import { purchasesCopy } from './copy.ts';
import styles from './purchases.module.css';

const copy = purchasesCopy.message;

/** A telephone of Mexico as WhatsApp dials it; undefined for what is none. */
export function phoneFor(phone: string): string | undefined {
  const digits = phone.replaceAll(/\D/g, '').replace(/^52(?=\d{10}$)/, '');
  return /^\d{10}$/.test(digits) ? `52${digits}` : undefined;
}

/** The text to a late buyer, to read and change before WhatsApp opens with it. Nothing is sent from here. */
export function MessageSheet({ story, onClose }: { story: PurchaseStory; onClose: () => void }) {
  const shop = useSession()?.merchant.tradeName ?? '';
  const late = story.schedule.filter((instalment) => instalment.late);
  const [message, setMessage] = useState(() =>
    copy.draft({
      name: story.contact?.name.trim().split(/\s+/)[0] ?? '',
      shop,
      product: story.productName,
      overdue: sum(late.map(({ balance }) => balance)),
      since: late[0]?.dueOn ?? '',
      reference: story.reference,
    }),
  );
  const phone = phoneFor(story.contact?.phone ?? '') ?? '';
  return (
    <Sheet title={copy.title} onClose={onClose}>
      <div className={text.stack}>
        <p>{copy.text}</p>
        <TextArea
          label={copy.label}
          name="message"
          rows={9}
          maxLength={1000}
          value={message}
          onChange={(event) => setMessage(event.currentTarget.value)}
        />
        <a
          className={styles.open}
          href={`https://wa.me/${phone}?text=${encodeURIComponent(message)}`}
          target="_blank"
          rel="noopener noreferrer"
          onClick={onClose}
        >
          {copy.open}
        </a>
      </div>
    </Sheet>
  );
}
