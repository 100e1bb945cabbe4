import { StartFailure } from './start-failure.ts';

export interface DemoSandbox {
  /** A card token, as the card frame would make it. */
  cardToken(number: string, publicKey: string | undefined): Promise<string>;
  /**
   * Cash at a store's counter for what is due by a reference; returns the operation's id. Its notice is not sent: the server
   * may be running, and would book the money today.
   */
  payAtStore(reference: string, paidAt: Date): Promise<string>;
  /** Makes it forget everything but its own merchants. */
  forget(): Promise<void>;
}

/**
 * The sandbox, seen to answer, given the settings that name the providers, the one of its own API first. Throws `StartFailure`
 * when one names another machine, since a real provider must never see a demo, and when nothing answers.
 */
export async function reachSandbox(providers: Record<string, string>): Promise<DemoSandbox> {
  for (const [setting, origin] of Object.entries(providers)) {
    if (!['localhost', '127.0.0.1'].includes(new URL(origin).hostname)) {
      throw new StartFailure(
        `The demo is paid at the sandbox, and ${setting} names ${origin}: set it to the sandbox.`,
      );
    }
  }
  const [origin = ''] = Object.values(providers);
  try {
    await ask(origin, '/control/clock');
  } catch (cause) {
    throw new StartFailure(
      `The sandbox does not answer at ${origin}: start it with 'npm start' in another terminal.`,
      { cause },
    );
  }
  return {
    async cardToken(number, publicKey) {
      const token = await ask(origin, '/control/tokens', { number, apiKey: publicKey });
      return (token as { id: string }).id;
    },
    async payAtStore(reference, paidAt) {
      const payment = { reference, paidAt: paidAt.toISOString(), store: 'Soriana', notice: { drop: true } };
      const operation = await ask(origin, '/control/cash/pay', payment);
      return (operation as { operationId: string }).operationId;
    },
    async forget() {
      await ask(origin, '/control/reset', {});
    },
  };
}

async function ask(origin: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${origin}${path}`, {
    signal: AbortSignal.timeout(10_000),
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return response.json();
}
