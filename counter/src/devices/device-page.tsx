import { Button } from '@aparta/ui/button.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { SkeletonBlock } from '@aparta/ui/skeleton.tsx';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { Choices, Entrance, EntranceHead } from '../app/entrance.tsx';
import { paths } from '../app/paths.ts';
import { thisDeviceQuery, type DevicePerson } from '../data/devices.ts';
import { device } from '../session/device.ts';
import { devicesCopy } from './copy.ts';
import { ChoosePin, EnterPin } from './enter-pin.tsx';

const copy = devicesCopy.enter;

/** A shared phone or tablet: whoever works at the branch chooses their name and gives their PIN. */
export default function DevicePage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(thisDeviceQuery);
  const { data } = query;
  return (
    <Entrance>
      {data ? (
        <People people={data.people} place={`${data.branch.name} · ${data.name}`} />
      ) : (
        <NotYet of={query} failed={copy.failed} loading={devicesCopy.loading}>
          <SkeletonBlock shape="title" width="half" />
          <SkeletonBlock shape="control" />
        </NotYet>
      )}
    </Entrance>
  );
}

function People({ people, place }: { people: readonly DevicePerson[]; place: string }) {
  const [, navigate] = useLocation();
  // Whoever was here gives the PIN alone.
  const [chosenId, setChosenId] = useState(device.last);
  const [isNew, setNew] = useState(false);
  const person = people.find(({ positionId }) => positionId === chosenId);
  const choose = (id: string | undefined) => {
    setChosenId(id);
    setNew(false);
    // Where one person was is not where the next one begins.
    if (id !== device.last()) navigate(paths.find, { replace: true });
  };
  if (person) {
    return isNew || (!person.hasPin && !person.isLocked) ? (
      <ChoosePin person={person} onOther={() => choose(undefined)} />
    ) : (
      <EnterPin person={person} onOther={() => choose(undefined)} onForgot={() => setNew(true)} />
    );
  }
  return (
    <>
      <EntranceHead title={copy.title}>{place}</EntranceHead>
      {people.length === 0 && <Notice tone="info" title={copy.nobody} />}
      <Choices>
        {people.map(({ positionId, name, hasPin, isLocked }) => (
          <Option
            key={positionId}
            icon={isLocked ? 'lock' : 'person'}
            title={name}
            text={isLocked ? copy.locked : hasPin ? copy.hasPin : copy.noPin}
            onClick={() => choose(positionId)}
          />
        ))}
      </Choices>
      <Button variant="quiet" onClick={() => navigate(paths.signIn)}>
        {copy.byEmail}
      </Button>
    </>
  );
}
