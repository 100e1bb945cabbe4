import { isRefused } from '@aparta/browser/api-error.ts';
import { alertFor } from '@aparta/browser/copy.ts';
import { newId } from '@aparta/browser/new-id.ts';
import { useAlert } from '@aparta/ui/alert.tsx';
import type { Centavos } from '@aparta/domain/money';
import { useEffect, useEffectEvent, useReducer, useRef, useState, type Dispatch } from 'react';
import { readHelped, readHelpPayment, sendHelp, type Helped, type HelpOrder } from '../../data/helping.ts';
import type { CardAttempt } from '../../data/card-attempt.ts';
import { helpAttempt } from '../../session/help-attempt.ts';
import { cardReducer, initialState, type CardState, type DueEffect, type Input } from '../card-reducer.ts';
import { askForToken } from '../clip-sdk.ts';
import { helpingCopy as copy } from './copy.ts';
import { doWork } from './work.ts';

/** What a helper pays: a link, as the server has it now, and this tab's payment by it. */
export interface Helping {
  readonly code: string;
  /** Undefined once the link is good for nothing. */
  readonly helped: Helped | undefined;
  readonly state: 'open' | 'paid' | 'cancelled';
  readonly acceptsCards: boolean;
  readonly attempt: CardAttempt | undefined;
}

export type HelpState = CardState<Helping, HelpOrder>;
export type HelpInput = Input<Helping, HelpOrder>;

/** What the helper wants to give, and as whom. */
export interface Given {
  readonly total: Centavos;
  readonly name: string;
  readonly email: string;
}

const TOKEN_TIMEOUT_MS = 30_000;

/**
 * A helper's payment from form to outcome, by the states and moves of a buyer's own (`card-states.ts`), in one document and without
 * an account: what this tab has sent is found by its id alone. `given` is read when the payment is sent.
 */
export function useHelping(
  code: string,
  given: (helped: Helped) => Given,
): [HelpState, Dispatch<HelpInput>, refresh: () => void] {
  const showAlert = useAlert();
  const [state, dispatch] = useReducer(
    cardReducer<Helping, HelpOrder>,
    'both' as const,
    initialState<Helping, HelpOrder>,
  );
  const { name, payable: known } = state;

  const read = useEffectEvent(async (signal?: AbortSignal) => {
    try {
      const kept = helpAttempt.sent(code);
      const helping = await readHelping(code, kept?.intentoId, signal);
      dispatch({ type: 'serverState', payable: helping, isDismissed: false, kept, now: Date.now() });
    } catch (error) {
      if (signal?.aborted) return;
      // What was known stays on the screen, and is what the server is asked to agree with.
      if (known && name !== 'unreadable') dispatch(shown(known));
      else dispatch({ type: 'unreadable', error: error as Error });
    }
  });
  useEffect(() => {
    const gone = new AbortController();
    void read(gone.signal);
    return () => gone.abort();
  }, [code]);

  // Done while the card is typed, so that nobody waits for it.
  const work = useRef<{ intentId: string; proof: Promise<string> }>(undefined);
  useEffect(() => {
    if (name === 'form') work.current ??= beginWork(code);
  }, [name, code]);

  const run = useEffectEvent(({ effect, input }: DueEffect<Helping, HelpOrder>): void | Promise<void> => {
    switch (effect) {
      case 'refresh':
        return read();
      case 'forget':
        // One that the server has shown stays until its helper has read how it ended: a reload finds it.
        if (known?.attempt?.intentId !== helpAttempt.sent(code)?.intentoId) helpAttempt.clear();
        return;
      case 'sayNoToken':
        return void showAlert(copy.noToken);
      case 'askForToken':
        if (!navigator.onLine || !state.card) return dispatch({ type: 'noToken' });
        return askForToken(state.card, TOKEN_TIMEOUT_MS).then((answer) => {
          if (answer.kind === 'token') dispatch({ type: 'token', token: answer.token });
          else if (answer.kind === 'none') dispatch({ type: 'noToken' });
          else dispatch({ type: 'fieldsWrong', notice: { title: copy.fieldsWrong } });
        });
      case 'begin': {
        if (input.type !== 'token' || !known?.helped) return;
        const { intentId, proof } = work.current ?? beginWork(code);
        work.current = undefined;
        const sent = helpAttempt.begin(intentId, code, Date.now());
        const order = { ...given(known.helped), intentId, code, token: input.token, proof };
        return dispatch({ type: 'begun', sent: { ...sent, order } });
      }
      case 'post':
        return state.sent?.order && send(state.sent.order, dispatch);
      case 'verify':
      case 'resume':
        return known?.attempt
          ? readHelpPayment(known.attempt.intentId).then(
              (attempt) => dispatch(answered(attempt, effect === 'resume' && effect)),
              () => dispatch({ type: 'unanswered' }),
            )
          : undefined;
      case 'dismiss':
        helpAttempt.clear();
        return known && dispatch(shown({ ...known, attempt: undefined }));
      // The reducer keeps what was answered, there is one document, and a shop without cards is said on the screen.
      case 'put':
      case 'open3ds':
      case 'openForm':
      case 'leaveWithoutCards':
        return;
    }
  });
  const { due } = state;
  useEffect(() => {
    if (due.length === 0) return;
    dispatch({ type: 'taken', count: due.length });
    for (const each of due) void run(each);
  }, [due]);

  const [wanted, setWanted] = useState(0);
  useEffect(() => {
    if (wanted > 0) void read();
  }, [wanted]);
  return [state, dispatch, () => setWanted((before) => before + 1)];
}

/** Work for one payment, done beside the page. */
export function beginWork(code: string): { intentId: string; proof: Promise<string> } {
  const intentId = newId();
  return { intentId, proof: doWork(code, intentId) };
}

/** The link and the payment that this tab sent by it. A payment that cannot be read is an error: it may have been made. */
async function readHelping(
  code: string,
  intentId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Helping> {
  const [helped, attempt] = await Promise.all([
    readHelped(code, signal),
    intentId === undefined ? undefined : readSent(intentId, signal),
  ]);
  return {
    code,
    helped,
    state: helped === undefined ? 'cancelled' : helped.most === 0 ? 'paid' : 'open',
    acceptsCards: helped?.acceptsCards ?? false,
    attempt,
  };
}

async function readSent(intentId: string, signal: AbortSignal | undefined): Promise<CardAttempt | undefined> {
  try {
    return await readHelpPayment(intentId, signal);
  } catch (error) {
    if (isRefused(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

async function send(order: HelpOrder, dispatch: Dispatch<HelpInput>): Promise<void> {
  const outcome = await sendHelp(order);
  switch (outcome.kind) {
    case 'answered':
      return dispatch(answered(outcome.attempt, 'payment'));
    case 'lost':
      return dispatch({ type: 'lost' });
    case 'overtaken':
    case 'refused': {
      const { title, text } = alertFor(outcome.error);
      return dispatch({ type: outcome.kind, notice: { title, ...(text !== undefined && { text }) } });
    }
  }
}

function shown(helping: Helping): HelpInput {
  return { type: 'serverState', payable: helping, isDismissed: false, kept: undefined, now: Date.now() };
}

/** What the server says of this tab's payment. */
export function answered(attempt: CardAttempt, answersBuyer: 'payment' | 'resume' | false): HelpInput {
  return { type: 'serverState', attempt, answersBuyer, isDismissed: false };
}
