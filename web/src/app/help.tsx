import { useAlert } from '@aparta/ui/alert.tsx';
import { Button } from '@aparta/ui/button.tsx';
import { useState, type ComponentType } from 'react';
import { config } from './config.ts';
import { helpCopy as copy } from './help-copy.ts';

type Sheet = ComponentType<{ merchantId: number | undefined; onClose: () => void }>;

/** 'Ayuda', the same on every screen: the merchant for the goods, if there is one, and us for the payments. */
export function Help({ merchantId }: { merchantId?: number | undefined }) {
  const showAlert = useAlert();
  const [Opened, setOpened] = useState<Sheet>();
  async function open() {
    try {
      const { default: HelpSheet } = await import('./help-sheet.tsx');
      setOpened(() => HelpSheet);
    } catch {
      // No internet. The screen stays, since it may hold a bar code or a card, and says what is known without.
      await showAlert({
        kind: 'warning',
        title: copy.title,
        text: copy.payments(config.productName),
        footer: contact(),
      });
    }
  }
  return (
    <>
      <Button variant="quiet" icon="info" aria-haspopup="dialog" onClick={() => void open()}>
        {copy.title}
      </Button>
      {Opened && <Opened merchantId={merchantId} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function contact(): string {
  const { email, phone } = config.help;
  return [email && `${copy.email} ${email}`, phone && `${copy.phone} ${phone}`].filter(Boolean).join(' ');
}
