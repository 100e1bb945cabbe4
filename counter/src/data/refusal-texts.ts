import { edgeRefusalTexts } from '@aparta/browser/edge-refusal-texts.ts';
import type { RefusalTexts } from '@aparta/browser/refusal.ts';

// Loaded once something is refused, or is about to be sent.

/** What the people of a shop are told of each refusal that their calls may meet. */
export const refusalTexts = {
  ...edgeRefusalTexts,
  NOT_ALLOWED: {
    kind: 'error',
    title: 'Esta cuenta no es del mostrador',
    text: 'Entra con la cuenta de tu trabajo.',
  },
  NOT_FOUND: {
    kind: 'warning',
    title: 'Ese número no es de esta tienda',
    text: 'Revísalo con el comprador. Si lo escribiste, cuenta los dígitos.',
  },
  WRONG_CREDENTIALS: {
    kind: 'warning',
    title: 'El correo o la contraseña no coinciden',
    text: 'Escríbelos otra vez.',
  },
  ROLE_NOT_ALLOWED: {
    kind: 'warning',
    title: 'Esto lo hace el encargado o el dueño',
    text: 'Pídele que lo haga con su cuenta.',
  },
  REFERENCE_EXPIRED: {
    kind: 'warning',
    title: 'Este apartado venció',
    text: 'No se cobró nada. El comprador puede apartarlo otra vez desde su teléfono.',
  },
  REFERENCE_PAID: {
    kind: 'warning',
    title: 'Este apartado ya está pagado',
    text: 'No se cobró nada. Búscalo otra vez para ver lo que falta.',
  },
  REFERENCE_CANCELLED: {
    kind: 'warning',
    title: 'Este apartado se canceló',
    text: 'No se cobró nada.',
  },
  PURCHASE_SETTLED: {
    kind: 'warning',
    title: 'Esta compra ya está liquidada',
    text: 'No se cobró nada. Ya no debe nada.',
  },
  NOT_PAID_OFF: {
    kind: 'warning',
    title: 'Todavía no está liquidada',
    text: 'No se entregó nada. Búscala para cobrar lo que falta.',
  },
  HANDED_OVER: {
    kind: 'warning',
    title: 'Esta compra ya se entregó',
    text: 'No entregues otra pieza.',
  },
  CLAIM_ENDED: {
    kind: 'warning',
    title: 'Este reclamo ya terminó',
    text: 'No se cambió nada. Abre la compra otra vez para ver cómo terminó.',
  },
  PAYMENT_TAKEN_BACK: {
    kind: 'warning',
    title: 'No lo entregues: uno de sus pagos está en revisión',
    text: 'Su dinero pudo regresar ya por la tienda o la tarjeta. Se entrega cuando se aclare.',
  },
  PICKUP_WRONG: {
    kind: 'warning',
    title: 'El código no es de esta compra',
    text: 'No se entregó nada. Pide al comprador que te lo enseñe otra vez; a los cinco intentos se bloquea.',
  },
  PICKUP_LOCKED: {
    kind: 'warning',
    title: 'Este código está bloqueado',
    text: 'No se entregó nada. El comprador puede pedir otro en su compra.',
  },
  PICKUP_REPLACED: {
    kind: 'warning',
    title: 'El comprador cambió este código',
    text: 'No se entregó nada. Pide que te enseñe el nuevo en su compra.',
  },
  PICKUP_EXPIRED: {
    kind: 'warning',
    title: 'Este código venció',
    text: 'No se entregó nada. El comprador ve otro en cuanto abre su compra.',
  },
  PURCHASE_CANCELLED: {
    kind: 'warning',
    title: 'Esta compra se canceló',
    text: 'No se cobró nada.',
  },
  AMOUNT_CHANGED: {
    kind: 'warning',
    title: 'La cantidad cambió',
    text: 'No se cobró nada. Alguien pagó mientras tanto: revisa lo que falta.',
  },
  INTENT_CONFLICT: {
    kind: 'error',
    title: 'Este cobro ya se usó para otra cosa',
    text: 'Búscalo otra vez y cobra de nuevo.',
  },
  PAYMENT_REVERSED: {
    kind: 'warning',
    title: 'Este cobro se devolvió',
    text: 'Para cobrar otra vez, búscalo de nuevo.',
  },
  OVER_CAP: {
    kind: 'warning',
    title: 'La sucursal llegó a su tope de hoy',
    text: 'No se cobró nada. Avisa al dueño.',
  },
  NOT_REVERSIBLE: {
    kind: 'warning',
    title: 'Este cobro ya no se puede devolver',
    text: 'Solo el mismo día y con la compra viva, si no se facturó y no hubo otro pago después.',
  },
  PRESS_DROPPED: {
    kind: 'warning',
    title: 'Ya dijiste que no devolviste nada',
    text: 'No se anotó. Si vas a devolver el dinero, empieza de nuevo.',
  },
  REFUND_DONE: {
    kind: 'warning',
    title: 'Esta devolución ya se entregó',
    text: 'No entregues dinero otra vez. Abre la compra otra vez para ver cuándo fue.',
  },
  REFUND_TAKEN_BACK: {
    kind: 'warning',
    title: 'No entregues esta devolución: está en revisión',
    text: 'El dinero de ese pago pudo regresar ya por otro lado: la tienda, o la tarjeta. No se anotó nada.',
  },
  INVITATION_DEAD: {
    kind: 'warning',
    title: 'Esta invitación ya no sirve',
    text: 'Pide otra a quien te invitó.',
  },
  STAFF_EXISTS: {
    kind: 'warning',
    title: 'Esa persona ya trabaja aquí',
    text: 'Ese correo ya tiene un puesto en la tienda.',
  },
  CUT_CHANGED: {
    kind: 'warning',
    title: 'La caja cambió mientras contabas',
    text: 'No se cerró nada. Revisa lo que hay ahora y cuenta otra vez.',
  },
  PRODUCT_CHANGED: {
    kind: 'warning',
    title: 'Alguien más cambió este producto',
    text: 'No guardamos lo tuyo todavía. Compara con lo que dice ahora y guarda otra vez.',
  },
  SOLD_OUT: {
    kind: 'warning',
    title: 'Ya no hay piezas de este producto',
    text: 'No cobres: la última ya está apartada. Devuelve el efectivo.',
  },
  NOT_KEPT: {
    kind: 'warning',
    title: 'No hay nada guardado con ese número',
    text: 'Ya se entregó, se canceló, o ese producto no se cuenta.',
  },
  KEPT_ELSEWHERE: {
    kind: 'warning',
    title: 'Eso se guarda en {branch}',
    text: 'Aquí no se espera. Avisa a esa sucursal si lo tienes tú.',
  },
  UNITS_CHANGED: {
    kind: 'warning',
    title: 'Las piezas cambiaron mientras contabas',
    text: 'Ahora hay {free} para vender. Cuenta otra vez.',
  },
  SKU_TAKEN: {
    kind: 'warning',
    title: 'Otro producto ya tiene ese código',
    text: 'Escribe otro, o déjalo vacío.',
  },
  PRICE_WITHOUT_PLAN: {
    kind: 'warning',
    title: 'Ese precio no da para el plan',
    text: 'Escribe un precio más alto.',
  },
  PICTURE_UNREADABLE: {
    kind: 'warning',
    title: 'No pudimos leer esa foto',
    text: 'Sirven JPG, PNG y WebP. Si es HEIC, guárdala como JPG, o toma la foto desde aquí.',
  },
  PICTURE_TOO_LARGE: pictureTooLarge(),
  // A photo that the browser could not shrink is refused before it is looked at; nothing else that is sent comes near a limit.
  BODY_TOO_LARGE: pictureTooLarge(),
  LAST_OWNER: {
    kind: 'warning',
    title: 'Es el único dueño',
    text: 'Invita a otro dueño antes.',
  },
  RESET_CODE_DEAD: {
    kind: 'warning',
    title: 'Este enlace ya no sirve',
    text: 'Pide otro: llega al mismo correo.',
  },
  WRONG_PASSWORD: { kind: 'warning', title: 'Esa no es tu contraseña', text: 'Escríbela otra vez.' },
  OWN_SESSION_NEEDED: {
    kind: 'warning',
    title: 'Esto se hace con tu correo y contraseña',
    text: 'En un equipo compartido el NIP no alcanza. Entra desde tu propio teléfono.',
  },
  PASSWORD_NEEDED: {
    kind: 'warning',
    title: 'Escribe tu contraseña',
    text: 'Entraste hace rato. Es para saber que sigues siendo tú.',
  },
  PASSKEY_REFUSED: {
    kind: 'warning',
    title: 'Esa llave de acceso no sirve aquí',
    text: 'Inténtalo otra vez, o entra con tu correo y contraseña.',
  },
  PASSKEY_NEEDED: {
    kind: 'warning',
    title: 'Para esto entra con tu llave de acceso',
    text: 'Una tienda tuya la pide a sus dueños. Si la perdiste, pide ayuda a soporte.',
  },
  PASSKEY_FIRST: {
    kind: 'warning',
    title: 'Primero usa tu propia llave de acceso',
    text: 'Agrégala en «Mi cuenta», o sal y entra con ella.',
  },
  PASSKEYS_FULL: {
    kind: 'warning',
    title: 'Ya tienes 20 llaves de acceso',
    text: 'Quita una que ya no uses.',
  },
  LAST_PASSKEY: {
    kind: 'warning',
    title: 'Es tu única llave de acceso',
    text: 'Tu tienda la pide. Agrega otra antes de quitar esta.',
  },
  ENROLMENT_DEAD: {
    kind: 'warning',
    title: 'Este código ya no sirve',
    text: 'Pide que te muestren otro: sirve diez minutos y una sola vez.',
  },
  DEVICE_DEAD: {
    kind: 'warning',
    title: 'Este equipo ya no es de la tienda',
    text: 'Pide que lo den de alta otra vez.',
  },
  PIN_NOT_SET: { kind: 'warning', title: 'Todavía no tienes NIP', text: 'Ponlo con tu contraseña.' },
  PIN_TOO_EASY: { kind: 'warning', title: 'Ese NIP es fácil de adivinar', text: 'Elige otros seis dígitos.' },
  WRONG_PIN: { kind: 'warning', title: 'Ese no es tu NIP', text: 'Intentos que te quedan: {left}.' },
  PIN_LOCKED: {
    kind: 'warning',
    title: 'Tu NIP está bloqueado en este equipo',
    text: 'Fueron cinco intentos. Tu encargado o el dueño lo desbloquean.',
  },
  PASSWORD_TOO_SHORT: { kind: 'warning', title: 'La contraseña necesita 8 letras o más' },
  PASSWORD_TOO_LONG: { kind: 'warning', title: 'La contraseña es demasiado larga' },
  PASSWORD_TOO_COMMON: {
    kind: 'warning',
    title: 'Esa contraseña es fácil de adivinar',
    text: 'Elige otra que nadie pueda adivinar.',
  },
} as const satisfies RefusalTexts;

function pictureTooLarge() {
  return {
    kind: 'warning',
    title: 'Esa foto es demasiado grande',
    text: 'Elige una de menos de 8 MB, o toma la foto desde aquí.',
  } as const;
}
