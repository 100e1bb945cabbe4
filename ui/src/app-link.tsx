import type { ComponentProps } from 'react';
import { Link } from 'wouter';

/** A link to a screen of the app. Set `reload` for screens that are documents of their own. */
export function AppLink({
  to,
  reload = false,
  state,
  children,
  ...rest
}: Omit<ComponentProps<'a'>, 'href'> & { to: string; reload?: boolean; state?: unknown }) {
  return reload ? (
    <a {...rest} href={to}>
      {children}
    </a>
  ) : (
    <Link {...rest} to={to} state={state}>
      {children}
    </Link>
  );
}
