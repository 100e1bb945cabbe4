import { STAFF_ROLES, type StaffRole, worksInBranches } from '@aparta/domain/staff-rights';
import { Check } from '@aparta/ui/check.tsx';
import { Select } from '@aparta/ui/other-fields.tsx';
import type { Refusal, Typed } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useState } from 'react';
import type { Place } from '../data/people.ts';
import { useSession } from '../session/session.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.staff;
const roles = STAFF_ROLES.map((value) => ({ value, label: peopleCopy.roles[value] }));
const nameOf = (branchId: number) => `branch-${branchId}`;

/** What was chosen in {@link PlaceFields}; `branches` are the merchant's. */
export function placeOf(typed: Typed, branches: readonly { readonly id: number }[]): Place {
  const role = typed('role') as StaffRole;
  const chosen = branches.filter(({ id }) => typed(nameOf(id)) !== '').map(({ id }) => id);
  return { role, branchIds: worksInBranches(role) ? chosen : [] };
}

/** What is wrong with it. */
export function problemOf({ role, branchIds }: Place): Refusal | undefined {
  return worksInBranches(role) && branchIds.length === 0 ? { title: copy.noBranches } : undefined;
}

/** What somebody is at the shop, and in which of its branches. */
export function PlaceFields({ start }: { start: Place }) {
  const branches = useSession()?.branches ?? [];
  const [role, setRole] = useState(start.role);
  return (
    <>
      <Select
        label={copy.role}
        name="role"
        value={role}
        options={roles}
        onChange={(event) => setRole(event.target.value as StaffRole)}
      />
      {worksInBranches(role) && (
        <fieldset className={text.tight}>
          <legend>{copy.branches}</legend>
          {branches.map(({ id, name }) => (
            <Check
              key={id}
              name={nameOf(id)}
              defaultChecked={start.branchIds.includes(id) || branches.length === 1}
            >
              {name}
            </Check>
          ))}
        </fieldset>
      )}
    </>
  );
}
