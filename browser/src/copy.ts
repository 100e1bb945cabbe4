import type { AlertText } from '@aparta/ui/alert.tsx';
import { ApiError, type Failure } from './api-error.ts';

/** Failures without an answer from the server; a refusal brings its text (`refusal-texts.ts`). */
const failures = {
  network: {
    kind: 'error',
    title: 'No hay conexión',
    text: 'Revisa tu internet y vuelve a intentarlo.',
  },
  timeout: {
    kind: 'warning',
    title: 'El servicio tardó demasiado',
    text: 'Puede que lo último que hiciste sí se haya guardado. Revísalo antes de repetirlo.',
  },
  nonsense: {
    kind: 'error',
    title: 'Algo falló de nuestro lado',
    text: 'Vuelve a intentarlo en unos minutos.',
  },
} as const satisfies Record<Exclude<Failure['kind'], 'refused'>, AlertText>;

/** Of a refusal whose text cannot be loaded. */
export const unexplained: AlertText = failures.nonsense;

/** The alert for any error of a call. */
export function alertFor(error: unknown): AlertText {
  if (!(error instanceof ApiError)) return failures.nonsense;
  const { failure } = error;
  if (failure.kind !== 'refused') return failures[failure.kind];
  // Some texts include a fact of the refusal.
  const filled = (words: string) =>
    words.replace(/\{(\w+)\}/g, (_, fact: string) => String(failure.facts[fact]));
  const alert = { ...failure.said, title: filled(failure.said.title) };
  if (alert.text === undefined) return alert;
  const text = filled(alert.text);
  const wait = failure.retryAfterSeconds;
  return {
    ...alert,
    text: failure.status === 429 && wait !== undefined ? `${text} ${waitText(wait)}` : text,
  };
}

/** The same in one line, for a banner or under a form. */
export function sentenceFor(error: unknown): string {
  const { title, text } = alertFor(error);
  if (text === undefined) return title;
  return `${title}${/[.!?]$/.test(title) ? '' : '.'} ${text}`;
}

function waitText(seconds: number): string {
  if (seconds < 60) return `Podrás intentarlo en ${Math.max(1, seconds)} segundos.`;
  const minutes = Math.ceil(seconds / 60);
  return `Podrás intentarlo en ${minutes} ${minutes === 1 ? 'minuto' : 'minutos'}.`;
}
