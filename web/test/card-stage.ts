import type { ReplyData } from '@aparta/contract/endpoint';
import type { LayawayReference as WireLayawayReference } from '@aparta/contract/layaway';
import { ATTEMPT_STATES, type CardPayment as WireAttempt } from '@aparta/contract/payments';
import type {
  getInstalment,
  InstalmentWithPayments as WirePlannedInstalment,
} from '@aparta/contract/purchases';
import { afterEach, beforeEach, vi } from 'vitest';
import { session } from '../src/session/session.ts';
import { stubLocation } from './location.ts';
import { marisol } from './server.ts';

export { ATTEMPT_STATES };
export type { WireAttempt, WireLayawayReference, WirePlannedInstalment };
export type WireInstalmentToPay = ReplyData<typeof getInstalment>;

export const PAYMENT = '0d4f6bb2-0000-4000-8000-00000000000a';
export const EARLIER = '7b1c3d54-0000-4000-8000-00000000000b';

/** A card attempt as the server sends it, for the tests' deposit by default. */
export function attemptThat(state: WireAttempt['state'], given: Partial<WireAttempt> = {}): WireAttempt {
  return {
    id: PAYMENT,
    status: { applied: 'approved', rejected: 'rejected' }[state as string] ?? 'pending',
    status_detail: { code: '', message: '' },
    pending_action: { url: '' },
    amount: 615,
    currency: 'MXN',
    intentoId: EARLIER,
    state,
    applied: state === 'applied',
    referencia: '11234567897',
    ventaId: null,
    folio: null,
    paidAt: null,
    card: null,
    createdAt: '2026-11-20T19:42:00Z',
    advice: null,
    returnReason: null,
    refund: null,
    plan: null,
    ...given,
  };
}

/** A layaway reference that waits for its deposit. */
export const offered: WireLayawayReference = {
  Id: 77,
  id: 77,
  Referencia: '1|4|9|7|3000.00|3|600.00|0',
  IpOrigen: '127.0.0.1',
  Fecha: '2026-11-20T18:00:00Z',
  Estatus: 1,
  paymentReference: '11234567897',
  expiresAt: '2026-11-23T05:59:59Z',
  businessId: 4,
  productId: 9,
  tradeName: 'Muebles del Centro',
  productName: 'Sala Nórdica',
  productDescription: '',
  logofileName: '',
  price: 3000,
  deposit: 600,
  cardFee: 15,
  tillFee: 0,
  cardTotal: 615,
  tillTotal: 600,
  deliveryDays: 15,
  endDaysLate: null,
  instalments: [
    { number: 1, dueOn: '2026-11-20', amount: 600 },
    { number: 2, dueOn: '2026-12-20', amount: 1200 },
    { number: 3, dueOn: '2027-01-19', amount: 1200 },
  ],
  acceptsCards: true,
  cardKey: 'public-key',
  attempt: null,
  owedBack: 0,
  owedToCard: 0,
  ventaId: null,
  folio: null,
};

export const merchant = {
  id: 4,
  businessName: '',
  tradeName: 'Muebles del Centro',
  rFC: '',
  tblBusinessTypeId: 1,
  contact: '',
  phone: '',
  email: '',
  tblPasarelaPagoId: 1,
  percentDeposit: 20,
  fracuencyPay: 30,
  planPaymentDuration: 60,
  ammountoCancel: 0,
  deliveryDays: 15,
  endDaysLate: null,
  companyId: 1,
  externalReferenceAntad: '',
  ssoId: '',
  clipApiKey: 'public-key',
  fGebusinessuuid: '',
  acceptsCards: true,
  address: '',
  hours: '',
  cardFee: 15,
  tillFee: 0,
};

/**
 * A signed-in buyer at the card screens. Fakes the provider's card frame, which a browser would load from the
 * provider, and full page loads. `frame` is the provider's behaviour, reset for each test.
 */
export function cardStage() {
  const frame = { token: async (): Promise<unknown> => ({ id: 'tok_1' }), isReady: true };
  const willing = { ...frame };
  const assign = vi.fn<(to: string) => void>();
  const replace = vi.fn<(to: string) => void>();

  beforeEach(() => {
    Object.assign(frame, willing);
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }));
    stubLocation({ assign, replace });
    window.ClipSDK = class {
      element = {
        create: () => ({
          mount(place: string) {
            // A frame that never loads fires no event.
            const inside = document.createElement(frame.isReady ? 'iframe' : 'object');
            document.getElementById(place)?.append(inside);
          },
          setAmount() {},
          cardToken: () => frame.token(),
          preventionData: async () => ({ session_id: 'risk-1' }),
        }),
      };
    };
    session.open({ ...marisol, token: 't' });
  });

  afterEach(() => {
    vi.unstubAllGlobals();
    delete window.ClipSDK;
    assign.mockClear();
    replace.mockClear();
  });

  return { frame, assign, replace };
}
