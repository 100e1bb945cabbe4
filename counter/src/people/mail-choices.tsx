import { sentenceFor } from '@aparta/browser/copy.ts';
import { SHOP_MAILS, type ShopMail } from '@aparta/domain/shop-mails';
import { Check } from '@aparta/ui/check.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { chooseMail, mailsQuery } from '../data/people.ts';
import { peopleCopy } from './copy.ts';

const copy = peopleCopy.mails;

/** What this owner is mailed of the shop, each kind by its own switch. */
export function MailChoices() {
  const queries = useQueryClient();
  const { data: mails, error } = useQuery(mailsQuery);
  // A choice that was not saved goes back to what is so.
  const [failures, setFailures] = useState(0);
  const choosing = useMutation({
    scope: { id: 'mails' },
    mutationFn: ({ mail, isOn }: { mail: ShopMail; isOn: boolean }) => chooseMail(mail, isOn),
    onSuccess: () => queries.invalidateQueries({ queryKey: mailsQuery.queryKey }),
    onError: () => setFailures((before) => before + 1),
  });
  const problem = choosing.error ?? error;
  return (
    <section className={`${text.card} ${text.stack}`}>
      <h2>{copy.title}</h2>
      <p className={text.muted}>{copy.intro}</p>
      {problem && <Notice tone="danger" title={sentenceFor(problem)} urgent />}
      {mails && (
        <div key={failures}>
          {SHOP_MAILS.map((mail) => (
            <Check
              key={mail}
              name={mail}
              defaultChecked={mails.includes(mail)}
              onChange={(isOn) => choosing.mutate({ mail, isOn })}
            >
              {copy.names[mail][0]}
              <br />
              <span className={`${text.small} ${text.muted}`}>{copy.names[mail][1]}</span>
            </Check>
          ))}
        </div>
      )}
    </section>
  );
}
