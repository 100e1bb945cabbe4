import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { Entrance, EntranceHead } from '../app/entrance.tsx';
import { useLinkCode } from '../app/link-code.ts';
import { paths } from '../app/paths.ts';
import { accept, invitationQuery } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.invitation;

/** Where the link of an invitation leads: a new person chooses a password, a known one gives theirs. */
export default function InvitationPage() {
  useArrival(copy.title, config.productName);
  const code = useLinkCode();
  const { data, error } = useQuery(invitationQuery(code));
  return (
    <Entrance>
      {data ? (
        <>
          <EntranceHead title={copy.heading(data.tradeName)}>
            {copy.intro(peopleCopy.roles[data.role], data.branches.map(({ name }) => name).join(', '))}
          </EntranceHead>
          <Accept code={code} email={data.email} isKnown={data.hasAccount} />
        </>
      ) : error ? (
        <>
          <EntranceHead title={copy.title} />
          <Notice tone="danger" title={sentenceFor(error)} urgent />
        </>
      ) : (
        <Skeleton label={peopleCopy.loading}>
          <SkeletonBlock shape="title" width="most" />
          <SkeletonBlock shape="control" />
        </Skeleton>
      )}
    </Entrance>
  );
}

function Accept({ code, email, isKnown }: { code: string; email: string; isKnown: boolean }) {
  const [, navigate] = useLocation();
  const form = useSubmit({
    async send(typed) {
      await accept(code, typed('password'));
      navigate(paths.find, { replace: true });
      return 'leaving';
    },
    refuse: (error) => ({ title: sentenceFor(error), focus: 'password' }),
  });
  return (
    <Form of={form}>
      <p>{isKnown ? copy.known : copy.choose}</p>
      <RefusedNotice of={form} />
      {/* For the password manager. */}
      <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
      <PasswordField
        {...form.field('password')}
        label={isKnown ? peopleCopy.signIn.password : peopleCopy.newPassword}
        hint={isKnown ? undefined : peopleCopy.newPasswordHint}
        autoComplete={isKnown ? 'current-password' : 'new-password'}
      />
      <Button {...form.button(copy.busy)} variant="primary" wide>
        {copy.submit}
      </Button>
    </Form>
  );
}
