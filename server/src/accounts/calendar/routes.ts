import * as contract from '@aparta/contract/calendar';

import { route, success, type Route } from '../../platform/http/route.ts';
import { deviceOf } from '../credentials/browser.ts';
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
    route(contract.makeCalendar, async ({ caller, header }) =>
      success(presented(await makeCalendar(deps, caller, deviceOf(header)))),
    ),
    route(contract.endCalendar, async ({ caller, header }) => {
      await endCalendar(deps, caller, deviceOf(header));
      return success(null);
    }),
  ];
}

const presented = ({ url, madeAt }: CalendarAddress) => ({
  calendarUrl: url,
  madeAt: madeAt.toISOString(),
});
