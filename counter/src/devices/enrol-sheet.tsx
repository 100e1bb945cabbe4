import { sentenceFor } from '@aparta/browser/copy.ts';
import { formatMoment } from '@aparta/domain/calendar';
import { Button } from '@aparta/ui/button.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Select } from '@aparta/ui/other-fields.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import { encode } from 'uqr';
import { enrolmentLink } from '../data/devices.ts';
import { useBranch, useSession } from '../session/session.ts';
import { devicesCopy } from './copy.ts';
import styles from './devices.module.css';

/** Names a device, and shows the code that it scans. */
export default function EnrolSheet({ onClose }: { onClose: () => void }) {
  const branches = useSession()?.branches ?? [];
  const branch = useBranch();
  const [made, setMade] = useState<{ link: string; until: Date }>();
  const form = useSubmit({
    check: (typed) => (typed('name').trim() === '' ? { errors: { name: devicesCopy.nameWrong } } : undefined),
    async send(typed) {
      setMade(await enrolmentLink(Number(typed('branch')), typed('name').trim()));
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  if (made) {
    return (
      <Sheet title={devicesCopy.scanTitle} onClose={onClose}>
        <div className={text.stack}>
          <Qr link={made.link} />
          <p>{devicesCopy.scanText(formatMoment(made.until).slice(-5))}</p>
        </div>
      </Sheet>
    );
  }
  return (
    <Sheet title={devicesCopy.add} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <RefusedNotice of={form} />
        <Field
          {...form.field('name')}
          label={devicesCopy.name}
          hint={devicesCopy.nameHint}
          maxLength={40}
          autoComplete="off"
        />
        <Select
          label={devicesCopy.branch}
          name="branch"
          defaultValue={String(branch?.id ?? '')}
          options={branches.map(({ id, name }) => ({ value: String(id), label: name }))}
        />
        <Button {...form.button(devicesCopy.making)} variant="primary" wide>
          {devicesCopy.make}
        </Button>
      </Form>
    </Sheet>
  );
}

function Qr({ link }: { link: string }) {
  const { data, size } = encode(link, { ecc: 'M', border: 4 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={devicesCopy.qr}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  );
}
