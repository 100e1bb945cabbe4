import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Field } from '@aparta/ui/field.tsx';
import { Form, useSubmit } from '@aparta/ui/form.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { Flow, PageHead } from '@aparta/ui/page.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { readPickupText } from '@aparta/domain/pickup-code';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useHistoryState } from 'wouter/use-browser-location';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { findOffer, type Shown } from '../data/hand-overs.ts';
import { handOverCopy as copy } from './copy.ts';
import { HandOver } from './hand-over.tsx';
import { UnfinishedHandOver } from './unfinished-hand-over.tsx';

/** What a code opens, and handing it over. `code` is a printed number or folio, from where its purchase was seen. */
export default function HandOverPage({ code }: { code: string | undefined }) {
  useArrival(copy.title, config.productName);
  return (
    <Flow>
      <PageHead title={copy.title} />
      <UnfinishedHandOver>
        <Opened code={code} />
      </UnfinishedHandOver>
    </Flow>
  );
}

function Opened({ code }: { code: string | undefined }) {
  const scanned = useHistoryState<{ readonly scanned?: string } | null>()?.scanned;
  const [shown, setShown] = useState<Asked | undefined>(() => {
    const read = scanned === undefined ? undefined : readPickupText(scanned);
    return scanned === undefined || !read ? undefined : { code: scanned, digits: read.digits, turn: 0 };
  });
  // Not on the device for longer than it takes: Back or a reload would ask again, for whoever is signed in then.
  useEffect(() => {
    if (scanned !== undefined) history.replaceState(null, '', location.href);
  }, [scanned]);
  const [refused, setRefused] = useState<string>();
  const query = useQuery({
    queryKey: ['offer', shown],
    queryFn: shown ? () => findOffer({ code: shown.code, digits: shown.digits }) : skipToken,
    ...ONCE,
  });
  const problem = refused ?? (query.error ? sentenceFor(query.error) : undefined);
  if (shown && query.data && refused === undefined)
    return (
      <HandOver
        offer={query.data}
        digits={shown.digits}
        onRefused={(error) => setRefused(sentenceFor(error))}
      />
    );
  if (query.isFetching && shown?.turn === 0)
    return (
      <Skeleton label={copy.busy}>
        <div className={`${text.card} ${text.stack}`}>
          <SkeletonBlock width="most" />
          <SkeletonBlock />
        </div>
      </Skeleton>
    );
  return (
    <div className={text.loose}>
      {problem && !query.isFetching && <Notice tone="danger" title={problem} urgent />}
      <Typed
        code={code}
        isAsking={query.isFetching}
        onShown={(typed) => {
          setRefused(undefined);
          setShown({ ...typed, turn: (shown?.turn ?? 0) + 1 });
        }}
      />
      <ButtonLink wide icon="qr" to={paths.find}>
        {copy.scan}
      </ButtonLink>
    </div>
  );
}

/** The same digits typed again are asked again; `turn` is 0 for what was scanned. */
type Asked = Shown & { readonly turn: number };

/** A wrong code counts, so nothing asks by itself. */
const ONCE = {
  retry: false,
  gcTime: 0,
  staleTime: Infinity,
  refetchOnMount: false,
  refetchOnReconnect: false,
  refetchOnWindowFocus: false,
} as const;

/** The digits, and of which purchase where nobody said. */
function Typed({
  code,
  isAsking,
  onShown,
}: {
  code: string | undefined;
  isAsking: boolean;
  onShown: (shown: Shown) => void;
}) {
  const form = useSubmit({
    check: (typed) => {
      const errors: Record<string, string> = {};
      if (code === undefined && typed('code').trim() === '') errors['code'] = copy.numberWrong;
      if (!/^\d{6}$/.test(digitsOf(typed('digits')))) errors['digits'] = copy.digitsWrong;
      return Object.keys(errors).length > 0 ? { errors } : undefined;
    },
    async send(typed) {
      onShown({ code: code ?? typed('code').trim(), digits: digitsOf(typed('digits')) });
      return {};
    },
    refuse: () => ({}),
  });
  return (
    <Form of={form} className={`${text.card} ${text.stack}`}>
      <p>{copy.intro}</p>
      {code === undefined && (
        <Field
          {...form.field('code')}
          label={copy.number}
          hint={copy.numberHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      )}
      <Field
        {...form.field('digits')}
        label={copy.digits}
        hint={copy.digitsHint}
        inputMode="numeric"
        autoComplete="off"
        maxLength={8}
      />
      <Button {...form.button(copy.busy)} {...(isAsking && { busy: copy.busy })} variant="primary" wide>
        {copy.submit}
      </Button>
    </Form>
  );
}

const digitsOf = (typed: string): string => typed.replaceAll(/\s/g, '');
