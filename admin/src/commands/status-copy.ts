import type { Gap } from '@aparta/server/back-office/readiness/check-readiness';
import type { Trial } from '@aparta/server/back-office/readiness/try-services';

/** What is missing, and the command that fixes it. */
export const GAPS: Readonly<Record<Gap['kind'], string>> = {
  database_takes_no_writes:
    'la base de datos no deja escribir ({why}): no se puede cobrar nada. docs/runbook.md#databaseunread',
  job_overdue:
    'el trabajo {job} espera desde hace {minutes} minutos y ningún servidor lo hace. docs/runbook.md#jobsnotrun',
  text_missing: 'no se han publicado: {text}. legal publish',
  text_is_template: 'está en vigor el ejemplo: {text}. legal publish',
  no_merchant: 'no hay comercios. company add, merchant add',
  no_product: 'ningún comercio tiene productos. product import',
  no_payment_channel: 'no hay con qué cobrar: ni claves de tarjeta ni cajas. key set, till add',
  test_key: '{merchant}: su clave es de prueba. key set',
  no_till: 'no hay cuentas de cajas. till add',
  no_till_collects: '{merchant}: ninguna caja cobra para él. till assign',
  no_card_key: '{merchant}: sin clave, no cobra con tarjeta. key set',
  no_products: '{merchant}: sin productos. product import',
  no_address: '{merchant}: sin dirección. merchant edit --address',
  no_phone: '{merchant}: sin teléfono. merchant edit --phone',
  no_rfc: '{merchant}: sin RFC. merchant edit --rfc',
  no_invoicing:
    '{merchant}: sin FacturaGreen, sus compradores no pueden facturar. merchant edit --invoicing-business',
  products_not_invoiced:
    '{merchant}: {count} de sus productos no se pueden facturar, les falta clave_factura. product import',
  no_backup: 'nunca se ha hecho un respaldo. ops/backup.sh',
  backup_is_old: 'el último respaldo tiene más de 26 horas. ops/backup.sh',
};

/** What was tried; `{merchant}` is a merchant's. */
const TRIED: Readonly<Record<Trial['service'], string>> = {
  keys: 'SECRETS_KEY: abrir las claves guardadas',
  card: 'Clip, {merchant}: leer sus cobros del último minuto',
  cash: 'Tapi: entrar y preguntar por una operación que no existe',
  email: 'Correo: entrar al servidor de SMTP_URL, sin enviar nada',
  invoicing: 'FacturaGreen, {merchant}: pedir una factura que no existe',
};

type Failure = 'refused' | 'unreachable' | 'in_trouble';
const AGAIN = 'Pruebe más tarde; si sigue, pregúnteles.';

/** How it failed, and what to do. */
const FAILED: Readonly<Record<Exclude<Trial['service'], 'keys'>, Readonly<Record<Failure, string>>>> = {
  card: {
    refused: 'no acepta su clave. key check {id}, key set {id} clip',
    unreachable: 'no contesta. Revise la red de este servidor y CLIP_API_BASE',
    in_trouble: `contesta con un error. ${AGAIN}`,
  },
  cash: {
    refused: 'no acepta la cuenta. Revise TAPI_USERNAME, TAPI_PASSWORD, TAPI_LOGIN_KEY y TAPI_REFERENCES_KEY',
    unreachable: 'no contesta. Revise la red de este servidor, TAPI_LOGIN_BASE y TAPI_API_BASE',
    in_trouble: `contesta con un error. Revise TAPI_API_BASE. ${AGAIN}`,
  },
  email: {
    refused: 'no acepta el usuario o la contraseña de SMTP_URL',
    unreachable: 'no contesta. Revise la red de este servidor, y el servidor y el puerto de SMTP_URL',
    in_trouble: `contesta con un error. ${AGAIN}`,
  },
  invoicing: {
    refused:
      'no acepta al comercio. Revise su uuid (merchant edit {id} --invoicing-business) y, si son todos, FACTURA_GREEN_APPLICATION_KEY y FACTURA_GREEN_ACCOUNT_UUID',
    unreachable: 'no contesta. Revise la red de este servidor y FACTURA_GREEN_BASE',
    in_trouble: `contesta con un error. Revise FACTURA_GREEN_BASE. ${AGAIN}`,
  },
};

/** `FALLA   Tapi: …, en 0.1 s: no acepta la cuenta (401). …`. */
export function sayTrial({ service, merchant, found, keyId, tookMs }: Trial): string {
  const put = (text: string) =>
    text
      .replaceAll('{merchant}', `comercio ${merchant?.id}, ${merchant?.name}`)
      .replaceAll('{id}', String(merchant?.id));
  if (found.kind === 'opened') return `SIRVE   ${TRIED.keys}: ${found.count}.`;
  if (service === 'keys')
    return put(
      `FALLA   SECRETS_KEY, {merchant}: no abre su clave guardada. Ponga otra vez en SECRETS_KEY la llave ${keyId}, o la clave con key set {id} clip`,
    );
  const tried = `${put(TRIED[service])}, ${(tookMs / 1000).toFixed(1)} s`;
  if (!('why' in found)) return `SIRVE   ${tried}.`;
  return `FALLA   ${tried}: ${put(FAILED[service][found.kind]).replace(/^([^.]+)/, `$1 (${found.why})`)}`;
}

/** The last line. */
export function verdict(stops: boolean, fails: boolean): string {
  if (stops) return 'No todo se puede cobrar.';
  return fails ? 'Se puede cobrar, pero lo que dice FALLA no funciona.' : 'Se puede cobrar.';
}
