import { cleanup, render } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useEffect, type ReactNode } from 'react';
import { MemoryRouter, useLocation, useNavigationType } from 'react-router';
import { afterEach } from 'vitest';
import { AlertHost } from '../alert.tsx';

afterEach(() => {
  cleanup();
  sessionStorage.clear();
  localStorage.clear();
});

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

/** Renders a component or screen as the app would, at an address, with a user to drive it. */
export function show(element: ReactNode, at: string | { pathname: string; state: unknown } = '/') {
  const here = { current: typeof at === 'string' ? at : at.pathname };
  let handed: unknown;
  let arrival: string;
  function Address() {
    const place = useLocation();
    const type = useNavigationType();
    useEffect(() => {
      here.current = place.pathname + place.search;
      handed = place.state;
      arrival = type;
    });
    return null;
  }
  const view = render(
    <MemoryRouter initialEntries={[at]}>
      <AlertHost>{element}</AlertHost>
      <Address />
    </MemoryRouter>,
  );
  return {
    ...view,
    user: userEvent.setup(),
    here: () => here.current,
    state: () => handed,
    arrival: () => arrival,
  };
}
