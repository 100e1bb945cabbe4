import { Barcode } from '@aparta/ui/barcode.tsx';
import { Button, ButtonLink } from '@aparta/ui/button.tsx';
import { Code } from '@aparta/ui/code.tsx';
import { Empty } from '@aparta/ui/empty.tsx';
import { Page, PageHead } from '@aparta/ui/page.tsx';
import text from '@aparta/ui/text.module.css';
import { useArrival } from '@aparta/ui/use-arrival.ts';
import { useState } from 'react';
import { useParams } from 'wouter';
import { config } from '../app/config.ts';
import { paths } from '../app/paths.ts';
import { barcodeCopy } from './barcode-copy.ts';
import styles from './barcode-page.module.css';

const copy = barcodeCopy;

/** Of a path, which the router leaves as it stands there. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Spec §2, the bar-code view of a reference value (ref02): orange ground, bars of width 1 and height 80 (spec §9). */
export default function BarcodePage() {
  useArrival(copy.title, config.productName);
  const reference = decoded(useParams().ref02 ?? '').replace(/\s/g, '');
  const [bigger, setBigger] = useState(false);
  // What Code 128 can carry within a phone's width.
  if (!/^[\u0021-\u007e]{1,40}$/.test(reference)) {
    return (
      <Page>
        <div className={styles.view}>
          <PageHead title={copy.title} />
          <Empty text={copy.wrong}>
            <ButtonLink to={paths.layaway}>{copy.back}</ButtonLink>
          </Empty>
        </div>
      </Page>
    );
  }
  return (
    <Page>
      <div className={styles.view}>
        <PageHead title={copy.title}>{copy.intro}</PageHead>
        <div className={`${text.card} ${text.stack}`}>
          <Barcode reference={reference} narrow={!bigger} />
          {/* One pixel per bar is the spec's; some scanners want two. */}
          <Button onClick={() => setBigger(!bigger)}>{bigger ? copy.smaller : copy.bigger}</Button>
          <Code label={copy.label} reference={reference} />
        </div>
      </div>
    </Page>
  );
}
