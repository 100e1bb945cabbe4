import { centavos, type Centavos } from '@aparta/domain/money';
import { DEMO_SERVICE_ACCOUNTS } from '@aparta/server/back-office/readiness/demo-left.read-model';
import type { MerchantEntry } from '@aparta/server/catalogue/merchants/save-merchant';

export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly priceCentavos: Centavos;
}

/** What an operator would say of it; the rest is as the demo sets it for all. */
export interface DemoMerchant extends Omit<
  MerchantEntry,
  'companyId' | 'serviceFee' | 'invoicingBusinessUuid' | 'tillCollectedBy' | 'cashCollectedBy'
> {
  readonly company: (typeof COMPANIES)[number]['name'];
  /** One of the pairs that every sandbox knows from the start; without one, no cards are taken. */
  readonly cardKeys?: { readonly publicKey: string; readonly secret: string };
  /** One of the businesses that every sandbox knows; without one, nothing is invoiced. */
  readonly invoicingBusinessUuid?: string;
  readonly products: readonly DemoProduct[];
}

/** What each sale is invoiced as: every sandbox knows it, with 16 % of IVA. */
export const INVOICING_PRODUCT_UUID = 'e0000000-0000-4000-8000-000000001600';

/** Both sign in by calls of their own. */
const [TILL_SECRETS, INTEGRATOR_SECRETS] = DEMO_SERVICE_ACCOUNTS;
export const TILL = { ...TILL_SECRETS, chain: 'CAJA-DEMO', branch: '1' };
export const INTEGRATOR = INTEGRATOR_SECRETS;

/** A logo is drawn in the `.svg` beside it; buyers get the JPEG, since an SVG may carry script. */
export const COMPANIES = [
  { name: 'Grupo Del Valle', phone: '2225550100', logo: 'grupo-del-valle.jpg' },
  { name: 'Electrónica Zavaleta', phone: '2225550200', logo: 'electronica-zavaleta.jpg' },
] as const;

/** In the order of their ids. The first product of the first merchant is the one that is printed, tried and tested. */
export const MERCHANTS: readonly DemoMerchant[] = [
  {
    company: 'Grupo Del Valle',
    cardKeys: { publicKey: 'a0000000-0000-4000-8000-000000000001', secret: 'demo-secret-1' },
    invoicingBusinessUuid: 'd0000000-0000-4000-8000-000000000001',
    businessName: 'Línea Blanca Del Valle, S.A. de C.V.',
    tradeName: 'Línea Blanca Del Valle',
    rfc: 'LBV150312AB1',
    contact: 'Rosa Méndez Ortega',
    phone: '2225550101',
    email: 'lineablanca@delvalle.example',
    address: 'Av. Juárez 1204, Centro, 72000 Puebla, Pue.',
    hours: 'lunes a sábado, 10:00 a 20:00 h',
    depositBasisPoints: 2_000,
    frequencyDays: 30,
    planDurationDays: 60,
    penaltyCentavos: centavos(20_000),
    invoiceCutOffDays: 31,
    holdsReferences: false,
    wantsSignature: false,
    deliveryDays: 15,
    endDaysLate: null,
    movesAllowed: 2,
    moveDays: 15,
    products: [
      product('LB-MIC-14', 'Horno de microondas 1.4 pies', 'Acero inoxidable, 10 niveles', 300_000),
      product('LB-REF-14', 'Refrigerador 14 pies', 'Dos puertas, con despachador de agua', 849_900),
      product('LB-LAV-18', 'Lavadora automática 18 kg', 'Carga superior, 12 ciclos', 949_900),
      product('LB-EST-06', 'Estufa de 6 quemadores', 'Con horno y comal, encendido eléctrico', 729_000),
      product('LB-LIC-10', 'Licuadora de 10 velocidades', 'Vaso de vidrio de 1.5 litros', 114_950),
    ],
  },
  {
    company: 'Electrónica Zavaleta',
    cardKeys: { publicKey: 'a0000000-0000-4000-8000-000000000002', secret: 'demo-secret-2' },
    invoicingBusinessUuid: 'd0000000-0000-4000-8000-000000000002',
    businessName: 'Electrónica Zavaleta, S.A. de C.V.',
    tradeName: 'Electrónica Zavaleta',
    rfc: 'EZA080917QX4',
    contact: 'Iván Zavaleta Luna',
    phone: '2225550201',
    email: 'ventas@zavaleta.example',
    address: 'Blvd. Atlixcáyotl 4931, Angelópolis, 72197 Puebla, Pue.',
    hours: 'lunes a sábado, 10:00 a 20:00 h',
    depositBasisPoints: 2_000,
    frequencyDays: 15,
    planDurationDays: 60,
    penaltyCentavos: centavos(30_000),
    invoiceCutOffDays: null,
    holdsReferences: false,
    wantsSignature: false,
    deliveryDays: 15,
    endDaysLate: null,
    movesAllowed: 0,
    moveDays: 15,
    products: [
      product('EZ-PAN-55', 'Pantalla 55 pulgadas 4K', 'Con tres entradas HDMI y control por voz', 999_900),
      product('EZ-LAP-14', 'Laptop 14 pulgadas', '16 GB de memoria, 512 GB de disco', 1_249_900),
      product('EZ-TEL-12', 'Teléfono 128 GB', 'Desbloqueado, dos tarjetas SIM', 479_990),
      product('EZ-BAR-21', 'Barra de sonido 2.1', 'Con subwoofer inalámbrico', 234_900),
      product('EZ-AUD-01', 'Audífonos inalámbricos', 'Estuche de carga para 24 horas', 129_900),
    ],
  },
  {
    company: 'Grupo Del Valle',
    businessName: 'Muebles Del Valle, S.A. de C.V.',
    tradeName: 'Muebles Del Valle',
    rfc: 'MDV190604KT7',
    contact: 'Teresa Robles Vega',
    phone: '2225550102',
    email: 'muebles@delvalle.example',
    address: 'Calle 5 de Mayo 318, San Pedro, 72760 Cholula, Pue.',
    hours: 'lunes a sábado, 10:00 a 20:00 h',
    depositBasisPoints: 1_000,
    frequencyDays: 7,
    planDurationDays: 84,
    penaltyCentavos: centavos(50_000),
    invoiceCutOffDays: null,
    holdsReferences: false,
    wantsSignature: false,
    deliveryDays: 15,
    endDaysLate: null,
    movesAllowed: 3,
    moveDays: 6,
    products: [
      product('MV-SAL-03', 'Sala esquinera gris', 'Para cinco personas, tela lavable', 1_499_900),
      product('MV-COM-06', 'Comedor de 6 sillas', 'Mesa de parota de 1.80 m', 1_149_000),
      product('MV-COL-MA', 'Colchón matrimonial', 'Resortes individuales, 25 cm de alto', 599_999),
      product('MV-ROP-03', 'Ropero de 3 puertas', 'Con espejo y dos cajones', 635_000),
    ],
  },
];

function product(sku: string, name: string, description: string, price: number): DemoProduct {
  return { sku, name, description, priceCentavos: centavos(price) };
}
