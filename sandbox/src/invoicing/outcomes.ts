import { isPermitted, isPostalCode, parseRfc } from '@aparta/domain/fiscal';
import { TAX_REGIMES } from '@aparta/domain/sat-tables';
import type { Customer } from '@aparta/provider-wire/factura-green';

/** What becomes of an emission that nothing is wrong with. */
export type Outcome =
  | 'stamped'
  | 'slow'
  | 'late'
  | 'lost'
  | 'malformed'
  | 'withoutIds'
  | 'unsent'
  | 'otherTotal'
  | 'filesLate'
  | 'noPdf'
  | 'emissionDown'
  | 'down'
  | 'stampingDown'
  | 'issuerFault';

/** Postal codes that choose an outcome: buyers type them into their fiscal data. Any other one is stamped at once. */
export const zipOutcomes: readonly { zip: string; outcome: Outcome; label: string }[] = [
  { zip: '99001', outcome: 'slow', label: 'Timbrada, contesta a los 5 s' },
  { zip: '99002', outcome: 'late', label: 'Timbrada, contesta a los 60 s' },
  { zip: '99003', outcome: 'lost', label: 'Timbrada, la respuesta se pierde' },
  { zip: '99004', outcome: 'malformed', label: 'Timbrada, contesta medio JSON' },
  { zip: '99005', outcome: 'withoutIds', label: 'Timbrada, contesta éxito sin uuid' },
  { zip: '99006', outcome: 'otherTotal', label: 'Timbrada con el IVA sumado dos veces' },
  { zip: '99007', outcome: 'filesLate', label: 'Timbrada, cada archivo falla las tres primeras veces' },
  { zip: '99008', outcome: 'noPdf', label: 'Timbrada, el PDF nunca llega' },
  { zip: '99009', outcome: 'unsent', label: 'Timbrada, contesta que no se pudo mandar por correo' },
  { zip: '99011', outcome: 'down', label: 'Sin timbrar: 503 en todo lo de este cliente' },
  { zip: '99012', outcome: 'emissionDown', label: 'Sin timbrar: 503 solo al emitir' },
  { zip: '99013', outcome: 'stampingDown', label: 'Sin timbrar: dice que el timbrado no respondió a tiempo' },
  { zip: '99014', outcome: 'issuerFault', label: 'Rechazada por un dato del comercio' },
];

export const outcomeOf = (zip: string): Outcome =>
  zipOutcomes.find((one) => one.zip === zip)?.outcome ?? 'stamped';

export type Refusal = { code: string; message: string };

/** What a person types to be refused for one field, and mends by typing something else there. */
export const fieldSentinels = [
  { field: 'RFC', value: 'ZZZ010101AA1', label: 'empieza con ZZZ: no está inscrito' },
  {
    field: 'Nombre',
    value: 'OTRO NOMBRE',
    label: 'lo contiene, o termina en S.A. de C.V.: no es el del RFC',
  },
  { field: 'Código postal', value: '99999', label: 'no es el del domicilio fiscal' },
  { field: 'Régimen', value: '610', label: 'no lo tiene ese RFC' },
  { field: 'Uso de CFDI', value: 'G02', label: 'no corresponde al régimen' },
  { field: 'Correo', value: 'ana@rechazado.example', label: 'no lo acepta el proveedor' },
] as const;

/** What SAT finds wrong with a receiver when an invoice is stamped. */
export function refusalOf({ name, taxid, taxregime, invoiceuse, address }: Customer): Refusal | undefined {
  const rfc = parseRfc(taxid);
  if (!rfc.ok || rfc.rfc !== taxid || taxid.startsWith('ZZZ'))
    return { code: 'CFDI40143', message: 'el RFC del receptor no está entre los inscritos' };
  if (
    name !== name.toUpperCase().replace(/\s+/g, ' ').trim() ||
    name.includes('OTRO NOMBRE') ||
    /\bS\.? ?A\.? DE C\.? ?V\.?$/.test(name)
  )
    return { code: 'CFDI40145', message: 'el campo Nombre del receptor no es el registrado para su RFC' };
  if (address.main.zip === '99999')
    return {
      code: 'CFDI40148',
      message: 'el campo DomicilioFiscalReceptor no es el registrado para el nombre y el RFC',
    };
  if (!TAX_REGIMES.some(({ code }) => code === taxregime.k))
    return { code: 'CFDI40157', message: 'el campo RegimenFiscalReceptor no está en su catálogo' };
  if (taxregime.k === '610' || !isPermitted(taxregime.k, 'S01', rfc.personType))
    return { code: 'CFDI40158', message: 'el campo RegimenFiscalReceptor no corresponde al RFC' };
  if (invoiceuse.k === 'G02' || !isPermitted(taxregime.k, invoiceuse.k, rfc.personType))
    return { code: 'CFDI40161', message: 'el campo UsoCFDI no corresponde a la persona y su régimen fiscal' };
  return undefined;
}

/** Why the provider itself will not register a customer. */
export function objectionTo({ name, email, address }: Customer): string | undefined {
  if (name === '') return 'El nombre es obligatorio';
  if (!/^\S+@\S+\.\S+$/.test(email) || email.endsWith('@rechazado.example')) return 'El correo no es válido';
  if (!isPostalCode(address.main.zip)) return 'El código postal no es válido';
  return undefined;
}
