import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useUser } from '../session/session.ts';
import { isOwnDocument, paths } from './paths.ts';

/** Spec §2: without a current user every protected route leads to /login. */
export function Guard() {
  const user = useUser();
  const { pathname } = useLocation();
  if (user) return <Outlet />;
  return isOwnDocument(pathname) ? <Leave to={paths.login} /> : <Navigate to={paths.login} replace />;
}

/** Spec §2's catch-all: the authenticated area, or login. Links were processed before (`incoming-links.ts`). */
export function CatchAll() {
  return <Navigate to={useUser() ? paths.home : paths.login} replace />;
}

/** Leaves a separate document by a full page load, so that the next screen gets its own policy. */
function Leave({ to }: { to: string }) {
  useEffect(() => location.replace(to), [to]);
  return null;
}
