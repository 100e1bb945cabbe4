import { mexicoCityDate } from '@aparta/domain/calendar';
import { Failed } from '@aparta/ui/failed.tsx';
import { Notice } from '@aparta/ui/notice.tsx';
import { SkeletonBlock, Skeleton } from '@aparta/ui/skeleton.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { isRefused } from '@aparta/browser/api-error.ts';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { sentenceFor } from '@aparta/browser/copy.ts';
import { legalText, legalTextHere, type LegalText as Published } from '../data/legal.ts';
import { legalBlocks, type LegalBlock } from './legal-body.ts';
import { legalCopy } from './legal-copy.ts';
import { PublicPage } from './public-page.tsx';
import styles from './legal-page.module.css';

const copy = legalCopy;

/** Ours: the terms or the privacy notice in force. `block`: the text that the document came with. */
export default function LegalPage({ kind, block }: { kind: 'terms' | 'privacy'; block?: unknown }) {
  useArrival(copy[kind].title, config.productName);
  const [loaded, setLoaded] = useState(() => legalTextHere(kind, block));
  const isHere = loaded !== undefined;
  const [error, setError] = useState<unknown>();
  /** Number of attempts; `error` is undefined while one is running. */
  const [tries, setTries] = useState(0);

  useEffect(() => {
    if (isHere) return;
    const gone = new AbortController();
    legalText(kind, gone.signal).then(
      setLoaded,
      (failure: unknown) => gone.signal.aborted || setError(failure),
    );
    return () => gone.abort();
  }, [isHere, kind, tries]);

  const blocks = legalBlocks(loaded?.body ?? '');
  // The published title; ours until it has loaded.
  const [first] = blocks;
  const title = first?.kind === 'heading' ? first.text : copy[kind].title;
  const other = kind === 'terms' ? 'privacy' : 'terms';
  return (
    <PublicPage
      reading={styles.reading}
      // The text's length is not known before; what stands below it would jump.
      foot={
        (loaded !== undefined || error !== undefined) && (
          <>
            <Link to={paths[other]}>{copy[other].title}</Link>
            <Link to={paths.home}>{copy.toHome}</Link>
          </>
        )
      }
    >
      <h1 tabIndex={-1}>{title}</h1>
      {loaded ? (
        <LegalText {...loaded} blocks={first?.kind === 'heading' ? blocks.slice(1) : blocks} />
      ) : error ? (
        <Failed
          title={copy.failed}
          text={isRefused(error, 'NOT_FOUND') ? copy.missing : sentenceFor(error)}
          onRetry={() => {
            setError(undefined);
            setTries(tries + 1);
          }}
        />
      ) : (
        <Skeleton label={copy.loading}>
          <SkeletonBlock width="half" />
          <SkeletonBlock />
          <SkeletonBlock />
          <SkeletonBlock width="most" />
          <SkeletonBlock />
          <SkeletonBlock width="most" />
        </Skeleton>
      )}
    </PublicPage>
  );
}

function LegalText({
  version,
  publishedAt,
  isTemplate,
  blocks,
}: Pick<Published, 'version' | 'publishedAt' | 'isTemplate'> & {
  blocks: readonly LegalBlock[];
}) {
  return (
    <article className={styles.text}>
      <p className={text.muted}>{copy.version(version, mexicoCityDate(publishedAt))}</p>
      {isTemplate && <Notice tone="pending" title={copy.template} />}
      {blocks.map((block, index) => {
        if (block.kind === 'heading') return <h2 key={index}>{block.text}</h2>;
        if (block.kind === 'paragraph') return <p key={index}>{block.text}</p>;
        return (
          <ul key={index}>
            {block.items.map((item) => (
              <li key={item}>{item}</li>
            ))}
          </ul>
        );
      })}
    </article>
  );
}
