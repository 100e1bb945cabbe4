import { DEVICE_HEADER } from '@aparta/contract/account';
import { exportData } from '@aparta/contract/activity';

import { deviceOf } from '../../accounts/credentials/browser.ts';
import { route, type Route, success } from '../../platform/http/route.ts';
import { type ExportDeps, exportOwnData } from './export-own-data.ts';

export function privacyRoutes(deps: ExportDeps): Route[] {
  return [
    route(exportData, async ({ caller, body, address, header }) => {
      const from = { address, deviceId: header(DEVICE_HEADER.toLowerCase()), device: deviceOf(header) };
      const { fileName, bytes } = await exportOwnData(deps, caller, { ...body, ...from });
      return success({ fileName, contentByteArray: bytes.toString('base64') });
    }),
  ];
}
