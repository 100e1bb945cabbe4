import { centavos, type Centavos } from '@aparta/domain/money';

export interface DemoProduct {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly priceCentavos: Centavos;
}

export interface DemoMerchant {
  readonly company: (typeof COMPANIES)[number]['name'];
  /** How many pairs of keys the sandbox's demo merchants have before this one's; undefined: takes no cards. */
  readonly keys: number | undefined;
  readonly businessName: string;
  readonly tradeName: string;
  readonly rfc: string;
  readonly contact: string;
  readonly phone: string;
  readonly email: string;
  readonly address: string;
  readonly depositBasisPoints: number;
  readonly frequencyDays: number;
  readonly planDurationDays: number;
  readonly penaltyCentavos: Centavos;
  readonly products: readonly DemoProduct[];
}

const pesos = (amount: number) => centavos(Math.round(amount * 100));

/** A logo is drawn in the `.svg` beside it; buyers get the JPEG, since an SVG may carry script. */
export const COMPANIES = [
  { name: 'Grupo Del Valle', phone: '2225550100', logo: 'grupo-del-valle.jpg' },
  { name: 'Electrónica Zavaleta', phone: '2225550200', logo: 'electronica-zavaleta.jpg' },
] as const;

/** In the order of their ids. The first product of the first merchant is the one that is printed, tried and tested. */
export const MERCHANTS: readonly DemoMerchant[] = [
  {
    company: 'Grupo Del Valle',
    keys: 0,
    businessName: 'Línea Blanca Del Valle, S.A. de C.V.',
    tradeName: 'Línea Blanca Del Valle',
    rfc: 'LBV150312AB1',
    contact: 'Rosa Méndez Ortega',
    phone: '2225550101',
    email: 'lineablanca@delvalle.example',
    address: 'Av. Juárez 1204, Centro, 72000 Puebla, Pue.',
    depositBasisPoints: 2_000,
    frequencyDays: 30,
    planDurationDays: 60,
    penaltyCentavos: pesos(200),
    products: [
      product('LB-MIC-14', 'Horno de microondas 1.4 pies', 'Acero inoxidable, 10 niveles', 3_000),
      product('LB-REF-14', 'Refrigerador 14 pies', 'Dos puertas, con despachador de agua', 8_499),
      product('LB-LAV-18', 'Lavadora automática 18 kg', 'Carga superior, 12 ciclos', 9_499),
      product('LB-EST-06', 'Estufa de 6 quemadores', 'Con horno y comal, encendido eléctrico', 7_290),
      product('LB-LIC-10', 'Licuadora de 10 velocidades', 'Vaso de vidrio de 1.5 litros', 1_149.5),
    ],
  },
  {
    company: 'Electrónica Zavaleta',
    keys: 1,
    businessName: 'Electrónica Zavaleta, S.A. de C.V.',
    tradeName: 'Electrónica Zavaleta',
    rfc: 'EZA080917QX4',
    contact: 'Iván Zavaleta Luna',
    phone: '2225550201',
    email: 'ventas@zavaleta.example',
    address: 'Blvd. Atlixcáyotl 4931, Angelópolis, 72197 Puebla, Pue.',
    depositBasisPoints: 2_000,
    frequencyDays: 15,
    planDurationDays: 60,
    penaltyCentavos: pesos(300),
    products: [
      product('EZ-PAN-55', 'Pantalla 55 pulgadas 4K', 'Con tres entradas HDMI y control por voz', 9_999),
      product('EZ-LAP-14', 'Laptop 14 pulgadas', '16 GB de memoria, 512 GB de disco', 12_499),
      product('EZ-TEL-12', 'Teléfono 128 GB', 'Desbloqueado, dos tarjetas SIM', 4_799.9),
      product('EZ-BAR-21', 'Barra de sonido 2.1', 'Con subwoofer inalámbrico', 2_349),
      product('EZ-AUD-01', 'Audífonos inalámbricos', 'Estuche de carga para 24 horas', 1_299),
    ],
  },
  {
    company: 'Grupo Del Valle',
    keys: undefined,
    businessName: 'Muebles Del Valle, S.A. de C.V.',
    tradeName: 'Muebles Del Valle',
    rfc: 'MDV190604KT7',
    contact: 'Teresa Robles Vega',
    phone: '2225550102',
    email: 'muebles@delvalle.example',
    address: 'Calle 5 de Mayo 318, San Pedro, 72760 Cholula, Pue.',
    depositBasisPoints: 1_000,
    frequencyDays: 7,
    planDurationDays: 84,
    penaltyCentavos: pesos(500),
    products: [
      product('MV-SAL-03', 'Sala esquinera gris', 'Para cinco personas, tela lavable', 14_999),
      product('MV-COM-06', 'Comedor de 6 sillas', 'Mesa de parota de 1.80 m', 11_490),
      product('MV-COL-MA', 'Colchón matrimonial', 'Resortes individuales, 25 cm de alto', 5_999.99),
      product('MV-ROP-03', 'Ropero de 3 puertas', 'Con espejo y dos cajones', 6_350),
    ],
  },
];

function product(sku: string, name: string, description: string, price: number): DemoProduct {
  return { sku, name, description, priceCentavos: pesos(price) };
}
