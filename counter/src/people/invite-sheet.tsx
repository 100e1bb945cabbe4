import { sentenceFor } from '@aparta/browser/copy.ts';
import { isEmailAddress } from '@aparta/domain/email-address';
import { holdsWebAddress } from '@aparta/domain/web-address';
import { Button } from '@aparta/ui/button.tsx';
import { CopyField } from '@aparta/ui/copy-field.tsx';
import { Sheet } from '@aparta/ui/dialog.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, RefusedNotice, useSubmit } from '@aparta/ui/form.tsx';
import text from '@aparta/ui/text.module.css';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { invite, staffQuery, type Invited } from '../data/people.ts';
import { useSession } from '../session/session.ts';
import { peopleCopy } from './copy.ts';
import { placeOf, PlaceFields, problemOf } from './place-fields.tsx';

const copy = peopleCopy.staff;

/** Invites somebody, or again who has not come; the link is shown once. */
export function InviteSheet({ again, onClose }: { again: Invited | undefined; onClose: () => void }) {
  const queries = useQueryClient();
  const branches = useSession()?.branches ?? [];
  const [link, setLink] = useState<string>();
  const form = useSubmit({
    check: (typed) => {
      const name = typed('name');
      if (name.trim() === '') return { errors: { name: copy.nameWrong } };
      if (holdsWebAddress(name)) return { errors: { name: copy.nameIsAddress } };
      if (!isEmailAddress(typed('email').trim())) return { errors: { email: copy.emailWrong } };
      return problemOf(placeOf(typed, branches));
    },
    async send(typed) {
      const [name, email] = [typed('name').trim(), typed('email').trim()];
      setLink(await invite({ name, email, ...placeOf(typed, branches) }));
      void queries.invalidateQueries({ queryKey: staffQuery.queryKey });
      return {};
    },
    refuse: (error) => ({ title: sentenceFor(error) }),
  });
  if (link !== undefined) return <LinkSheet link={link} onClose={onClose} />;
  return (
    <Sheet title={copy.invite} onClose={onClose}>
      <Form of={form} className={text.stack}>
        <RefusedNotice of={form} />
        <Field
          {...form.field('name')}
          label={copy.name}
          defaultValue={again?.name}
          maxLength={80}
          autoComplete="off"
        />
        <Field
          {...form.field('email')}
          label={copy.email}
          defaultValue={again?.email}
          type="email"
          inputMode="email"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <PlaceFields start={{ role: again?.role ?? 'cashier', branchIds: [] }} />
        <Button {...form.button(copy.inviteBusy)} variant="primary" wide>
          {copy.inviteSubmit}
        </Button>
      </Form>
    </Sheet>
  );
}

function LinkSheet({ link, onClose }: { link: string; onClose: () => void }) {
  return (
    <Sheet title={copy.linkTitle} onClose={onClose}>
      <div className={text.stack}>
        <p>{copy.linkText}</p>
        <CopyField label={copy.link} value={link} />
      </div>
    </Sheet>
  );
}
