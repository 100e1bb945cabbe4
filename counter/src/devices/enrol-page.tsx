import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useLocation } from 'wouter';
import { config } from '../app/config.ts';
import { Entrance, EntranceHead } from '../app/entrance.tsx';
import { useLinkCode } from '../app/link-code.ts';
import { paths } from '../app/paths.ts';
import { enrolThis } from '../data/devices.ts';
import { devicesCopy } from './copy.ts';

const copy = devicesCopy.enrol;

/** Where the QR leads: this phone or tablet becomes one of the branch. Whoever is signed in on it signs out. */
export default function EnrolPage() {
  useArrival(copy.title, config.productName);
  const [, navigate] = useLocation();
  const code = useLinkCode();
  const form = useSubmit({
    async send() {
      await enrolThis(code);
      navigate(paths.find, { replace: true });
      return 'leaving';
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  return (
    <Entrance>
      <EntranceHead title={copy.title}>{copy.intro}</EntranceHead>
      {code === '' ? (
        <Notice tone="info" title={copy.missing} urgent />
      ) : (
        <Form of={form}>
          <RefusedNotice of={form} />
          <Button {...form.button(copy.busy)} variant="primary" wide>
            {copy.submit}
          </Button>
        </Form>
      )}
    </Entrance>
  );
}
