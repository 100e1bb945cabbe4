import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import type { ListFormat, SavedList } from '../data/lists.ts';
import { listsCopy as copy } from './copy.ts';

const FORMATS = ['xlsx', 'csv'] as const;

/** Saves the list beside it as a file. */
export function SaveList({ save }: { save: (format: ListFormat) => Promise<SavedList> }) {
  const [busy, setBusy] = useState<ListFormat>();
  const [problem, setProblem] = useState<string>();
  const [isPart, setPart] = useState(false);
  async function press(format: ListFormat) {
    setBusy(format);
    setProblem(undefined);
    setPart(false);
    try {
      const { file, isWhole } = await save(format);
      download(file);
      setPart(!isWhole);
    } catch (error) {
      setProblem(sentenceFor(error));
    } finally {
      setBusy(undefined);
    }
  }
  return (
    <div className={text.stack}>
      {problem && <Notice tone="danger" title={problem} urgent />}
      {isPart && (
        <Notice tone="pending" title={copy.notWhole.title} urgent>
          {copy.notWhole.text}
        </Notice>
      )}
      <div className={text.pair}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            icon="save"
            disabled={busy !== undefined && busy !== format}
            busy={busy === format ? copy.busy : undefined}
            onClick={() => void press(format)}
          >
            {copy[format]}
          </Button>
        ))}
      </div>
    </div>
  );
}
