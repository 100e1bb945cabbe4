import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { lazyPage } from '@aparta/browser/lazy-page.tsx';
import { session, useUser } from '../session/session.ts';
import { isOwnDocument, paths } from './paths.ts';

const Resume = lazyPage(() => import('./resume.tsx'));

/**
 * Spec §2: without a current user every protected route leads to /login. Who arrives by a link, an email's among them, gets
 * there after signing in, however they come to it; who signs out here does not.
 */
export function Guard({ children }: { children: ReactNode }) {
  const user = useUser();
  const [wasSignedIn] = useState(() => session.user() !== undefined);
  if (user) return children;
  const toLogin = <ToLogin keepsPlace={!wasSignedIn} />;
  return session.stays() ? <Resume toLogin={toLogin} /> : toLogin;
}

/** Spec §2's catch-all: the authenticated area, or login. Links were processed before (`incoming-links.ts`). */
export function CatchAll() {
  return <Redirect to={useUser() ? paths.home : paths.login} replace />;
}

function ToLogin({ keepsPlace }: { keepsPlace: boolean }) {
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  const leave = useEffectEvent(() => {
    // Sign-up leads to login by way of home (spec §2), which is where login leads anyway.
    if (keepsPlace && pathname !== paths.home) session.returnLater(pathname + (search && `?${search}`));
    // A separate document is left by a full page load, so that the next screen gets its own policy.
    if (isOwnDocument(pathname)) location.replace(paths.login);
    else navigate(paths.login, { replace: true });
  });
  // Once: the address changes on the way.
  useEffect(() => leave(), []);
  return null;
}
