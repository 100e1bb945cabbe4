import { Button } from '@aparta/ui/button.tsx';
import { lazy, Suspense, useState } from 'react';
import { helpCopy } from './help-copy.ts';

const HelpSheet = lazy(() => import('./help-sheet.tsx'));

/** 'Ayuda', the same on every screen: the merchant for the goods, if there is one, and us for the payments. */
export function Help({ merchantId }: { merchantId?: number | undefined }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="quiet" icon="info" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {helpCopy.title}
      </Button>
      {isOpen && (
        <Suspense>
          <HelpSheet merchantId={merchantId} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
