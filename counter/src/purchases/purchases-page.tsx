import { PURCHASE_SHOWS, type PurchaseShow } from '@aparta/domain/shop-lists';
import { useRoute, useSearchParams } from 'wouter';
import { Arrival } from '../app/arrival.tsx';
import { patterns, purchasesAddress, SHOW_WORDS } from '../app/paths.ts';
import { purchasesCopy } from './copy.ts';
import { PurchaseList } from './purchase-list.tsx';
import { PurchaseStoryPart } from './purchase-story.tsx';
import styles from './purchases.module.css';
import { useWide } from './use-wide.ts';

/** The shop's purchases and one of them: two screens on a phone, side by side on a desk. What is listed is in the address. */
export default function PurchasesPage() {
  const opened = useRoute(patterns.purchase)[1]?.id;
  const [address] = useSearchParams();
  const wide = useWide();
  const show = showIn(address);
  const search = address.get('buscar')?.trim() || undefined;
  const id = opened !== undefined && /^[1-9]\d{0,14}$/.test(opened) ? Number(opened) : undefined;
  const list = { show, search };
  return (
    <div className={styles.split}>
      {(wide || opened === undefined) && (
        <div className={styles.list}>
          {opened === undefined && <Arrival title={purchasesCopy.title} />}
          <PurchaseList key={`${show} ${search}`} {...list} chosen={id} isScreen={opened === undefined} />
        </div>
      )}
      {opened === undefined ? (
        wide && <p className={`${styles.detail} ${styles.pick}`}>{purchasesCopy.pick}</p>
      ) : (
        <div key={opened} className={styles.detail}>
          <PurchaseStoryPart id={id} back={purchasesAddress(list)} />
        </div>
      )}
    </div>
  );
}

function showIn(address: URLSearchParams): PurchaseShow {
  const word = address.get('ver');
  return PURCHASE_SHOWS.find((show) => SHOW_WORDS[show] === word) ?? 'active';
}
