import type { FiscalField } from '../data/fiscal-clients.ts';
import type { FiscalProblem } from './fiscal-check.ts';

/** Texts of the fiscal form. Spec §2's are literal. */
export const fiscalFormCopy = {
  add: 'Registra tus datos fiscales',
  correct: (rfc: string) => `Corrige los datos de ${rfc}`,
  intro: 'Cópialos de tu Constancia de Situación Fiscal: el SAT los compara letra por letra.',
  fresh: 'Registrar otro RFC',

  registry: 'Registro ante el SAT',
  contact: 'Contacto',
  address: 'Domicilio fiscal',

  rfc: 'RFC',
  rfcHint: '13 letras y números si eres persona física, 12 si es empresa.',
  rfcOdd: 'El último carácter no coincide con los demás. Si así está en tu Constancia, sigue.',
  alias: 'Alias',
  aliasHint: 'Opcional. Para reconocerlo en tu lista.',
  personType: 'Tipo de persona',
  personTypes: { fisica: 'Física', moral: 'Moral' },
  name: 'Nombre',
  nameHint: {
    fisica: 'Como en tu Constancia: nombre y apellidos.',
    moral: 'Como en tu Constancia: sin el tipo de sociedad (S.A. de C.V. y otros).',
  },
  shorter: 'El SAT escribe el nombre sin el tipo de sociedad.',
  useShorter: (name: string) => `Usar ${name}`,
  regime: 'Régimen fiscal',
  regimeFirst: 'Escribe primero tu RFC',
  chooseRegime: 'Elige tu régimen',
  use: 'Uso de CFDI',
  useFirst: 'Elige primero tu régimen',
  email: 'Correo',
  emailHint:
    'Va con tus datos fiscales. Las facturas te llegan al correo de tu cuenta, si ya lo confirmaste.',
  phone: 'Teléfono',
  optional: 'Opcional.',
  street: 'Calle',
  suburb: 'Colonia',
  zip: 'Código postal',
  zipHint: 'El de tu domicilio fiscal: 5 números.',

  // Spec §2.
  insert: 'Alta de Facturación',
  inserting: 'Dando de alta…',
  update: 'Actualizar información',
  updating: 'Actualizando…',
  cancel: 'Cancelar',
  notSaved: 'No pudimos guardar tus datos fiscales',
} as const;

const wrong: Record<FiscalField, Partial<Record<FiscalProblem, string>> & { refused: string }> = {
  rfc: {
    empty: 'Escribe tu RFC.',
    tooShort: 'Faltan letras o números: son 13 de una persona física y 12 de una empresa.',
    tooLong: 'Sobran letras o números: son 13 de una persona física y 12 de una empresa.',
    shape: 'Revisa el RFC: van las letras, la fecha con seis números y tres caracteres de homoclave.',
    date: 'Los seis números del RFC no son una fecha. Van año, mes y día.',
    generic: 'Este RFC es para quien no factura a su nombre. Escribe el tuyo.',
    exists: 'Ya tienes este RFC en tu lista. Desde ahí puedes corregirlo.',
    refused: 'El SAT no reconoce este RFC. Cópialo de tu Constancia.',
  },
  name: {
    empty: 'Escribe el nombre como en tu Constancia.',
    refused: 'El SAT tiene otro nombre con este RFC. Cópialo de tu Constancia, sin el tipo de sociedad.',
  },
  regime: {
    empty: 'Elige el régimen de tu Constancia.',
    refused: 'El SAT no tiene este régimen con este RFC. Elige el de tu Constancia.',
  },
  cfdiUse: {
    empty: 'Elige para qué usas la factura.',
    refused: 'El SAT no permite este uso con tu régimen. Elige otro.',
  },
  email: {
    empty: 'Escribe un correo para tus datos fiscales.',
    refused: 'Escribe el correo completo, por ejemplo nombre@correo.mx.',
  },
  zip: {
    empty: 'Escribe el código postal de tu domicilio fiscal.',
    shape: 'El código postal son 5 números.',
    refused: 'El SAT tiene otro código postal con este RFC. Cópialo de tu Constancia.',
  },
  alias: { refused: 'Revisa el alias: es muy largo o tiene un carácter que no podemos guardar.' },
  phone: { refused: 'Revisa el teléfono: es muy largo o tiene un carácter que no podemos guardar.' },
  street: { refused: 'Revisa la calle: es muy larga o tiene un carácter que no podemos guardar.' },
  suburb: { refused: 'Revisa la colonia: es muy larga o tiene un carácter que no podemos guardar.' },
};

/** What is wrong with a field and how to fix it. */
export function wrongWords(field: FiscalField, problem: FiscalProblem): string {
  return wrong[field][problem] ?? wrong[field].refused;
}
