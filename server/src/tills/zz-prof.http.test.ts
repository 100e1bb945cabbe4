import { test } from 'vitest';
import { openShop } from '../../test/shop.ts';
import { createTestDatabase } from '../../test/database.ts';
import { createSandbox } from '../../../sandbox/src/app.ts';
import { startTestApp } from '../../test/app.ts';
import { makeMachine } from '../../test/make.ts';
test('prof', async () => {
  for (let i = 0; i < 3; i++) {
    let t = performance.now(); const lap = (n: string) => { console.log(n, Math.round(performance.now() - t)); t = performance.now(); };
    const d = await createTestDatabase(); lap('db'); await d.drop(); lap('drop');
    const s = await createSandbox({ productOrigin: 'http://localhost:3000' }); lap('sandbox'); await s.close(); lap('sandbox close');
    const a = await startTestApp(); lap('app'); await a.close(); lap('app close');
    const shop = await openShop(); lap('shop'); await makeMachine(shop.db, { kind: 'till', chain: 'x' }); lap('machine'); await shop.close(); lap('close');
  }
});
