import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useMutation } from '@tanstack/react-query';
import { config } from '../app/config.ts';
import { Entrance, EntranceHead } from '../app/entrance.tsx';
import { askPasskey, enterByPasskey } from '../data/passkeys.ts';
import { signOut } from '../data/sessions.ts';
import { useSession } from '../session/session.ts';
import { peopleCopy } from './copy.ts';
import { passkeyProblem } from './passkey-problem.ts';
import { AddPasskey } from './passkeys.tsx';

const copy = peopleCopy.needsPasskey;

/** An owner whose shop asks for a passkey, and who signed in without: the first one is added, or one that they have is used. */
export default function NeedsPasskeyPage() {
  useArrival(copy.title, config.productName);
  const merchantId = useSession()?.merchant.id;
  const entering = useMutation({
    mutationFn: async () => enterByPasskey(await askPasskey(), merchantId),
  });
  return (
    <Entrance>
      <EntranceHead title={copy.title}>{copy.intro}</EntranceHead>
      <div className={text.stack}>
        {entering.error && <Notice tone="danger" title={passkeyProblem(entering.error)} urgent />}
        <Button
          variant="primary"
          icon="lock"
          wide
          busy={entering.isPending ? peopleCopy.passkeys.asking : undefined}
          onClick={() => entering.mutate()}
        >
          {copy.have}
        </Button>
        <h2>{copy.first}</h2>
        <AddPasskey onDone={() => {}} />
        <Button variant="quiet" onClick={signOut}>
          {copy.leave}
        </Button>
      </div>
    </Entrance>
  );
}
