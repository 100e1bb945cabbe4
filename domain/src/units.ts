/** How many units of a product are for sale in a branch. */
export interface BranchUnits {
  readonly branchId: number;
  readonly free: number;
}

/**
 * The branch whose unit a deposit takes: where it is paid if there is one, else where most are left, the oldest branch of equals.
 * Undefined when every branch is sold out.
 */
export function branchToTakeFrom(
  units: readonly BranchUnits[],
  paidIn: number | undefined,
): number | undefined {
  const [best] = units
    .filter(({ free }) => free > 0)
    .toSorted(
      (a, b) =>
        Number(b.branchId === paidIn) - Number(a.branchId === paidIn) ||
        b.free - a.free ||
        a.branchId - b.branchId,
    );
  return best?.branchId;
}
