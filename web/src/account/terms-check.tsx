import { Check } from '@aparta/ui/check.tsx';
import text from '@aparta/ui/text.module.css';
import { useRef, useState, type RefObject } from 'react';
import { paths } from '../app/paths.ts';
import { legalText } from '../data/legal.ts';
import { registerCopy } from './register-copy.ts';

const copy = registerCopy.terms;

type Terms = {
  box: RefObject<HTMLInputElement | null>;
  /** As shown beside the checkbox. */
  version: string | undefined;
  inForce: () => Promise<string | undefined>;
  replacedBy: (version: string) => void;
};

/** The terms that sign-up asks to accept. */
export function useTerms(): Terms {
  const box = useRef<HTMLInputElement>(null);
  const asked = useRef<Promise<string | undefined>>(undefined);
  const [version, setVersion] = useState<string>();
  return {
    box,
    version,
    /** Their version. If it could not be loaded, sign-up still works and the server's current one counts. */
    inForce() {
      asked.current ??= legalText('terms').then(
        ({ version, isTemplate }) => {
          // A demonstration's placeholder says nothing to a buyer.
          if (!isTemplate) setVersion(version);
          return version;
        },
        () => {
          asked.current = undefined;
          return undefined;
        },
      );
      return asked.current;
    },
    /** New ones were published while the form was open: the buyer agrees to those, so the box is ticked again. */
    replacedBy(newer) {
      asked.current = Promise.resolve(newer);
      setVersion(newer);
      if (box.current) box.current.checked = false;
    },
  };
}

/** The checkbox `terms`, with links to both texts and the version that is in force. */
export function TermsCheck({ of: { box, version, inForce }, ticked }: { of: Terms; ticked: boolean }) {
  return (
    <div className={text.tight}>
      <Check name="terms" ref={box} defaultChecked={ticked} onChange={(ticked) => ticked && void inForce()}>
        {copy.before}
        <a href={paths.terms} target="_blank" rel="noopener">
          {copy.terms}
        </a>
        {copy.between}
        <a href={paths.privacy} target="_blank" rel="noopener">
          {copy.privacy}
        </a>
      </Check>
      <p role="status" className={`${text.muted} ${text.small}`}>
        {copy.opens}
        {version !== undefined && ` ${copy.version(version)}`}
      </p>
    </div>
  );
}
