import { ButtonLink } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import type { ReactNode } from 'react';
import { paths } from '../app/paths.ts';
import { yourDataCopy as copy } from './your-data-copy.ts';

/** Ours: leads to what happened in the account. */
export default function YourData(): ReactNode {
  return (
    <section className={text.stack} aria-labelledby="tus-datos">
      <h2 id="tus-datos">{copy.title}</h2>
      <p>{copy.what}</p>
      <ButtonLink icon="clock" wide to={paths.activity}>
        {copy.activity}
      </ButtonLink>
    </section>
  );
}
