import { useState } from 'react';
import { Button } from './button.tsx';
import { partsCopy } from './parts-copy.ts';
import { copyFieldCopy } from './copy-field-copy.ts';
import { Field } from './field.tsx';
import text from './text.module.css';

/** A long text to be taken elsewhere, with a button that copies it. */
export function CopyField({ label, value }: { label: string; value: string }) {
  const [copied, setCopied] = useState<'yes' | 'failed'>();
  return (
    <>
      <Field
        label={label}
        name="copied"
        value={value}
        readOnly
        error={copied === 'failed' ? copyFieldCopy.failed : undefined}
        onFocus={(event) => event.target.select()}
      />
      <Button
        icon={copied === 'yes' ? 'check' : 'copy'}
        wide
        onClick={() =>
          void navigator.clipboard.writeText(value).then(
            () => setCopied('yes'),
            () => setCopied('failed'), // no permission: the field can be copied by hand
          )
        }
      >
        {copied === 'yes' ? partsCopy.copied : partsCopy.copy}
      </Button>
      <p role="status" className={text.srOnly}>
        {copied === 'yes' && partsCopy.copied}
      </p>
    </>
  );
}
