import { pesosFromCentavos } from '@aparta/contract/amount';
import type { HelpLink } from '@aparta/contract/help';
import { sum } from '@aparta/domain/money';

import type { KeyRing } from '../../platform/secrets.ts';
import { helpCode } from './help-code.ts';
import type { HelpLinkRow } from './read-model.ts';

/** A link as its buyer sees it; whom nobody can pay by carries no code. */
export function presentHelpLink(keyRing: KeyRing, link: HelpLinkRow): HelpLink {
  return {
    linkId: link.id,
    helpCode: link.isLive ? helpCode(keyRing, link.id) : null,
    helpMessage: link.message,
    goal: link.goalCentavos === null ? null : pesosFromCentavos(link.goalCentavos),
    helpState: link.state === 'live' && !link.isLive ? 'expired' : link.state,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    helped: pesosFromCentavos(sum(link.helps.map(({ amountCentavos }) => amountCentavos))),
    helps: link.helps.map(({ name, amountCentavos, paidAt }) => ({
      helperName: name,
      amount: pesosFromCentavos(amountCentavos),
      paidAt: new Date(paidAt).toISOString(),
    })),
  };
}
