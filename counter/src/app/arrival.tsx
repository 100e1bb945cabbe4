import { useArrival } from '@aparta/ui/use-arrival.ts';
import { config } from './config.ts';

/** `useArrival` for a heading that comes with what is read: rendered with it, so that there is something to focus. */
export function Arrival({ title }: { title: string }) {
  useArrival(title, config.productName);
  return null;
}
