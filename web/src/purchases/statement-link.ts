import { paths } from '../app/paths.ts';

/** The statement is beside the list of purchases, in this parameter of its address. */
export const STATEMENT = 'cuenta';

/** Its days of this month; `statement-range.ts` spells all addresses, in the statement's own chunk. */
export const statementLink = `${paths.purchases}?${STATEMENT}=este-mes`;
