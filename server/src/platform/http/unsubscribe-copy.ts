import type { ShopMail } from '@aparta/domain/shop-mails';

/** Texts of the page on which somebody leaves an email. */
export const unsubscribeCopy = {
  names: {
    digest: 'Cada mañana, cómo va tu tienda',
    first_deposit: 'Compra nueva',
    paid_off: 'Compra liquidada',
    cancelled: 'Compra cancelada',
    refund_owed: 'Devolución por entregar en caja',
    unit_missing: 'Pieza guardada que no aparece',
    claim: 'Reclamo de un comprador',
    expiring: 'Apartado que vence hoy',
    reminders: 'Recordatorios de pago',
  } satisfies Record<ShopMail | 'reminders', string>,
  ask: {
    title: 'Dejar de recibir este correo',
    text: (name: string) => `Ya no te llegará «${name}». Lo demás te sigue llegando igual.`,
    submit: 'Dejar de recibirlo',
  },
  done: {
    title: 'Listo, ya no te llega',
    text: (name: string, where: string) =>
      `Apagaste «${name}». Si cambias de idea, enciéndelo otra vez en «${where}».`,
  },
  wrong: {
    title: 'Este enlace no sirve',
    text: 'Está incompleto o alguien lo cambió. No apagamos nada: abre el enlace de tu correo, o elige en tu perfil.',
  },
  buyer: { name: 'Perfil', path: '/clientEdit', link: 'Ir a mi perfil' },
  staff: { name: 'Mi cuenta', path: '/mostrador/mi-cuenta', link: 'Ir a mi cuenta del mostrador' },
} as const;
