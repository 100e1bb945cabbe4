import { seesAllDrawers } from '@aparta/domain/staff-rights';

import type { Db } from '../../../platform/db/db.ts';
import type { Staff } from '../../../platform/principal.ts';
import { Refusal } from '../../../platform/refusal.ts';
import {
  type ClosedBranch,
  type CutRow,
  type CutWithMovements,
  type DrawersOf,
  findCut,
  isClosedBranchOf,
  listClosedWithSomething,
  listCutMovements,
  listCutsOf,
  listNewestCuts,
  listOpenDrawers,
  listOpenMovements,
  type Movement,
  type OpenDrawer,
} from './read-model.ts';

export interface DrawerWithMovements extends OpenDrawer {
  readonly list: readonly Movement[];
}

/** What waits for a cut in a branch, as far as it is the caller's to see. Refuses NOT_FOUND. */
export async function readShifts(db: Db, caller: Staff, branchId: number): Promise<DrawerWithMovements[]> {
  if (!(await worksAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  const all = seesAllDrawers(caller.role);
  const drawers = await listOpenDrawers(db, { branchId, positionId: caller.positionId, all });
  const ids = drawers.map(({ positionId }) => positionId);
  const by = Map.groupBy(await listOpenMovements(db, branchId, ids), ({ positionId }) => positionId);
  return drawers.map((drawer) => ({ ...drawer, list: by.get(drawer.positionId) ?? [] }));
}

/** A page of the cuts of a branch that the caller may see. Refuses NOT_FOUND. */
export async function readCuts(
  db: Db,
  caller: Staff,
  { branchId, cursor }: { readonly branchId: number; readonly cursor?: number | undefined },
): ReturnType<typeof listCutsOf> {
  return listCutsOf(db, { ...(await drawersOf(db, caller, branchId)), before: cursor });
}

/** The newest cuts of a branch that the caller may see. Refuses NOT_FOUND. */
export async function readNewestCuts(
  db: Db,
  caller: Staff,
  branchId: number,
  most: number,
): Promise<CutRow[]> {
  return listNewestCuts(db, await drawersOf(db, caller, branchId), most);
}

/** Of a branch, whose drawers are the caller's to see. Refuses NOT_FOUND. */
async function drawersOf(db: Db, caller: Staff, branchId: number): Promise<DrawersOf> {
  if (!(await worksAt(db, caller, branchId))) throw new Refusal('NOT_FOUND');
  return seesAllDrawers(caller.role) ? { branchId } : { branchId, positionId: caller.positionId };
}

/** A cut that the caller may see, with what is in it. Refuses NOT_FOUND, for another branch's, merchant's or cashier's too. */
export async function readCut(db: Db, caller: Staff, id: string): Promise<CutWithMovements> {
  const cut = await findCut(db, caller.merchantId, id);
  const isTheirs =
    cut !== undefined &&
    (seesAllDrawers(caller.role) || cut.positionId === caller.positionId) &&
    (await worksAt(db, caller, cut.branchId));
  if (!isTheirs) throw new Refusal('NOT_FOUND');
  return { cut, list: await listCutMovements(db, cut.id) };
}

/** The same as a PDF. Refuses NOT_FOUND. */
export async function printCut(
  { db, productName }: { readonly db: Db; readonly productName: string },
  caller: Staff,
  id: string,
): Promise<{ readonly fileName: string; readonly pdf: Buffer }> {
  const found = await readCut(db, caller, id);
  // What draws it takes 15 MB: not before somebody asks for one.
  const { cutPdf } = await import('./cut-pdf.ts');
  return { fileName: `corte-${found.cut.number}.pdf`, pdf: await cutPdf(found, productName) };
}

/**
 * Whether drawers of a branch are the caller's to see: an open one of theirs or, unless they are a cashier or on a shared device,
 * one that has closed since. What was taken there is counted all the same.
 */
export async function worksAt(db: Db, caller: Staff, branchId: number): Promise<boolean> {
  if (caller.branchIds.includes(branchId)) return true;
  return seesClosed(caller) && isClosedBranchOf(db, caller.positionId, branchId);
}

/** Closed branches in which something is left, as far as they are the caller's to see. */
export async function readClosedBranches(db: Db, caller: Staff): Promise<ClosedBranch[]> {
  return seesClosed(caller) ? listClosedWithSomething(db, caller.positionId) : [];
}

function seesClosed({ role, device }: Staff): boolean {
  return seesAllDrawers(role) && device === undefined;
}
