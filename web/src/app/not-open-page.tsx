import { PublicPage } from '../account/public-page.tsx';
import { useUser } from '../session/session.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { Page, PageHead } from '../ui/page.tsx';
import { useArrival } from '../ui/use-arrival.ts';
import { config } from './config.ts';
import { appCopy } from './copy.ts';
import { paths } from './paths.ts';

const copy = appCopy.notOpen;

/** A route of the spec whose screen is not built yet: says so, and offers the way back. */
export default function NotOpenPage({ screen }: { screen: keyof typeof copy.titles }) {
  const title = copy.titles[screen];
  useArrival(title, config.productName);
  if (useUser()) {
    return (
      <Page>
        <PageHead title={title} />
        <Empty text={copy.text}>
          <ButtonLink to={paths.home}>{copy.toHome}</ButtonLink>
        </Empty>
      </Page>
    );
  }
  return (
    <PublicPage foot={<ButtonLink to={paths.login}>{copy.toLogin}</ButtonLink>}>
      <PageHead title={title}>{copy.text}</PageHead>
    </PublicPage>
  );
}
