import { recordStaffAct } from '../../accounts/staff/store.ts';
import type { Db } from '../../platform/db/db.ts';
import { transaction } from '../../platform/db/transaction.ts';
import type { Staff } from '../../platform/principal.ts';
import { Refusal } from '../../platform/refusal.ts';
import { listClaims } from '../../purchases/claims/read-model.ts';
import { findPurchaseStory } from '../counter/purchase.read-model.ts';
import { evidencePdf } from './evidence-pdf.ts';
import { findHandedOver, findTerms, listCardResults, listConsents } from './evidence.read-model.ts';

/** A file of the evidence of a purchase. */
export interface EvidenceFile {
  readonly fileName: string;
  readonly pdf: Buffer;
}

/** The evidence of a purchase (rules/goods#evidence), of one merchant's alone where it is named. Undefined for any other. */
export async function printEvidence(
  { db, productName }: { readonly db: Db; readonly productName: string },
  { purchaseId, merchantId }: { readonly purchaseId: number; readonly merchantId: number | undefined },
): Promise<EvidenceFile | undefined> {
  const terms = await findTerms(db, { purchaseId, merchantId });
  const story = terms && (await findPurchaseStory(db, terms.merchantId, purchaseId));
  if (terms === undefined || story === undefined) return undefined;
  const [consents, cardResults, claims, handedOver] = await Promise.all([
    listConsents(db, purchaseId),
    listCardResults(db, purchaseId),
    listClaims(db, purchaseId),
    findHandedOver(db, purchaseId),
  ]);
  const pdf = await evidencePdf({ terms, consents, story, cardResults, claims, handedOver }, productName);
  return { fileName: `constancia-${purchaseId}.pdf`, pdf };
}

/** The evidence of a purchase of the caller's merchant, which the audit remembers. Refuses NOT_FOUND, for another merchant's too. */
export async function printEvidenceForStaff(
  deps: { readonly db: Db; readonly productName: string },
  caller: Staff,
  purchaseId: number,
): Promise<EvidenceFile> {
  const file = await printEvidence(deps, { purchaseId, merchantId: caller.merchantId });
  if (file === undefined) throw new Refusal('NOT_FOUND');
  await transaction(deps.db, (tx) =>
    recordStaffAct(tx, { by: caller, act: 'save_evidence', subject: String(purchaseId) }),
  );
  return file;
}
