import { centavos, formatMoney } from '@aparta/domain/money';
import { describePlan, type PlanProblem, type PlanTerms } from '@aparta/domain/plan';
import type { FeePolicy, PaymentMethod } from '@aparta/domain/service-fee';
import type { MerchantEntry } from '@aparta/server/catalogue/merchants/save-merchant';
import { RefusedRows } from '@aparta/server/catalogue/merchants/import-products';
import type { RowProblem, RowReason } from '@aparta/server/catalogue/merchants/read-product-file';
import { Refusal } from '@aparta/server/platform/refusal';
import { RefusedChange, type ChangeRefusal } from '@aparta/server/platform/refused-change';
import type { FileProblem } from '@aparta/server/platform/file-rows';
import { money } from './print.ts';
import { DETAIL, inWords, STATES } from './state-words.ts';
import { UnreadableTable } from './unreadable-table.ts';

/** Texts of the command line itself. */
export const SAYS = {
  usage: 'Uso: npm run admin -- <comando> [opciones]',
  epilogue:
    'Termina con 0 si lo hizo, 1 si no se puede o la respuesta es mala, 2 si no entendió lo escrito, 3 si no hay base de datos o ajustes.',
  help: 'Muestra esta ayuda',
  json: 'Responde con JSON',
  as: 'Quién lo hace, para la bitácora (si no, APARTA_OPERATOR o el usuario del sistema)',
  dryRun: 'Hace todo, lo muestra y lo deshace',
  whichCommand: 'Falta decir qué hacer.',
  plurals: {
    'Missing required argument: %s': { one: 'Falta: %s', other: 'Faltan: %s' },
    'Not enough non-option arguments: got %s, need at least %s': {
      one: 'Faltan argumentos: hay %s, van %s',
      other: 'Faltan argumentos: hay %s, van %s',
    },
    'Not enough arguments following: %s': 'Falta el valor de: %s',
    'Argument: %s, Given: %s, Choices: %s': '%s: no vale %s. Puede ser: %s',
    'Did you mean %s?': '¿Quiso decir %s?',
    'Positionals:': 'Lo que sigue:',
    'Unknown command: %s': { one: 'No hay ese comando: %s', other: 'No hay esos comandos: %s' },
    'Arguments %s and %s are mutually exclusive': '%s y %s no van juntos',
    command: 'comando',
    default: 'si no se dice',
    'default:': 'si no se dice:',
    string: 'texto',
    boolean: 'sí o no',
    'choices:': 'puede ser:',
    deprecated: 'ya no se usa',
    'deprecated: %s': 'ya no se usa: %s',
  },
  seeHelp: 'Agregue --help para ver cómo se usa.',
  rehearsed: 'ENSAYO: nada de esto quedó hecho, y los números nuevos serán otros.',
  badSettings: 'Hay ajustes que faltan o no sirven:',
  noDatabase: 'La base de datos no responde, o no deja escribir:',
  notMigrated: 'La base de datos no está al día: ejecute primero npm run migrate.',
} as const;

export const LEGAL_KINDS = { terms: 'términos y condiciones', privacy: 'aviso de privacidad' } as const;

/** Names of the fields of merchants, companies and products, for lists of changes. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'nombre',
  phone: 'teléfono',
  companyId: 'empresa',
  chain: 'compañia',
  user: 'usuario',
  branch: 'sucursal',
  businessName: 'razón social',
  tradeName: 'nombre comercial',
  rfc: 'RFC',
  contact: 'contacto',
  email: 'correo',
  address: 'dirección',
  hours: 'horario',
  depositBasisPoints: 'apartado',
  frequencyDays: 'frecuencia',
  planDurationDays: 'duración',
  penaltyCentavos: 'penalización',
  serviceFee: 'comisión',
  invoicingBusinessUuid: 'uuid de FacturaGreen',
  tillCollectedBy: 'quién recibe lo de las cajas',
  cashCollectedBy: 'quién recibe lo de las tiendas',
  invoiceCutOffDays: 'plazo para facturar',
  holdsReferences: 'desde cuándo se guarda la pieza',
  wantsSignature: 'firma al recoger',
  deliveryDays: 'plazo para entregar',
  endDaysLate: 'fin por atraso',
  movesAllowed: 'cambios de fecha',
  moveDays: 'días por cambio de fecha',
  description: 'descripción',
  sku: 'sku',
  priceCentavos: 'precio',
  ivaBasisPoints: 'IVA',
  invoicingProductUuid: 'clave en FacturaGreen',
};

/** `cambió precio, IVA`. */
export function changedFields(after: object): string {
  const names = Object.keys(after).map((field) => FIELDS[field] ?? field);
  return `cambió ${names.join(', ')}`;
}

/** What each group of commands is for. */
export const NOUNS: Readonly<Record<string, string>> = {
  company: 'Empresas: grupos de comercios, con su logotipo',
  'company logo': 'El logotipo de una empresa',
  merchant: 'Comercios: sus datos, su plan y su comisión',
  key: 'Claves del proveedor de tarjetas',
  product: 'Productos',
  unit: 'Unidades que las sucursales tienen a la venta',
  hold: 'Unidades guardadas para compradores',
  branch: 'Sucursales de los comercios',
  staff: 'Gente de los comercios: dueños, encargados, cajeros y contadores',
  till: 'Cajas de las cadenas: sus cuentas y claves',
  integrator: 'Sistemas de comercios: sus cuentas y claves',
  legal: 'Términos y aviso de privacidad',
  audit: 'Bitácora: quién cambió qué y cuándo',
  buyer: 'Compradores: sus datos, para dárselos o borrarlos',
  help: 'Quienes ayudaron a pagar con un enlace: borrar sus datos',
  payment: 'Pagos: seguir uno, y lo que espera a una persona',
  cash: 'Efectivo de tiendas que espera a una persona',
  refund: 'Devoluciones que esperan a una persona',
  purchase: 'Compras: su plan, sus pagos y cómo van',
  claim: 'Reclamos de quienes pagaron y no recibieron',
  invoice: 'Facturas: las pedidas, los recibos sin factura y lo que espera a una persona',
  email: 'Correos que no salieron',
  alert: 'Alarmas',
  job: 'Trabajos que se rindieron',
  settlement: 'Cortes: lo cobrado, lo depositado y lo que se debe entre operador y comercio',
  books: 'Los libros: si cuadran y cuánto hay en cada cuenta',
  labels: 'Etiquetas con el código QR de los productos',
};

const PLAN: Readonly<Record<PlanProblem, string>> = {
  'frequency-below-one': 'la frecuencia debe ser de 1 día o más',
  'duration-below-one': 'la duración debe ser de 1 día o más',
  'duration-too-long': 'la duración no puede pasar de diez años',
  'too-many-instalments': 'el plan daría más de 120 pagos',
  'deposit-out-of-range': 'el apartado debe quedar entre cero y el precio, sin ser ninguno de los dos',
  'rest-too-small': 'el resto no da ni un centavo para cada pago',
};

const REFUSED: Readonly<Record<Exclude<ChangeRefusal, `plan_${string}`>, string>> = {
  company_unknown: 'No hay ninguna empresa {id}.',
  merchant_unknown: 'No hay ningún comercio {id}.',
  product_unknown: 'No hay ningún producto {id}.',
  service_account_unknown: 'No hay ninguna cuenta {name}, o está revocada.',
  service_account_name_taken: 'Ya hay una cuenta con el nombre {name}; los de las revocadas no se repiten.',
  service_account_rotating:
    'La clave anterior de {name} todavía sirve. Espere a que termine, o cámbiela sin --until y terminará ahora.',
  branch_unknown: 'No hay ninguna sucursal {id} abierta.',
  branch_name_taken: 'Ese comercio ya tiene abierta una sucursal que se llama {name}.',
  staff_exists: '{email} ya trabaja en ese comercio. Para cambiar su puesto, dé de baja y vuelva a invitar.',
  staff_branches:
    'Un cajero o encargado necesita sucursales abiertas del comercio {id} (--branches); un dueño o contador, ninguna.',
  staff_unknown: '{email} no trabaja en el comercio {id}, ni está invitado.',
  until_is_past: 'Esa fecha ya pasó.',
  nothing_to_change: 'No hay nada que cambiar: ya está así.',
  field_length: '{field}: debe tener de {least} a {most} caracteres.',
  name_is_address:
    '{field}: «{name}» se lee como una dirección de internet, y en los correos sería un enlace. Escríbalo sin ella.',
  units_merchant: 'La sucursal {branch} no es una abierta del comercio de ese producto.',
  hold_unknown: 'Nada está guardado para el número {reference}.',
  hold_needed:
    'Lo que está guardado para {reference} se debe a su comprador: la compra o el apartado sigue. Para terminarla: el dueño, en el mostrador, o claim refund.',
  claim_unknown: 'No hay ningún reclamo {folio}.',
  claim_ended: 'El reclamo {folio} ya terminó.',
  delivery_days: 'El plazo para entregar va de 1 a {most} días.',
  end_days_late: 'El fin por atraso va de {least} a {most} días.',
  moves_allowed: 'Los cambios de fecha van de {least} a {most} por compra.',
  move_days: 'Cada cambio de fecha va de {least} a {most} días.',
  rfc_wrong: 'El RFC no es válido: {rfc}.',
  email_wrong: 'El correo no es válido: {email}.',
  iva_wrong: 'El IVA solo puede ser 0, 8 o 16.',
  sku_taken: 'Otro producto de este comercio ya tiene el sku {sku}; las mayúsculas no cuentan.',
  rows_wrong: 'No se cargó nada. Problemas: {count}.',
  file_too_large: 'El archivo es demasiado grande: lo más es {most}.',
  file_unwritable: 'No se pudo escribir {file}: {code}.',
  file_unreadable:
    'El archivo no se puede leer. Guárdelo como CSV (UTF-8) o como libro de Excel (.xlsx) sin contraseña.',
  logo_not_an_image: 'El archivo no es una imagen JPEG o PNG que se pueda leer.',
  logo_too_large: 'La imagen pesa más de {megabytes} MB.',
  key_missing: 'Falta la clave pública o la secreta, o no tiene la forma de una clave.',
  key_is_a_test: 'Es una clave de prueba: en producción no cobra dinero y no se acepta.',
  key_opens_not:
    'La clave guardada del comercio {id} no se abre: falta en SECRETS_KEY la llave {key}. No se cambió ninguna.',
  invoice_unknown: 'No hay ninguna factura {id}.',
  invoice_state: 'La factura {id} no admite eso: {state}.',
  invoice_folio_taken: 'El folio fiscal {folio} ya es de otra factura: revise cuál copió.',
  reference_unknown: 'Ningún apartado tiene el número {reference}.',
  purchase_unknown: 'No hay ninguna compra {id}.',
  notice_unknown: 'No hay ningún aviso de la operación {id}.',
  notice_already_applied: 'Ese dinero no espera dueño: el aviso está {status}, {outcome}.',
  notice_no_pesos:
    'El aviso no dice una cantidad en pesos: no va a ninguna compra. Pida a la red de tiendas que la devuelva y anótelo con cash returned.',
  email_not_failed: 'El correo {id} no espera a nadie: no existe, ya salió o sigue en camino.',
  alert_unknown: 'No hay ninguna alarma abierta {id}.',
  clue_missing: 'Diga por qué buscar: --by, o --amount con --on.',
  evidence_length: 'La evidencia lleva de 1 a 300 caracteres.',
  invoice_ids_missing: 'Para una factura timbrada hacen falta --provider-uuid y --folio.',
  attempt_unknown: 'No hay ningún intento de pago {id}.',
  attempt_not_held: 'Ese pago no está detenido: {state}.',
  held_not_captured:
    'Solo está autorizado: no hay dinero que aplicar ni que devolver. Se suelta solo a los tres días.',
  held_other_amount: 'El cobro no es la cantidad acordada: no se aplica, solo se devuelve.',
  held_sold_out: 'El producto se agotó: solo se devuelve.',
  held_not_applicable: 'Ya no hay a qué aplicarlo (pagado, cancelado o vencido): solo se devuelve.',
  refund_unknown: 'No hay ninguna devolución {id}.',
  refund_not_blocked: 'Esa devolución no está detenida: {state}.',
  refund_wait_too_long: 'Lo más que calla es medio año: si sigue, dele otra fecha entonces.',
  refund_not_by_card: 'La devolución {id} no es a tarjeta.',
  refund_not_in_cash: 'La devolución {id} no es en efectivo.',
  refund_not_by_terminal:
    'El dinero de la devolución {id} no lo cobró la terminal del comercio, o no lo entregó el comercio: sin --on terminal se anota en efectivo.',
  refund_on_its_way: 'Esa devolución puede ir en camino: {state}. Espere a que se aclare.',
  refund_disputed:
    'Ese pago está en disputa en el banco (AI1804, devolución {id}): con efectivo se pagaría dos veces. Espere: refund wait {id} --until ... --reason "...". Si la disputa se gana: refund retry {id}. Si se pierde: refund external-refund {id} --reason "...".',
  refund_perhaps_returned:
    'Clip pudo haberla hecho, o estar en eso. Búsquela en su panel: si no está devuelta ni en proceso, repita con --seen-unpaid; si está devuelta, anótela: refund external-refund {id} --reason "...".',
  refund_unread:
    'No se sabe cuánto ha devuelto Clip de ese pago: {why}. Búsquelo en su panel: si no está devuelto, repita con --seen-unpaid; si lo está, anótelo: refund external-refund {id} --reason "...".',
  refund_went_back:
    'Clip ya devolvió {gone} de ese pago que no están en los libros: con efectivo se pagarían dos veces. Anótelo: refund external-refund {id} --reason "...".',
  refund_done_already: 'Esa devolución ya no se debe: {state}.',
  refund_taken_back:
    'La red de tiendas quitó ese dinero, o salió del cobro a la tarjeta, y quien pagó puede tenerlo ya: no lo entregue. Anótelo primero: payment waiting dice el comando.',
  refund_not_paid: 'Esa devolución no está entregada: {state}.',
  external_refund_no_money: 'De ese intento no hay dinero cobrado que haya podido salir: {state}.',
  external_refund_held:
    'Ese cobro está detenido: decida primero, con payment apply o payment return, y después repita esto.',
  external_refund_unread: 'Clip no dice cuánto ha devuelto de ese pago, y sin eso no se anota nada: {why}.',
  external_refund_nothing: 'Clip no ha devuelto de ese pago nada que no esté ya en los libros.',
  external_refund_more_than_paid: 'Clip dice que devolvió más de lo que cobró: pregúntele a Clip.',
  external_refund_part_of_purchase:
    'Salieron {gone} de un pago que la compra {purchase} cuenta, y solo se le puede quitar entero. Devuelva el resto en el panel de Clip y repita; o repita con --lost si lo pierde el comercio y la compra lo sigue contando.',
  external_refund_without_place:
    'Salieron {gone}, y {unplaced} no son de ninguna devolución que se deba. Si el comprador regresó el efectivo que ya tenía, anótelo antes con refund bounced; si lo pierde el comercio, repita con --lost.',
  external_refund_of_several:
    'Salieron {gone} de un pago de varias compras ({purchases}), y {unplaced} no son de ninguna devolución que se deba. Termine antes la compra que ya no se entregará, o repita con --lost si lo pierde el comercio y las compras lo siguen contando.',
  external_refund_paid_off:
    'Salieron {gone} de la compra {purchase}, que está liquidada. Si ya se entregó, repita con --lost; si no, con --not-delivered, y sus pagos se abren otra vez.',
  external_refund_invoiced:
    'Lo que pagó ese dinero de la compra {purchase} está facturado: cancele antes la factura (invoice resolve ... --is cancelled).',
  reversal_unknown:
    'De la reversión {id} no hay nada que anotar: o no suena, o su dinero no entró a los libros. Si suena, ciérrela con alert resolve.',
  reversal_invoiced:
    'Lo que pagó ese dinero de la compra {purchase} está facturado: cancele antes la factura (invoice resolve ... --is cancelled).',
  reversal_settled:
    'Ese dinero ya llegó en el depósito {settlement}: cancélelo con settlement void, repita esto, y anote el depósito otra vez.',
  reversal_other_amount:
    'La red dice que quitó otra cantidad que la que entró. Pregúntele a la red, y cierre la alarma con alert resolve.',
  job_unknown:
    'El trabajo {id} no está en la cola: no hay qué repetir. Si suena, cierre su alarma con alert resolve.',
  legal_bad_version: 'La versión se escribe con letras, cifras, puntos y guiones, hasta 40: {version}.',
  legal_empty: 'El archivo está vacío.',
  legal_too_long: 'El texto pasa de 200,000 caracteres.',
  legal_not_plain_text: 'El archivo no es texto en UTF-8, o tiene caracteres de control.',
  legal_blanks_left: 'Quedan espacios por llenar o quitar:\n  {blanks}',
  legal_version_taken: 'La versión {version} ya se publicó con otras palabras: use otra.',
  legal_version_replaced:
    'Otra reemplazó a la versión {version}. Para volver a su texto, publíquelo como una nueva.',
  table_unreadable: '{path} no se puede leer:',
  chain_unknown: 'Ninguna caja es de la cadena {chain}. Las que hay están en till list.',
  day_not_over: 'El día {day} todavía no termina: compárelo mañana.',
  operation_unknown:
    'La red de tiendas no conoce ninguna operación {id}. Revise el número; si así está en su lista, pregúntele a la red.',
  network_silent:
    'La red de tiendas no dijo qué pasó: {why}. Intente más tarde: un trabajo también pregunta.',
  report_days: 'El último día (--to) es antes que el primero (--from).',
  report_future: 'El día {day} no ha llegado: el corte es hasta hoy, a lo más.',
  settlement_unknown: 'No hay ningún depósito ni pago {id}.',
  settlement_zero: 'La cantidad debe ser mayor que cero.',
  settlement_in_future: 'Esa fecha no ha llegado.',
  settlement_chain: 'La cadena (--chain) va con --channel till, y solo con él.',
  settlement_days:
    'Diga qué días paga: --from, y --to si son varios (62 a lo más). Un depósito de tarjeta no lleva días.',
  settlement_card_party: 'Lo de las tarjetas siempre llega al comercio.',
  settlement_nothing_pending:
    'De esos días no falta nada por pagar. Lo que falta está en settlement pending.',
  settlement_of_a_counter:
    'Lo que se cobra en un mostrador es del comercio en ese momento, en su caja o por su terminal: no se anota como depósito.',
  settlement_two_collectors:
    'En esos días una parte la recibe el comercio y otra el operador: diga de quién es este depósito con --paid-to.',
  settlement_beyond_on_its_way:
    'En camino hay {before}, y el depósito con su comisión suma {amount}: {over} de más. Revise la cantidad; si así llegó, repita con --beyond.',
  settlement_beyond_held:
    'El operador tiene del comercio {before}, y el pago es de {amount}: {over} de más. Revise la cantidad; si así se pagó, repita con --beyond.',
  settlement_beyond_owed:
    'El comercio debe al operador {before}, y el pago es de {amount}: {over} de más. Revise la cantidad; si así se pagó, repita con --beyond.',
  settlement_evidence_used: 'Esa evidencia ya está en el movimiento {id}, que dice otra cosa.',
  settlement_no_difference: 'El depósito {id} no tiene ninguna diferencia por explicar.',
  settlement_explains_too_much: 'Es más que la diferencia del depósito {id}.',
  settlement_commission_below:
    'Si llegó de más, la comisión era menor: cancele el depósito con settlement void y anótelo otra vez.',
  settlement_explained: 'La diferencia del movimiento {id} ya se explicó: cancele primero la explicación.',
  settlement_voided: 'El movimiento {id} ya está cancelado.',
  buyer_unknown: 'No hay nadie con {id}.',
  buyer_tied: '{open}',
  helper_unknown: 'Nadie ha ayudado con el correo {email}.',
  helper_tied:
    'Esa persona tiene pagos en camino o dinero por devolverle. Primero deben terminar: {payments}.',
  erasures_file_missing:
    'Falta ERASURES_FILE: sin la lista de quienes se borraron, un respaldo los traería de vuelta. No se borró a nadie.',
  erasures_unreadable: 'La lista {file} no se puede leer (línea {line}). No se borró a nadie.',
  labels_none: 'No hay nada que imprimir.',
  labels_skip: 'Los lugares usados van de 0 a {most}.',
};

/** Why a row of a product file is refused; `found` is what the cell holds. */
const ROW: Readonly<Record<Exclude<RowReason, `plan_${string}`>, (found: string) => string>> = {
  column_missing: (found) => `falta la columna ${found}`,
  column_unknown: (found) =>
    found === '' ? 'hay una columna sin título' : `no se conoce la columna «${found}»`,
  column_twice: (found) => `la columna ${found} está dos veces`,
  empty: () => 'está vacío',
  too_long: (found) => `es demasiado largo: «${found}»`,
  too_many_cells: (found) => `sobra una celda: «${found}» (¿falta ponerla entre comillas?)`,
  not_an_amount: (found) => `no es un precio: «${found}» (se escribe 3000, 3000.50 o 3,000.50)`,
  more_than_two_decimals: (found) => `tiene más de dos decimales: «${found}»`,
  zero: () => 'el precio debe ser mayor que cero',
  not_a_rate: (found) => `el IVA solo puede ser 0, 8 o 16: «${found}»`,
  cell_date: (found) => `es una fecha, ${found}: dé a la celda el formato Texto y escríbala otra vez`,
  cell_yes_no: (found) => `es ${found}: escriba un texto o un número`,
  cell_error: (found) => `es el error ${found} de una fórmula: corríjala`,
  cell_formula: (found) =>
    `es una fórmula sin resultado, ${found}: abra el libro, deje que calcule y guárdelo`,
  sku_twice: (found) => `es el mismo sku que en la línea ${found} (las mayúsculas no cuentan)`,
  quote_not_closed: () => 'hay unas comillas que no se cierran',
  not_csv: () => 'no se entiende como CSV',
};

/** What is wrong with a CSV, by the parser's code. */
const CSV: Readonly<Record<string, string>> = {
  INVALID_OPENING_QUOTE: 'hay comillas en medio de un dato',
  CSV_INVALID_CLOSING_QUOTE: 'hay texto después de las comillas que cierran un dato',
  CSV_QUOTE_NOT_CLOSED: 'unas comillas no se cierran',
};

/** `Línea 2, importe: no se entiende «seis»`. */
function sayCell({ line, column, found, isMissing }: FileProblem): string {
  if (isMissing) return `Falta la columna ${column}. Las que hay: ${found === '' ? 'ninguna' : found}`;
  if (column === undefined) return `Línea ${line}: no se entiende como CSV, ${CSV[found] ?? found}`;
  return `Línea ${line}, ${column}: ${found === '' ? 'está vacío' : `no se entiende «${found}»`}`;
}

/** `Línea 7, precio: no es un precio: «caro»`. */
function sayRow({ line, column, reason, found }: RowProblem): string {
  const why = isPlanReason(reason) ? PLAN[reason.slice('plan_'.length) as PlanProblem] : ROW[reason](found);
  return `Línea ${line}${column === undefined ? '' : `, ${column}`}: ${why}`;
}

function isPlanReason<T extends string>(reason: T): reason is Extract<T, `plan_${string}`> {
  return reason.startsWith('plan_');
}

/** `20 % de apartado y 2 pagos cada 30 días, en 60 días`, with the amounts for an example price. */
export function planInWords(terms: PlanTerms): string {
  const { depositCentavos, laterInstalments, eachCentavos, lastCentavos } = describePlan(terms);
  const { depositBasisPoints, frequencyDays, durationDays } = terms;
  const often = frequencyDays === 1 ? 'cada día' : `cada ${frequencyDays} días`;
  const payments = laterInstalments === 1 ? '1 pago más' : `${laterInstalments} pagos más, ${often}`;
  const last = lastCentavos === eachCentavos ? '' : ` (el último de ${formatMoney(lastCentavos)})`;
  return (
    `${depositBasisPoints / 100} % de apartado y ${payments}; se termina en ${durationDays} días. ` +
    `De ${formatMoney(terms.priceCentavos)}: apartado de ${formatMoney(depositCentavos)} y ` +
    `${laterInstalments} de ${formatMoney(eachCentavos)}${last}.`
  );
}

const METHOD_NAMES: Readonly<Record<PaymentMethod, string>> = {
  card: 'tarjeta',
  till: 'caja',
  cash: 'tienda',
};

/** `$15.00 por pago con tarjeta`. */
export function feeInWords({ amountCentavos, methods }: FeePolicy): string {
  if (amountCentavos === 0 || methods.length === 0) return 'sin comisión';
  return `${formatMoney(amountCentavos)} por pago con ${methods.map((method) => METHOD_NAMES[method]).join(', ')}`;
}

const HANDS = { merchant: 'el comercio', operator: 'el operador' } as const;

/** Who collects for a merchant, by channel. */
export function collectorsInWords(by: Pick<MerchantEntry, 'tillCollectedBy' | 'cashCollectedBy'>): string {
  return `tarjeta, ${HANDS.merchant}; cajas, ${HANDS[by.tillCollectedBy]}; tiendas, ${HANDS[by.cashCollectedBy]}`;
}

/** Since when a shop keeps a unit for a buyer. */
export function keptSinceInWords(holdsReferences: boolean): string {
  return holdsReferences ? 'desde que se hace la referencia' : 'desde que se paga el apartado';
}

/** Until when a buyer may ask for an invoice. */
export function cutOffInWords(days: number | null): string {
  if (days === null) return 'sin límite';
  if (days === 0) return 'hasta el último día del mes del pago';
  return `hasta ${days} ${days === 1 ? 'día' : 'días'} después de que termina el mes del pago`;
}

/** How a merchant's buyers may change their plans. */
export function movesInWords({ movesAllowed, moveDays }: { movesAllowed: number; moveDays: number }): string {
  return movesAllowed === 0
    ? 'ninguno'
    : `${movesAllowed} por compra, cada uno hasta ${moveDays} días más tarde`;
}

/** When a merchant's purchases end by themselves. */
export function endInWords(daysLate: number | null): string {
  return daysLate === null
    ? 'nunca terminan solas'
    : `terminan solas con ${daysLate} días vencido, tras dos avisos`;
}

function sentenceOf(code: ChangeRefusal): string {
  if (!isPlanReason(code)) return REFUSED[code];
  const problem = PLAN[code.replace(/^plan_|_of_product$/g, '') as PlanProblem];
  return code.endsWith('_of_product')
    ? `Producto {product}, {name}: ${problem}.`
    : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`;
}

/** What a provider did in place of answering, with its code, and what can be done here. */
function sayWhy(said: string): string {
  const why = said.replace(/^sign-in: /, '');
  if (/timeout/i.test(why)) return `no contestó a tiempo (${why})`;
  if (/^[A-Z][A-Z_]+$/.test(why))
    return `no hubo conexión (${why}). Revise la red de este equipo y, en los ajustes, la dirección del proveedor`;
  return /^(status )?\d{3}\b/.test(why) ? `contestó con un error (${why})` : (DETAIL[why] ?? why);
}

/** A fact of a refusal: amounts as money, states in words with their code. */
function sayFact(code: ChangeRefusal, name: string, fact: string | number): string {
  if (code === 'file_unwritable' && name === 'code') return sayFileCode(String(fact));
  if (name === 'field') return FIELDS[fact] ?? '';
  if (name === 'gone' || name === 'unplaced') return formatMoney(centavos(Number(fact)));
  if (name === 'why') return sayWhy(String(fact));
  if (code.startsWith('settlement_beyond')) return money(Number(fact));
  if (name !== 'state') return String(fact);
  const of = code.startsWith('refund') ? 'refund' : code.startsWith('invoice') ? 'invoice' : 'card_attempt';
  return inWords(STATES[of], String(fact));
}

/** Why a file cannot be read or written, and how to mend it, by the system's code. */
const FILE: Readonly<Record<string, string>> = {
  ENOENT: 'no existe, o no existe su carpeta. Revise cómo se escribe o cree la carpeta',
  ENOTDIR: 'una parte de la ruta es un archivo, no una carpeta',
  EISDIR: 'es una carpeta. Escriba también el nombre del archivo',
  EACCES: 'no hay permiso. Elija otra carpeta o pida el permiso',
  EPERM: 'no hay permiso. Elija otra carpeta o pida el permiso',
  EROFS: 'ese disco solo se puede leer. Elija otra carpeta',
  ENOSPC: 'el disco está lleno. Libere espacio o elija otro disco',
  EDQUOT: 'se acabó su espacio. Libere espacio o elija otro disco',
  ENAMETOOLONG: 'el nombre es demasiado largo',
  ERR_FS_FILE_TOO_LARGE: 'es demasiado grande',
};

/** `no existe…`; a code that nobody knows stands for itself. */
export function sayFileCode(code: string): string {
  return FILE[code] ?? code;
}

/** An error as the operator reads it. A bug is printed with its stack. */
export function sayProblem(error: unknown): string {
  if (error instanceof RefusedChange) {
    const said = sentenceOf(error.code).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      sayFact(error.code, name, error.facts[name] ?? ''),
    );
    if (error instanceof UnreadableTable) return [said, ...error.problems.map(sayCell)].join('\n  ');
    return error instanceof RefusedRows ? [said, ...error.rows.map(sayRow)].join('\n  ') : said;
  }
  if (error instanceof Refusal) return `El servidor lo rechazó: ${error.code}.`;
  const { code, path } = error as NodeJS.ErrnoException;
  if (code !== undefined && path !== undefined) return `No se pudo usar ${path}: ${sayFileCode(code)}.`;
  if (error instanceof Error && error.constructor !== Error) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
