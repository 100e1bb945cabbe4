import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { FactList } from '@aparta/ui/fact-list.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { GoalBar } from '@aparta/ui/goal-bar.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import text from '@aparta/ui/text.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { endingHelpLink, type HelpLink } from '../data/help-links.ts';
import { helpLinksCopy as copy } from './help-links-copy.ts';

/** A live link: what came by it, sharing it, and ending it. `isNew` was made just now. */
export function HelpLinkCard({
  purchase,
  link,
  isNew,
}: {
  purchase: { id: number; product: string };
  link: HelpLink;
  isNew: boolean;
}) {
  const { message, goal, helped, helps, address = '' } = link;
  const card = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isNew) card.current?.focus();
  }, [isNew]);
  return (
    <li className={`${text.card} ${text.stack}`}>
      <div className={text.tight}>
        <h3 ref={card} tabIndex={-1}>
          {message === '' ? copy.noMessage : message}
        </h3>
        <p className={`${text.muted} ${text.small}`}>
          {isNew && `${copy.ready} `}
          {copy.until(link.expiresAt)}
        </p>
      </div>
      {goal === undefined ? (
        helped > 0 && <b>{copy.helped(helped)}</b>
      ) : (
        <GoalBar label={copy.reached(helped, goal)} reached={helped} goal={goal} />
      )}
      {helps.length === 0 ? (
        <p className={`${text.muted} ${text.small}`}>{copy.nobody}</p>
      ) : (
        <FactList
          facts={helps.map(({ name, amount, at }, index) => ({
            key: index,
            icon: 'person',
            title: copy.help(name, amount),
            text: copy.helpOn(at),
          }))}
        />
      )}
      <Share address={address} words={copy.shared(purchase.product, message)} of={copy.endOf(message)} />
      <End purchaseId={purchase.id} link={link} />
    </li>
  );
}

/**
 * The phone's own sheet where it has one, else WhatsApp first; and copying, which works everywhere. `of` names the link to who
 * cannot see in which card the buttons stand.
 */
function Share({ address, words, of }: { address: string; words: string; of: string }) {
  const [copied, setCopied] = useState<'yes' | 'failed'>();
  const named = (act: string) => (
    <span>
      {act} <span className={text.srOnly}>{of}</span>
    </span>
  );
  const copyAddress = () =>
    void navigator.clipboard.writeText(address).then(
      () => setCopied('yes'),
      () => setCopied('failed'),
    );
  return (
    <div className={text.tight}>
      {'share' in navigator ? (
        <Button
          variant="primary"
          icon="share"
          wide
          // Closing the share sheet is not an error, and without it there is the address below.
          onClick={() => void navigator.share({ text: words, url: address }).catch(() => {})}
        >
          {named(copy.share)}
        </Button>
      ) : (
        <Button
          variant="primary"
          icon="share"
          wide
          onClick={() => {
            const whatsApp = `https://wa.me/?text=${encodeURIComponent(`${words} ${address}`)}`;
            window.open(whatsApp, '_blank', 'noopener');
          }}
        >
          {named(copy.whatsApp)}
        </Button>
      )}
      <Button icon={copied === 'yes' ? 'check' : 'copy'} wide onClick={copyAddress}>
        {named(copied === 'yes' ? copy.copied : copy.copy)}
      </Button>
      <p role="status" className={text.srOnly}>
        {copied === 'yes' && copy.copied}
      </p>
      {copied === 'failed' && (
        <Field
          label={copy.address}
          name="address"
          value={address}
          readOnly
          error={copy.copyFailed}
          onFocus={(event) => event.target.select()}
        />
      )}
    </div>
  );
}

/** Ends it for good, after one more press. */
function End({ purchaseId, link }: { purchaseId: number; link: HelpLink }) {
  const [isSure, setSure] = useState(false);
  const end = useMutation(endingHelpLink(useQueryClient(), purchaseId));
  if (!isSure) {
    return (
      <Button variant="quiet" onClick={() => setSure(true)}>
        {copy.end}
        <span className={text.srOnly}>{copy.endOf(link.message)}</span>
      </Button>
    );
  }
  return (
    <div className={text.tight}>
      <p role="status">
        <b>{copy.endSure}</b> {copy.endText}
      </p>
      {end.error && <Notice tone="danger" title={sentenceFor(end.error)} urgent />}
      <div className={text.pair}>
        <Button
          variant="danger"
          autoFocus
          busy={end.isPending ? copy.ending : undefined}
          onClick={() => end.mutate(link.id)}
        >
          {copy.endYes}
        </Button>
        <Button variant="quiet" onClick={() => setSure(false)}>
          {copy.keep}
        </Button>
      </div>
    </div>
  );
}
