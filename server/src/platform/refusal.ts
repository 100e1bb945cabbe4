import type { RefusalCode } from '@aparta/contract/refusals';

export type { RefusalCode };

/** What a refusal may tell the caller besides its code. */
export interface RefusalFacts {
  /** Goes out as the header `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Field of the request → what is wrong with it. */
  readonly fields?: Readonly<Record<string, string>>;
  /** What else the screen needs to go on, in wire form: the current amount, the open attempt. */
  readonly [fact: string]: unknown;
}

/** A rule that the call breaks. Use cases throw it; the HTTP edge makes the reply. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly facts: RefusalFacts;

  constructor(code: RefusalCode, facts: RefusalFacts = {}) {
    super(code);
    this.name = 'Refusal';
    this.code = code;
    this.facts = facts;
  }
}
