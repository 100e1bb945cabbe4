import { ButtonLink } from '@aparta/ui/button.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import type { NavEntry } from '@aparta/ui/shell.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';

/** A page that is not for who is signed in, and the way to one that is. `isShared`: it is theirs, but not at a shared device. */
export function NoPage({ isShared, to }: { isShared: boolean; to: NavEntry | undefined }) {
  const { title, text } = isShared ? appCopy.noPage.here : appCopy.noPage.theirs;
  useArrival(title, config.productName);
  return (
    <Page>
      <PageHead title={title}>{text}</PageHead>
      {to && (
        <ButtonLink variant="primary" icon={to.icon} to={to.to}>
          {appCopy.noPage.goTo(to.label)}
        </ButtonLink>
      )}
    </Page>
  );
}
