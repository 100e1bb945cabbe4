import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { useState, type ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import ExportData from './export-data.tsx';
import { yourDataCopy as copy } from './your-data-copy.ts';

/** Ours: what happened in the account, and all that is kept of the buyer. */
export default function YourData(): ReactNode {
  const [isAsking, setAsking] = useState<boolean>();
  const [saved, setSaved] = useState<string>();
  return (
    <section className={text.stack} aria-labelledby="tus-datos">
      <h2 id="tus-datos">{copy.title}</h2>
      <p>{copy.what}</p>
      <ButtonLink icon="clock" wide to={paths.activity}>
        {copy.activity}
      </ButtonLink>
      {isAsking ? (
        <ExportData
          onDone={(fileName) => {
            setAsking(false);
            setSaved(fileName);
          }}
        />
      ) : (
        <Button icon="save" wide autoFocus={isAsking === false} onClick={() => setAsking(true)}>
          {copy.data}
        </Button>
      )}
      <p role="status" className={`${text.muted} ${text.small}`}>
        {saved !== undefined && copy.saved(saved)}
      </p>
    </section>
  );
}
