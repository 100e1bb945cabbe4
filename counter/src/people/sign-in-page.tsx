import { isRefused } from '@aparta/browser/api-error.ts';
import { alertFor, sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Field, PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState } from 'react';
import { config } from '../app/config.ts';
import { Choices, Entrance, EntranceHead } from '../app/entrance.tsx';
import { paths } from '../app/paths.ts';
import { signIn, type Workplace } from '../data/sessions.ts';
import { device } from '../session/device.ts';
import { session } from '../session/session.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.signIn;

/** Between password or passkey and shop; in memory alone. */
interface Choosing {
  readonly enter: (merchantId: number) => Promise<unknown>;
  readonly shops: readonly Workplace[];
}

/** Signs somebody of a shop in; whoever works in several chooses one. `onIntent` preloads the next screen meanwhile. */
export default function SignInPage({ onIntent }: { onIntent: () => void }) {
  useArrival(copy.title, config.productName);
  const [choosing, setChoosing] = useState<Choosing>();
  return (
    <Entrance>
      {choosing ? (
        <ChooseShop {...choosing} onBack={() => setChoosing(undefined)} />
      ) : (
        <Credentials onIntent={onIntent} onChoose={setChoosing} />
      )}
    </Entrance>
  );
}

function Credentials({
  onIntent,
  onChoose,
}: {
  onIntent: () => void;
  onChoose: (choosing: Choosing) => void;
}) {
  const form = useSubmit({
    async send(typed) {
      const [email, password] = [typed('email').trim(), typed('password')];
      const shops = await signIn(email, password);
      if (shops.length > 0) onChoose({ shops, enter: (id) => signIn(email, password, id) });
      return 'leaving';
    },
    refuse: (error) => ({
      title: isRefused(error, 'WRONG_CREDENTIALS', 'INVALID_INPUT')
        ? alertFor(error).title
        : sentenceFor(error),
      focus: 'password',
    }),
  });
  return (
    <>
      <EntranceHead title={copy.heading}>{copy.intro}</EntranceHead>
      <Form of={form}>
        {device.wasRevoked() && <Notice tone="info" title={copy.deviceRevoked} urgent />}
        {session.hasDied() && !form.title && <Notice tone="info" title={copy.died} urgent />}
        <RefusedNotice of={form} dismissible />
        <Field
          {...form.field('email')}
          label={copy.email}
          type="email"
          autoComplete="username"
          inputMode="email"
          autoCapitalize="none"
          spellCheck={false}
          onFocus={onIntent}
        />
        <PasswordField label={copy.password} name="password" autoComplete="current-password" />
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
        <ByPasskey onChoose={onChoose} />
        <ButtonLink variant="quiet" to={paths.forgot}>
          {copy.forgot}
        </ButtonLink>
      </Form>
    </>
  );
}

/** Signs in without typing anything; what it takes is loaded when it is asked for. */
function ByPasskey({ onChoose }: { onChoose: (choosing: Choosing) => void }) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  if (globalThis.PublicKeyCredential === undefined) return null;
  async function enter() {
    setBusy(true);
    setProblem(undefined);
    try {
      const { askPasskey, enterByPasskey } = await import('../data/passkeys.ts');
      const signed = await askPasskey();
      const shops = await enterByPasskey(signed);
      if (shops.length > 0) onChoose({ shops, enter: (id) => enterByPasskey(signed, id) });
    } catch (error) {
      const { passkeyProblem } = await import('./passkey-problem.ts');
      setProblem(passkeyProblem(error));
    }
    setBusy(false);
  }
  return (
    <>
      {problem && <Notice tone="danger" title={problem} urgent />}
      <Button icon="lock" wide busy={isBusy ? copy.busy : undefined} onClick={() => void enter()}>
        {copy.byPasskey}
      </Button>
    </>
  );
}

function ChooseShop({ enter, shops, onBack }: Choosing & { onBack: () => void }) {
  const [problem, setProblem] = useState<string>();
  const choose = (shop: Workplace) =>
    void enter(shop.id).catch((error: unknown) => setProblem(sentenceFor(error)));
  return (
    <>
      <EntranceHead title={copy.which}>{copy.whichText}</EntranceHead>
      {problem && <Notice tone="danger" title={problem} urgent />}
      <Choices>
        {shops.map((shop) => (
          <Option
            key={shop.id}
            icon="store"
            title={shop.tradeName}
            text={peopleCopy.roles[shop.role]}
            onClick={() => choose(shop)}
          />
        ))}
      </Choices>
      <Button variant="quiet" onClick={onBack}>
        {copy.other}
      </Button>
    </>
  );
}
