import { Button } from '@aparta/ui/button.tsx';
import { CopyField } from '@aparta/ui/copy-field.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import text from '@aparta/ui/text.module.css';
import { webhooksCopy as copy } from './copy.ts';

/** The secret of an address, which nobody can see again. */
export function SecretSheet({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Sheet title={copy.secretTitle} onClose={onClose}>
      <div className={text.stack}>
        <p>{copy.secretText}</p>
        <CopyField label={copy.secret} value={secret} />
        <p className={`${text.muted} ${text.small}`}>{copy.secretLost}</p>
        <Button variant="primary" wide onClick={onClose}>
          {copy.secretSaved}
        </Button>
      </div>
    </Sheet>
  );
}
