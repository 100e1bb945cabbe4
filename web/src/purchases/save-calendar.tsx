import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { purchaseCalendarFile } from '../data/calendar.ts';
import { calendarCopy as copy } from './calendar-copy.ts';

/** Saves a purchase's unpaid dates as a file that the phone's calendar opens. */
export default function SaveCalendar({ purchaseId }: { purchaseId: number }): ReactNode {
  const save = useMutation({
    mutationFn: () => purchaseCalendarFile(purchaseId),
    onSuccess: download,
  });
  return (
    <div className={text.tight}>
      <Button
        variant="quiet"
        icon="calendar"
        wide
        busy={save.isPending ? copy.saving : undefined}
        onClick={() => save.mutate()}
      >
        {copy.save}
      </Button>
      <p role="status" className={`${text.muted} ${text.small}`}>
        {save.data && copy.saved(save.data.name)}
      </p>
      {save.error && (
        <Notice tone="danger" title={copy.failed} urgent onDismiss={save.reset}>
          {sentenceFor(save.error)}
        </Notice>
      )}
    </div>
  );
}
