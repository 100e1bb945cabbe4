import { inGroups } from '@aparta/domain/in-groups';
import { useEffect, useId, useState } from 'react';
import { Button } from './button.tsx';
import { partsCopy } from './parts-copy.ts';
import { spelled } from './spelled.ts';
import styles from './code.module.css';
import text from './text.module.css';

/** A reference in groups of four with a copy button; it is copied without spaces, and heard digit by digit. */
export function Code({ label, reference }: { label: string; reference: string }) {
  const id = useId();
  const [copied, setCopied] = useState<'yes' | 'failed'>();
  useEffect(() => {
    if (copied !== 'yes') return;
    const timer = setTimeout(() => setCopied(undefined), 4000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(reference);
      setCopied('yes');
    } catch {
      // No permission, or no clipboard outside HTTPS. One tap still selects the digits.
      setCopied('failed');
    }
  }

  return (
    <div className={styles.code}>
      <p className={styles.head}>
        <span id={id}>{label}</span>
        <Button variant="quiet" small icon={copied === 'yes' ? 'check' : 'copy'} onClick={() => void copy()}>
          {copied === 'yes' ? partsCopy.copied : partsCopy.copy}
        </Button>
      </p>
      <div aria-labelledby={id} role="group">
        <p className={styles.digits} aria-hidden="true">
          {inGroups(reference)}
        </p>
        <p className={text.srOnly}>{spelled(inGroups(reference))}</p>
      </div>
      <p role="status" className={copied === 'failed' ? styles.failed : text.srOnly}>
        {copied === 'yes' && partsCopy.copied}
        {copied === 'failed' && partsCopy.copyFailed}
      </p>
    </div>
  );
}
