import { button, type Block, note, paragraph, type Words } from './email-body.ts';
import type { Place } from './links.ts';

export function passwordReset(link: string, { product }: Place): Words {
  return {
    subject: `Cambia tu password de ${product}`,
    heading: 'Cambia tu password',
    blocks: [
      paragraph(
        `Alguien pidió cambiar el password de tu cuenta de ${product}. Si fuiste tú, sigue este enlace:`,
      ),
      button('Cambiar mi password', link),
      paragraph('Sirve una sola vez y durante 30 minutos. Si pediste varios, usa el más reciente.'),
      note(
        'Si no fuiste tú, no hagas nada: tu password sigue siendo el mismo. No compartas este correo con nadie.',
      ),
    ],
  };
}

export function passwordChanged({ product, links }: Place): Words {
  return {
    subject: `Tu password de ${product} cambió`,
    heading: 'Tu password cambió',
    blocks: [
      paragraph(`El password de tu cuenta de ${product} acaba de cambiar y cerramos todas tus sesiones.`),
      paragraph('Si no fuiste tú, pide otro cambio: solo quien lee este correo puede hacerlo.'),
      button('Pedir otro cambio', links.forgotPassword),
    ],
  };
}

/** The device is not named: who read a cookie may have named it. */
export function keptSessionReplayed({ product, links }: Place): Words {
  return {
    subject: `Cerramos una sesión de tu cuenta de ${product}`,
    heading: 'Cerramos una sesión tuya',
    blocks: [
      paragraph(
        'Una sesión que pediste mantener abierta se usó desde dos lugares. Puede que alguien la haya copiado, así que la cerramos en los dos.',
      ),
      paragraph('Para seguir, entra otra vez con tu password. Si no reconoces esto, cámbialo.'),
      button('Cambiar mi password', links.forgotPassword),
    ],
  };
}

/** Without a link when the email address was confirmed before the email went. */
export function welcome(link: string | undefined, { product }: Place): Words {
  return {
    subject: `Te damos la bienvenida a ${product}`,
    heading: `Te damos la bienvenida a ${product}`,
    blocks: [
      paragraph('Tu cuenta está lista. Escanea el código de un producto, apártalo y págalo en abonos.'),
      ...(link === undefined
        ? []
        : [...confirming(link), note('Si tú no abriste esta cuenta, no confirmes nada.')]),
    ],
  };
}

export function confirmEmail(link: string, { product }: Place): Words {
  return {
    subject: `Confirma tu correo de ${product}`,
    heading: 'Confirma tu correo',
    blocks: [...confirming(link), note('Si tú no abriste una cuenta con este correo, no confirmes nada.')],
  };
}

function confirming(link: string): Block[] {
  return [
    paragraph('Confirma que este correo es tuyo para recibir aquí tus recibos completos y tus facturas.'),
    button('Confirmar mi correo', link),
    paragraph('El enlace sirve una sola vez y durante 7 días. Si pediste varios, usa el más reciente.'),
  ];
}
