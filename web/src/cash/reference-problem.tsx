import type { Centavos } from '@aparta/domain/money';
import { MOST_AT_A_STORE } from '@aparta/domain/store-chains';
import { ButtonLink } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Failed } from '@aparta/ui/failed.tsx';
import { StickyFooter } from '@aparta/ui/sticky-footer.tsx';
import text from '@aparta/ui/text.module.css';
import { isRefused } from '@aparta/browser/api-error.ts';
import { Help } from '../app/help.tsx';
import { alerts } from '../copy/alerts.ts';
import { knownRefusals } from '../copy/known-refusals.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { isNetworkFailure } from '@aparta/browser/network-failure.ts';
import { cashCopy as copy } from './copy.ts';

/** No reference could be made: spec §8's text, and what to do about it. */
export function ReferenceProblem({
  error,
  total,
  merchantId,
  back,
  busy,
  onRetry,
}: {
  error: Error;
  /** What a store would have to take. */
  total: Centavos | undefined;
  merchantId: number | undefined;
  back: { to: string; act: string };
  busy: boolean;
  onRetry: () => void;
}) {
  if (isRefused(error, 'CASH_REFERENCE_REFUSED')) {
    const { title, text: said } = knownRefusals.CASH_REFERENCE_REFUSED;
    return (
      <>
        <div className={`${text.card} ${text.stack}`} role="alert">
          <FactList facts={[{ icon: 'warning', title, text: said }]} />
          <p>{whyRefused(total)}</p>
        </div>
        <Help merchantId={merchantId} />
        <StickyFooter>
          <ButtonLink variant="primary" wide to={back.to}>
            {back.act}
          </ButtonLink>
        </StickyFooter>
      </>
    );
  }
  const { title, text: said } = alerts.referenceNotMade;
  return (
    <div className={text.stack}>
      <Failed title={title} text={said} busy={busy ? copy.retrying : undefined} onRetry={onRetry} />
      <p className={text.muted}>{whatToDo(error)}</p>
      <Help merchantId={merchantId} />
    </div>
  );
}

function whyRefused(total: Centavos | undefined): string {
  const isTooMuch = total !== undefined && total > MOST_AT_A_STORE;
  return isTooMuch ? copy.problems.limit(MOST_AT_A_STORE) : copy.problems.refused;
}

function whatToDo(error: Error): string {
  // The refusal's own text is about cards.
  if (isRefused(error, 'PROVIDER_DOWN')) return copy.problems.provider;
  return isNetworkFailure(error) ? copy.problems.network : sentenceFor(error);
}
