import { GoalBar } from '@aparta/ui/goal-bar.tsx';
import { ProductHeader } from '@aparta/ui/product-header.tsx';
import text from '@aparta/ui/text.module.css';
import { Ticket } from '@aparta/ui/ticket.tsx';
import type { Helped } from '../../data/helping.ts';
import { helpingCopy as copy } from './copy.ts';
import styles from './helping.module.css';

/** What a help link asks for: the product, its buyer's words, and how far it has come. */
export function WhatIsHelped({ helped }: { helped: Helped }) {
  const { firstName, productName, tradeName, pictures, message, goal, goalLeft, most } = helped;
  return (
    <Ticket
      label={copy.title}
      thing={
        <div className={text.stack}>
          <ProductHeader title={productName} sub={tradeName} merchant={tradeName} pictures={pictures} />
          {message !== '' && (
            <blockquote className={styles.said} aria-label={copy.message(copy.who(firstName))}>
              <p>{message}</p>
            </blockquote>
          )}
        </div>
      }
      act={
        <div className={text.tight}>
          {goal !== undefined && (
            <GoalBar label={copy.reached(helped.helped, goal)} reached={helped.helped} goal={goal} />
          )}
          <p className={`${text.muted} ${text.small}`}>
            {goalLeft === 0 && `${copy.goalDone} `}
            {copy.left(most)}
          </p>
        </div>
      }
    />
  );
}
