import type { Command } from './command.ts';
import { alertCommands } from './commands/alerts.ts';
import { auditCommands } from './commands/audit.ts';
import { bookCommands } from './commands/books.ts';
import { buyerCommands } from './commands/buyers.ts';
import { cashCommands } from './commands/cash.ts';
import { claimCommands } from './commands/claims.ts';
import { companyCommands } from './commands/company.ts';
import { helpCommands } from './commands/help.ts';
import { invoiceCommands } from './commands/invoices.ts';
import { keyCommands } from './commands/key.ts';
import { labelCommands } from './commands/labels.ts';
import { legalCommands } from './commands/legal.ts';
import { emailCommands } from './commands/emails.ts';
import { integratorCommands, tillCommands } from './commands/service-accounts.ts';
import { merchantCommands } from './commands/merchant.ts';
import { paymentCommands } from './commands/payments.ts';
import { productCommands } from './commands/product.ts';
import { purchaseCommands } from './commands/purchases.ts';
import { reconcileCommands } from './commands/reconcile.ts';
import { refundCommands } from './commands/refunds.ts';
import { settlementCommands } from './commands/settlement.ts';
import { branchCommands, staffCommands } from './commands/staff.ts';
import { unitCommands } from './commands/units.ts';
import { statusCommands } from './commands/status.ts';

/** Every command, in the order in which help lists them. */
export const COMMANDS: readonly Command[] = [
  ...statusCommands,
  ...companyCommands,
  ...merchantCommands,
  ...keyCommands,
  ...productCommands,
  ...unitCommands,
  ...branchCommands,
  ...staffCommands,
  ...tillCommands,
  ...integratorCommands,
  ...legalCommands,
  ...purchaseCommands,
  ...claimCommands,
  ...paymentCommands,
  ...refundCommands,
  ...cashCommands,
  ...invoiceCommands,
  ...emailCommands,
  ...alertCommands,
  ...reconcileCommands,
  ...settlementCommands,
  ...bookCommands,
  ...labelCommands,
  ...buyerCommands,
  ...helpCommands,
  ...auditCommands,
];
