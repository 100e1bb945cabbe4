import * as contract from '@aparta/contract/calendar';

import { route, success, type Route } from '../../platform/http/route.ts';
import {
  type CalendarAddress,
  type CalendarDeps,
  endCalendar,
  makeCalendar,
  ownCalendar,
} from './calendar-link.ts';

export function calendarRoutes(deps: CalendarDeps): Route[] {
  return [
    route(contract.getCalendar, async ({ caller }) => {
      const own = await ownCalendar(deps, caller);
      return success(own === undefined ? null : presented(own));
    }),
    route(contract.makeCalendar, async ({ caller }) => success(presented(await makeCalendar(deps, caller)))),
    route(contract.endCalendar, async ({ caller }) => {
      await endCalendar(deps, caller);
      return success(null);
    }),
  ];
}

const presented = ({ url, madeAt }: CalendarAddress) => ({
  calendarUrl: url,
  madeAt: madeAt.toISOString(),
});
