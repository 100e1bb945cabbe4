import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import { statementFile, type Range, type StatementFormat } from '../data/statement.ts';
import { statementCopy as copy } from './statement-copy.ts';

const FORMATS = ['pdf', 'csv'] as const;

/** Saves the statement beside it as a file. */
export function SaveStatement({ range }: { range: Range }) {
  const [busy, setBusy] = useState<StatementFormat>();
  const [done, setDone] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  async function save(format: StatementFormat) {
    setBusy(format);
    setDone(undefined);
    setFailed(false);
    try {
      const file = await statementFile(range, format);
      download(file);
      setDone(copy.saved(file.name));
    } catch {
      setFailed(true);
    } finally {
      setBusy(undefined);
    }
  }
  return (
    <div className={text.tight}>
      <div className={text.pair}>
        {FORMATS.map((format) => (
          <Button
            key={format}
            icon="save"
            disabled={busy !== undefined && busy !== format}
            busy={busy === format ? copy.saving : undefined}
            onClick={() => void save(format)}
          >
            <span>
              <span className={text.srOnly}>{copy.save}</span> {copy[format]}
            </span>
          </Button>
        ))}
      </div>
      <p role="status" className={`${text.muted} ${text.small}`}>
        {done}
      </p>
      {hasFailed && <Notice tone="danger" title={copy.saveFailed} urgent />}
    </div>
  );
}
