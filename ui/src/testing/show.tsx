import { render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import 'wouter/use-browser-location';
import { AlertHost } from '../alert.tsx';

// jsdom has <dialog> but not its modal behaviour, so this adds what our code relies on. Focus and inertness
// are tested in the browser.
HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
  this.open = true;
  this.querySelector<HTMLElement>('button, input')?.focus();
};
HTMLDialogElement.prototype.close ??= function close(this: HTMLDialogElement) {
  this.open = false;
};
window.scrollTo = () => {};
window.scrollBy = () => {};
Element.prototype.scrollIntoView = () => {};

/** How the last screen was come to. The router tells of the other two. */
let arrival: string;
for (const type of ['popstate', 'pushState', 'replaceState'])
  addEventListener(type, () => (arrival = type), { capture: true });

/** Renders a component or screen as the app would, at an address, with a user to drive it. */
export function show(element: ReactNode, at: string | { pathname: string; state: unknown } = '/') {
  if (typeof at === 'string') history.replaceState(null, '', at);
  else history.replaceState(at.state, '', at.pathname);
  return {
    ...render(<AlertHost>{element}</AlertHost>),
    user: userEvent.setup(),
    here: () => location.pathname + location.search,
    state: (): unknown => history.state,
    arrival: () => arrival,
  };
}
