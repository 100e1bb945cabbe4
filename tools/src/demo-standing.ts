import { INTEGRATOR, MERCHANTS } from '../demo/shops.ts';
import { query } from './query.ts';

/**
 * Whether the demo can be put into a migrated database: `empty`, yes; `half`, it was begun and broken off; `kept`, no, there is
 * a whole demo or somebody's own data. The shops are the demo's first write and the integrator's account is its last, so the
 * one without the other tells a half.
 */
export async function demoStanding(databaseUrl: string): Promise<'empty' | 'half' | 'kept'> {
  const [row] = await query<{ used: boolean; begun: boolean; ended: boolean }>(
    databaseUrl,
    `select exists (select from merchants) or exists (select from buyers) as used,
              exists (select from merchants where rfc = $1) as begun,
              exists (select from service_accounts where user_name = $2) as ended`,
    [MERCHANTS[0]?.rfc, INTEGRATOR.userName],
  );
  const { used = false, begun = false, ended = false } = row ?? {};
  if (!used) return 'empty';
  return begun && !ended ? 'half' : 'kept';
}
