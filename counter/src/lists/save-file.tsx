import { sentenceFor } from '@aparta/browser/copy.ts';
import { Button } from '@aparta/ui/button.tsx';
import { download } from '@aparta/ui/download.ts';
import { Notice } from '@aparta/ui/notice.tsx';
import styles from '@aparta/ui/text.module.css';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useOnline } from '../app/use-online.ts';

/** Asks for a file and saves it, or says why it could not; `children` stand beside its button. */
export function SaveFile({
  file,
  text,
  busy,
  children,
}: {
  file: () => Promise<File>;
  text: string;
  busy: string;
  children?: ReactNode;
}) {
  const online = useOnline();
  const save = useMutation({ mutationFn: async () => download(await file()) });
  const button = (
    <Button
      icon="save"
      busy={save.isPending ? busy : undefined}
      disabled={!online}
      onClick={() => save.mutate()}
    >
      {text}
    </Button>
  );
  return (
    <>
      {save.error && <Notice tone="danger" title={sentenceFor(save.error)} urgent />}
      {children ? (
        <div className={styles.pair}>
          {button}
          {children}
        </div>
      ) : (
        button
      )}
    </>
  );
}
