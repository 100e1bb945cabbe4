/** The bank's origin, as the configuration of every test's document has it. */
export const BANK = 'https://3ds.bank.test';
