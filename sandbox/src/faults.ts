/** The calls that can be made to fail. */
export const faultyCalls = [
  'createPayment',
  'getPayment',
  'listPayments',
  'createRefund',
  'getRefund',
  'signIn',
  'createReference',
  'findOperation',
  'findReference',
  'addCustomer',
  'updateCustomer',
  'addProduct',
  'emitInvoice',
  'getInvoiceFile',
  'push',
] as const;
export type FaultyCall = (typeof faultyCalls)[number];

export type Fault = {
  call: FaultyCall;
  /**
   * - `unreachable`: the connection is cut, nothing is done; `lost`: done, then cut
   * - `status`: nothing is done, `status` and `body` are answered
   * - `malformed`: done, answered with half a JSON; `undated`: done, answered without a `Date`
   * - `slowWork`: done after `delayMs`; `slowReply`: done at once, answered after `delayMs`
   * - `hold`: done at once, answered when the control releases it
   */
  kind: 'unreachable' | 'lost' | 'status' | 'malformed' | 'undated' | 'slowWork' | 'slowReply' | 'hold';
  /** How many calls are left to fail. */
  times: number;
  /** Only calls of this merchant, or of this business that invoices; Tapi has one account and no merchants. */
  apiKey?: string | undefined;
  status?: number | undefined;
  body?: unknown;
  delayMs?: number | undefined;
};

export type Faults = {
  add(fault: Fault): void;
  all(): Fault[];
  /** Takes the first fault that fits, and counts it down. */
  take(call: FaultyCall, apiKey?: string): Fault | undefined;
  /** Waits for {@link Faults.release}. */
  held(): Promise<void>;
  release(): number;
  clear(): void;
};

export function createFaults(): Faults {
  let faults: Fault[] = [];
  let waiting: (() => void)[] = [];

  function release(): number {
    const count = waiting.length;
    for (const go of waiting) go();
    waiting = [];
    return count;
  }

  return {
    add: (fault) => void faults.push(fault),
    all: () => faults,
    take(call, apiKey) {
      const fault = faults.find(
        (one) => one.call === call && one.times > 0 && (one.apiKey === undefined || one.apiKey === apiKey),
      );
      if (fault === undefined) return undefined;
      fault.times -= 1;
      faults = faults.filter((one) => one.times > 0);
      return fault;
    },
    held: () => new Promise<void>((resolve) => waiting.push(resolve)),
    release,
    clear() {
      faults = [];
      release();
    },
  };
}
