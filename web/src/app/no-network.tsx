import { ButtonLink } from '@aparta/ui/button.tsx';
import text from '@aparta/ui/text.module.css';
import { Router } from 'wouter';
import { PublicPage } from '../account/public-page.tsx';
import { paths } from './paths.ts';
import { seenCopy } from './seen-copy.ts';

const copy = seenCopy.nothing;

/** In place of a screen that needs the network, the payments' among them; no script runs in it. */
export function NoNetwork() {
  return (
    <Router ssrPath={paths.home}>
      <PublicPage foot={null}>
        <div className={text.stack}>
          <h1>{copy.title}</h1>
          <p className={text.muted}>{copy.text}</p>
          {/* To the same address. */}
          <ButtonLink reload to="" variant="primary" wide>
            {seenCopy.retry}
          </ButtonLink>
          <ButtonLink reload to={paths.purchases} wide>
            {copy.toPurchases}
          </ButtonLink>
        </div>
      </PublicPage>
    </Router>
  );
}
