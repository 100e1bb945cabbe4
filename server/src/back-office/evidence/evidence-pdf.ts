import { formatDate, formatMoment } from '@aparta/domain/calendar';
import { inGroups } from '@aparta/domain/in-groups';
import { formatMoney, subtract } from '@aparta/domain/money';

import type { Strokes } from '../../platform/db/tables.ts';
import { drawn, INK, INNER, MARGIN, openPaper, type Paper, QUIET } from '../../platform/paper.ts';
import { printable } from '../../platform/printed-text.ts';
import type { ClaimRow } from '../../purchases/claims/read-model.ts';
import type { PurchaseStory, TakenAtCounter } from '../counter/purchase.read-model.ts';
import type { PurchaseReceipt } from '../operations/purchases.read-model.ts';
import { EVIDENCE_COPY as copy, EMAIL_WORDS } from './copy.ts';
import type { AgreedTerms, CardResult, GivenConsent, HandedOver } from './evidence.read-model.ts';

export interface Evidence {
  readonly terms: AgreedTerms;
  readonly consents: readonly GivenConsent[];
  readonly story: PurchaseStory;
  readonly cardResults: readonly CardResult[];
  readonly claims: readonly ClaimRow[];
  readonly handedOver: HandedOver | undefined;
}

/** What a signature is drawn into, in points of the page. */
const SIGNATURE_WIDTH = 180;

/**
 * All that proves what was agreed, paid and handed over, on paper: for a dispute of a card or for PROFECO. Text that can be searched,
 * tagged so that it is read aloud in order.
 */
export async function evidencePdf(evidence: Evidence, productName: string): Promise<Buffer> {
  const { terms, story } = evidence;
  const title = copy.title(story.purchase.id);
  const paper = await openPaper({ title, author: productName, createdAt: terms.now });
  const { pdf, root, line, finish } = paper;
  const said = { width: INNER, structParent: root };
  pdf.font('Helvetica-Bold').fontSize(10).fillColor(QUIET);
  pdf.text(printable(productName), MARGIN, MARGIN, { ...said, structType: 'P' });
  pdf.fontSize(18).fillColor(INK);
  pdf.text(title, { ...said, structType: 'H1' });
  pdf.moveDown(0.4);
  line(copy.drawnAt, formatMoment(terms.now));
  parties(paper, terms);
  agreed(paper, terms);
  changes(paper, story);
  consents(paper, evidence.consents);
  payments(paper, evidence);
  refunds(paper, story);
  emails(paper, story);
  for (const each of evidence.claims) claim(paper, each);
  handOver(paper, evidence.handedOver);
  return finish();
}

function heading({ pdf, root, rule }: Paper, title: string): void {
  rule();
  // A title alone at the end of a page belongs to the next.
  if (pdf.y > pdf.page.height - 3 * MARGIN) pdf.addPage();
  pdf.font('Helvetica-Bold').fontSize(11).fillColor(INK);
  pdf.text(title, MARGIN, pdf.y, { width: INNER, structParent: root, structType: 'H2' });
  pdf.moveDown(0.4);
}

function parties(paper: Paper, terms: AgreedTerms): void {
  heading(paper, copy.parties);
  const { businessName, tradeName } = terms;
  paper.line(copy.merchant, businessName === tradeName ? tradeName : `${tradeName} (${businessName})`);
  paper.line(copy.rfc, terms.rfc);
  paper.line(copy.address, terms.address);
  paper.line(copy.buyer, terms.buyerName);
  paper.line(copy.email, terms.buyerEmail);
  paper.line(copy.product, terms.productName);
}

function agreed(paper: Paper, terms: AgreedTerms): void {
  heading(paper, copy.agreed);
  const { line } = paper;
  line(copy.reference, terms.reference);
  line(copy.agreedAt, formatMoment(terms.agreedAt));
  line(copy.price, formatMoney(terms.priceCentavos), true);
  line(copy.deposit, formatMoney(terms.depositCentavos));
  line(copy.plan, copy.every(terms.frequencyDays, terms.planDurationDays));
  for (const { number, dueOn, amountCentavos } of terms.schedule)
    line(copy.instalment(number, formatDate(dueOn)), formatMoney(amountCentavos));
  if (terms.feeCentavos > 0) {
    const methods = terms.feeMethods.map((method) => copy.methods[method]).join(', ');
    line(copy.fee, copy.feePer(formatMoney(terms.feeCentavos), methods));
  }
  line(
    copy.penalty,
    copy.penaltyFrom(formatMoney(terms.penaltyCentavos), formatMoment(terms.penaltyFreeUntil)),
  );
  if (terms.endDaysLate !== null) line(copy.endsLate, copy.endsAfter(terms.endDaysLate));
  line(copy.delivery, copy.deliveryIn(terms.deliveryDays));
}

/** The plan above is as it is now. */
function changes(paper: Paper, { purchase }: PurchaseStory): void {
  if (purchase.changes.length === 0) return;
  heading(paper, copy.changes);
  for (const { number, changedAt, fromDay, toDay, amountCentavos, firstCentavos } of purchase.changes) {
    const [whole, from, to] = [formatMoney(amountCentavos), formatDate(fromDay), formatDate(toDay)];
    const said =
      firstCentavos === null
        ? copy.moved(whole, from, to)
        : copy.split(
            whole,
            from,
            formatMoney(firstCentavos),
            formatMoney(subtract(amountCentavos, firstCentavos)),
            to,
          );
    entry(paper, copy.movedAt(number, formatMoment(new Date(changedAt))), [said]);
  }
}

function consents(paper: Paper, given: readonly GivenConsent[]): void {
  heading(paper, copy.consents);
  if (given.length === 0) paper.line(copy.consents, copy.none);
  for (const { kind, version, sha256, givenAt, sourceAddress } of given) {
    const lines = [
      copy.consentGiven(version, formatMoment(givenAt)),
      sourceAddress && copy.from(sourceAddress),
      copy.sha256(sha256),
    ];
    entry(paper, copy.consent[kind], lines);
  }
}

function payments(paper: Paper, { story, cardResults }: Evidence): void {
  heading(paper, copy.payments);
  if (story.receipts.length === 0) paper.line(copy.payments, copy.none);
  for (const receipt of story.receipts) {
    const result = cardResults.find(({ providerId }) => providerId === receipt.providerId);
    const taken = story.takenAtCounter.find(({ folio }) => folio === receipt.folio);
    entry(paper, copy.payment(inGroups(receipt.folio)), paymentLines(receipt, result, taken));
  }
}

function paymentLines(
  receipt: PurchaseReceipt,
  result: CardResult | undefined,
  taken: TakenAtCounter | undefined,
): string[] {
  const { amountCentavos, withdrawnCentavos, providerId, providerReceipt } = receipt;
  const lines = [
    `${formatMoney(amountCentavos)}, ${copy.channels[receipt.channel]}, ${formatMoment(receipt.paidAt)}`,
    `${copy.authorisation}: ${copy.providerId(providerId, providerReceipt)}`,
  ];
  if (withdrawnCentavos > 0) lines.push(copy.withdrawn(formatMoney(withdrawnCentavos)));
  else if (receipt.instalments.length === 0) lines.push(copy.notApplied);
  if (taken) lines.push(copy.attendedBy(taken.takenBy, taken.branch));
  if (result?.detailCode) lines.push(copy.detail(result.detailCode));
  if (result) {
    const { askedAt, answeredAt } = result;
    lines.push(
      askedAt && answeredAt ? copy.threeDs(formatMoment(askedAt), formatMoment(answeredAt)) : copy.without3ds,
    );
  }
  return lines;
}

function refunds(paper: Paper, { purchase, refunds: given }: PurchaseStory): void {
  if (purchase.cancelledAt === null && given.length === 0) return;
  heading(paper, purchase.cancelledAt === null ? copy.refunds : copy.ended);
  if (purchase.cancelledAt !== null) {
    paper.line(copy.cancelledAt, formatMoment(purchase.cancelledAt));
    paper.line(copy.reason, purchase.cancelNotes);
  }
  for (const refund of given) {
    const how = `${formatMoney(refund.amountCentavos)} ${copy.refundMethods[refund.method](refund.last4)}`;
    const done = refund.doneAt === null ? copy.refundOpen : copy.refundDone(formatMoment(refund.doneAt));
    entry(paper, copy.refund(inGroups(refund.folio)), [how, done, refund.providerId]);
  }
}

function emails(paper: Paper, story: PurchaseStory): void {
  heading(paper, copy.emails);
  if (story.emails.length === 0) paper.line(copy.emails, copy.none);
  for (const { topic, at, state } of story.emails)
    entry(paper, EMAIL_WORDS[topic] ?? topic, [`${formatMoment(at)}, ${copy.emailState[state]}`]);
}

function claim(paper: Paper, given: ClaimRow): void {
  const { answer, answeredAt, endedAt } = given;
  heading(paper, copy.claim(inGroups(given.folio)));
  paper.line(copy.claimOpened, formatMoment(given.openedAt));
  if (given.notes !== '') paper.line(copy.claimWrote, given.notes);
  if (answer !== null && answeredAt !== null)
    paper.line(copy.claimAnswer, `${formatMoment(answeredAt)}: ${answer}`);
  const state = copy.claimStates[given.state];
  paper.line(copy.claimEnded, endedAt === null ? state : `${state}, ${formatMoment(endedAt)}`);
}

function handOver(paper: Paper, given: HandedOver | undefined): void {
  heading(paper, copy.handOver);
  if (given === undefined) {
    paper.line(copy.handOver, copy.notHanded);
    return;
  }
  paper.line(copy.handedAt, formatMoment(given.at), true);
  paper.line(copy.handedBy, given.handedBy);
  paper.line(copy.branch, given.branch);
  paper.line(copy.collector, given.collectorName ?? copy.buyerThemself);
  entry(paper, copy.codeHash, [given.codeHash]);
  if (given.signature !== null) sign(paper, given.signature);
}

/** The strokes as they were drawn: they are a picture, which the label names. */
function sign(paper: Paper, strokes: Strokes): void {
  const { pdf } = paper;
  const points = strokes.flat();
  const widest = Math.max(1, ...points.filter((_, at) => at % 2 === 0));
  const tallest = Math.max(1, ...points.filter((_, at) => at % 2 === 1));
  const scale = SIGNATURE_WIDTH / Math.max(widest, tallest);
  if (pdf.y + tallest * scale > pdf.page.height - MARGIN) pdf.addPage();
  paper.line(copy.signature, ' ');
  const top = pdf.y;
  drawn(pdf, () => {
    pdf.lineWidth(1).strokeColor(INK);
    for (const stroke of strokes)
      for (let at = 0; at + 1 < stroke.length; at += 2) {
        const [x, y] = [MARGIN + (stroke[at] ?? 0) * scale, top + (stroke[at + 1] ?? 0) * scale];
        if (at === 0) pdf.moveTo(x, y);
        else pdf.lineTo(x, y);
        if (at + 3 >= stroke.length) pdf.stroke();
      }
  });
  pdf.y = top + tallest * scale + 6;
}

/** A label with several lines. */
function entry({ line }: Paper, label: string, lines: readonly string[]): void {
  for (const [at, each] of lines.filter((text) => text !== '').entries()) line(at === 0 ? label : ' ', each);
}
