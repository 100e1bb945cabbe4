import { ButtonLink } from '../ui/button.tsx';
import { Empty } from '../ui/empty.tsx';
import { appCopy } from './copy.ts';
import { paths } from './paths.ts';

/** A part of the spec that is not built yet: says so, and offers the way back. */
export default function NotOpen() {
  return (
    <Empty text={appCopy.notOpen.text}>
      <ButtonLink to={paths.home}>{appCopy.notOpen.toHome}</ButtonLink>
    </Empty>
  );
}
