import { getPurchaseCalendar } from '@aparta/contract/calendar';

import { route, type Route, success } from '../../platform/http/route.ts';
import { type CalendarDeps, savePurchaseCalendar } from './read-calendar.ts';

export function purchaseCalendarRoutes(deps: CalendarDeps): Route[] {
  return [
    route(getPurchaseCalendar, async ({ caller, params }) => {
      const { fileName, bytes } = await savePurchaseCalendar(deps, caller.id, params.saleId);
      return success({ fileName, contentByteArray: bytes.toString('base64') });
    }),
  ];
}
