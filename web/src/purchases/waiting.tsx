import { ButtonLink } from '@aparta/ui/button.tsx';
import { Chip } from '@aparta/ui/chip.tsx';
import { Icon } from '@aparta/ui/icon.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Link } from 'wouter';
import { paths } from '../app/paths.ts';
import { logoQuery } from '../data/logos.ts';
import { readWaiting, type WaitingPurchase, type WireWaiting } from '../data/waiting.ts';
import { listCopy } from './list-copy.ts';
import { waitingCopy as copy } from './waiting-copy.ts';
import styles from './waiting.module.css';
import { allPurchases } from './waiting-later.ts';

/** More are in the list of all purchases. */
const SHOWN = 3;

/** What the buyer is to get of purchases that no list of active ones has: goods, and money that goes back. */
export default function Waiting({ waiting }: { waiting: readonly WireWaiting[] }) {
  const id = useId();
  return (
    <section className={text.tight} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {copy.title}
      </h2>
      <ul className={text.tight}>
        {waiting
          .slice(0, SHOWN)
          .map(readWaiting)
          .map((purchase) => (
            <li key={purchase.id}>
              <Row purchase={purchase} />
            </li>
          ))}
      </ul>
      {waiting.length > SHOWN && <ButtonLink to={allPurchases}>{listCopy.list.seeAll}</ButtonLink>}
    </section>
  );
}

/** A line above active purchases: that something else waits for the buyer, and the way to it. Home tells it whole. */
export function AlsoWaiting({
  waiting,
  unresolved,
}: {
  waiting: readonly WireWaiting[];
  unresolved: number;
}) {
  const isMoney = waiting.some(({ owedAtShop, owedToCard }) => owedAtShop + owedToCard > 0);
  const goods = waiting.filter(({ toCollect }) => toCollect).length;
  const [only, ...others] = waiting;
  const isOne = unresolved === 0 && only !== undefined && others.length === 0;
  return (
    <Link
      className={`${text.card} ${text.between} ${styles.row} ${styles.also}`}
      to={isOne ? paths.purchase(only.ventaId) : paths.home}
    >
      <span>{copy.also({ unresolved, isMoney, goods }, isOne ? only.descripcion : undefined)}</span>
      <Icon name="next" small />
    </Link>
  );
}

function Row({ purchase }: { purchase: WaitingPurchase }) {
  const { id, product, merchant, logoFile, isToCollect, owedAtShop, owedToCard } = purchase;
  const { data: logo } = useQuery(logoQuery(logoFile));
  return (
    <Link className={`${text.card} ${text.stack} ${styles.row}`} to={paths.purchase(id)}>
      <ProductHeader title={product} sub={merchant} merchant={merchant} logo={logo} />
      <span className={styles.chips}>
        {owedAtShop > 0 && <Chip state="atStore" text={copy.atShop(owedAtShop)} />}
        {owedToCard > 0 && <Chip state="confirming" text={copy.toCard(owedToCard)} />}
        {isToCollect && <Chip state="paid" text={copy.toCollect} />}
      </span>
    </Link>
  );
}
