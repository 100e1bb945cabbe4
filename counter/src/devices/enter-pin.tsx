import { isRefused } from '@aparta/browser/api-error.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { PasswordField } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { EntranceHead } from '../app/entrance.tsx';
import { enterByPin, enterWithNewPin, thisDeviceQuery, type DevicePerson } from '../data/devices.ts';
import { devicesCopy } from './copy.ts';
import styles from './devices.module.css';
import { PinPad } from './pin-pad.tsx';

const copy = devicesCopy.enter;

/** Signs in with the sixth digit. */
export function EnterPin({
  person,
  onOther,
  onForgot,
}: {
  person: DevicePerson;
  onOther: () => void;
  onForgot: () => void;
}) {
  const queries = useQueryClient();
  const [pin, setPin] = useState('');
  const entering = useMutation({
    mutationFn: (typed: string) => enterByPin(person.positionId, typed),
    onError: () => {
      setPin('');
      // It may have been the last try, or they, or the device, may be gone.
      void queries.invalidateQueries({ queryKey: thisDeviceQuery.queryKey });
    },
  });
  const { error, isPending } = entering;
  const change = (typed: string) => {
    if (isPending) return;
    setPin(typed);
    if (typed.length === 6) entering.mutate(typed);
  };
  // Not disabled: that would flash with each PIN. Whoever began then would see another's screen open.
  const unlessChecking = (go: () => void) => () => {
    if (!isPending) go();
  };
  const isLocked = person.isLocked || isRefused(error, 'PIN_LOCKED');
  return (
    <>
      <EntranceHead title={copy.pinOf(person.name)}>
        {isPending ? copy.checking : isLocked ? copy.locked : copy.pinIntro}
      </EntranceHead>
      <div className={`${styles.below} ${text.stack}`}>
        {isLocked ? (
          <Notice tone="danger" title={copy.lockedTitle} urgent>
            {copy.lockedText}
          </Notice>
        ) : (
          <>
            {error && <Notice tone="danger" title={sentenceFor(error)} urgent />}
            <PinPad value={pin} onChange={change} />
          </>
        )}
        <div className={text.tight}>
          {!isLocked && (
            <Button variant="quiet" wide onClick={unlessChecking(onForgot)}>
              {copy.forgot}
            </Button>
          )}
          <Button variant="quiet" wide onClick={unlessChecking(onOther)}>
            {copy.other}
          </Button>
        </div>
      </div>
    </>
  );
}

/** Sets the PIN by password, at the first time on a device and when it is forgotten. */
export function ChoosePin({ person, onOther }: { person: DevicePerson; onOther: () => void }) {
  const form = useSubmit({
    check: (typed) => (/^\d{6}$/.test(typed('pin')) ? undefined : { errors: { pin: copy.pinWrong } }),
    async send(typed) {
      await enterWithNewPin(person.positionId, typed('password'), typed('pin'));
      return 'leaving';
    },
    refuse: (error) => ({
      title: sentenceFor(error),
      focus: isRefused(error, 'PIN_TOO_EASY') ? 'pin' : 'password',
    }),
  });
  return (
    <>
      <EntranceHead title={copy.choose(person.name)}>{copy.chooseIntro}</EntranceHead>
      <Form of={form}>
        <RefusedNotice of={form} />
        <PasswordField {...form.field('password')} label={copy.password} autoComplete="current-password" />
        <PasswordField
          {...form.field('pin')}
          label={copy.pin}
          autoComplete="new-password"
          inputMode="numeric"
          maxLength={6}
        />
        <Button {...form.button(copy.busy)} variant="primary" wide>
          {copy.submit}
        </Button>
        <Button variant="quiet" wide disabled={form.busy} onClick={onOther}>
          {copy.other}
        </Button>
      </Form>
    </>
  );
}
