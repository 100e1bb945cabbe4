import { worksInBranches } from '@aparta/domain/staff-rights';
import { Button } from '@aparta/ui/button.tsx';
import { Option } from '@aparta/ui/option.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { NotYet } from '../lists/not-yet.tsx';
import { config } from '../app/config.ts';
import { staffQuery, type Invited, type Person } from '../data/people.ts';
import { peopleCopy } from './copy.ts';
import { Invitations } from './invitations.tsx';
import { InviteSheet } from './invite-sheet.tsx';
import styles from './people.module.css';
import { OwnerRule } from './owner-rule.tsx';
import { PersonSheet } from './person-sheet.tsx';

const copy = peopleCopy.staff;

/** Who works at the shop, and who is invited; the owner's. */
export default function StaffPage() {
  useArrival(copy.title, config.productName);
  const query = useQuery(staffQuery);
  const [inviting, setInviting] = useState<Invited | 'nobody yet'>();
  const [shown, setShown] = useState<Person>();
  const { data } = query;
  return (
    <Page>
      <div className={`${styles.column} ${text.stack}`}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <Button variant="primary" icon="person" wide onClick={() => setInviting('nobody yet')}>
          {copy.invite}
        </Button>
        {data ? (
          <>
            {data.staff.map((person) => (
              <Option
                key={person.positionId}
                icon="person"
                title={person.isYou ? `${person.name} (${copy.you})` : person.name}
                text={placeText(person)}
                onClick={() => setShown(person)}
              />
            ))}
            {data.invitations.length > 0 && (
              <Invitations invitations={data.invitations} onAnew={setInviting} />
            )}
            <OwnerRule isOn={data.ownersNeedPasskey} />
          </>
        ) : (
          <NotYet of={query} failed={copy.failed} loading={peopleCopy.loading} />
        )}
      </div>
      {inviting && (
        <InviteSheet
          again={inviting === 'nobody yet' ? undefined : inviting}
          onClose={() => setInviting(undefined)}
        />
      )}
      {shown && <PersonSheet person={shown} onClose={() => setShown(undefined)} />}
    </Page>
  );
}

function placeText({ role, branches }: Person): string {
  const where = worksInBranches(role) ? branches.map(({ name }) => name).join(', ') : copy.everywhere;
  return `${peopleCopy.roles[role]} · ${where}`;
}
