import { pesosFromCentavos } from '@aparta/contract/amount';
import type { getShopRules } from '@aparta/contract/counter-rules';
import type { ReplyData } from '@aparta/contract/endpoint';
import type * as contract from '@aparta/contract/merchants';
import { instalmentsOf } from '@aparta/domain/plan';
import { feeFor } from '@aparta/domain/service-fee';

import { presentPictures } from '../present.ts';
import type { CompanyRow } from './store.ts';
import type { MerchantRow, OnSale, StoredMerchant } from './read-model.ts';

/** A merchant on the wire. The card frame's key goes only to its own customers (rules/accounts#card-keys). */
export function presentMerchant(row: MerchantRow): ReplyData<typeof contract.getMerchant> {
  const policy = { amountCentavos: row.service_fee_centavos, methods: row.service_fee_methods };
  return {
    id: row.id,
    businessName: row.business_name,
    tradeName: row.trade_name,
    rFC: row.rfc,
    tblBusinessTypeId: row.business_type_id,
    contact: row.contact,
    phone: row.phone,
    email: row.email,
    tblPasarelaPagoId: row.payment_gateway_id,
    percentDeposit: row.deposit_basis_points / 100,
    fracuencyPay: row.frequency_days,
    planPaymentDuration: row.plan_duration_days,
    ammountoCancel: pesosFromCentavos(row.penalty_centavos),
    companyId: row.company_id,
    externalReferenceAntad: row.external_reference_antad,
    ssoId: row.sso_id,
    clipApiKey: row.is_customer ? (row.card_key ?? '') : '',
    fGebusinessuuid: row.invoicing_business_uuid,
    acceptsCards: row.card_key !== null,
    address: row.address,
    hours: row.hours,
    cardFee: pesosFromCentavos(feeFor(policy, 'card')),
    tillFee: pesosFromCentavos(feeFor(policy, 'till')),
    deliveryDays: row.delivery_promise_days,
    endDaysLate: row.end_days_late,
  };
}

/** A merchant's rules for its own staff, whatever price they are applied to. */
export function presentRules({
  deposit_basis_points: basisPoints,
  ...row
}: StoredMerchant): ReplyData<typeof getShopRules> {
  const policy = { amountCentavos: row.service_fee_centavos, methods: row.service_fee_methods };
  return {
    depositPercent: basisPoints / 100,
    everyDays: row.frequency_days,
    payments: instalmentsOf({ frequencyDays: row.frequency_days, durationDays: row.plan_duration_days }),
    penalty: pesosFromCentavos(row.penalty_centavos),
    deliveryDays: row.delivery_promise_days,
    endDaysLate: row.end_days_late,
    movesAllowed: row.moves_allowed,
    moveDays: row.move_days,
    acceptsCards: row.card_key !== null,
    cardFee: pesosFromCentavos(feeFor(policy, 'card')),
    tillFee: pesosFromCentavos(feeFor(policy, 'till')),
    cashFee: pesosFromCentavos(feeFor(policy, 'cash')),
  };
}

export function presentProduct(row: OnSale): ReplyData<typeof contract.getProduct> {
  return {
    id: row.id,
    businessId: row.merchant_id,
    name: row.name,
    description: row.description,
    sku: row.sku,
    salePrice: pesosFromCentavos(row.sale_price_centavos),
    fGeproductuuid: row.invoicing_product_uuid,
    pictures: presentPictures(row.id, row.picture),
    soldOut: row.isSoldOut,
  };
}

export function presentCompany(row: CompanyRow): ReplyData<typeof contract.getCompany> {
  return {
    id: row.id,
    name: row.name,
    phone: row.phone,
    externalRefAntad: row.external_ref_antad,
    logofileName: row.has_logo ? row.logo_file_name : '',
  };
}
