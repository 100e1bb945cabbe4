import type { StaffRole } from '@aparta/domain/staff-rights';

import { digestEmail, type ShopDigest } from './digest-copy.ts';
import { button, note, paragraph, type Words } from './email-body.ts';
import type { Place } from './links.ts';
import { type ShopNews, shopNewsEmail } from './shop-news-copy.ts';

/** What an email to the people of a shop is made of. */
export type StaffOccasion =
  | {
      readonly topic: 'staff_invitation';
      readonly tradeName: string;
      readonly role: StaffRole;
      readonly link: string;
    }
  | { readonly topic: 'staff_password_reset'; readonly link: string }
  | { readonly topic: 'staff_password_changed'; readonly passkeysForgotten: number }
  | { readonly topic: 'staff_passkey_added' }
  | { readonly topic: 'staff_digest'; readonly digest: ShopDigest }
  | { readonly topic: 'staff_shop_news'; readonly news: ShopNews };

const AS: Readonly<Record<StaffRole, string>> = {
  cashier: 'en caja',
  manager: 'con el encargo de una sucursal',
  owner: 'en la dirección del negocio',
  accountant: 'en la contabilidad',
};

/** The words of an email to the people of a shop. */
export function staffEmail(occasion: StaffOccasion, place: Place): Words {
  const { product } = place;
  // Buyers have a password and pay by card; these have neither word on their screens.
  return {
    why: `Te escribimos porque con este correo se entra al mostrador de ${product}. Nunca te pedimos tu contraseña por correo.`,
    ...wordsOf(occasion, place),
  };
}

function wordsOf(occasion: StaffOccasion, place: Place): Words {
  const { product, links } = place;
  switch (occasion.topic) {
    case 'staff_invitation':
      return {
        subject: `${occasion.tradeName} te invita a su mostrador de ${product}`,
        heading: 'Tienes una invitación',
        blocks: [
          paragraph(`${occasion.tradeName} te invita a su mostrador de ${product}, ${AS[occasion.role]}.`),
          button('Ver la invitación', occasion.link),
          paragraph('El enlace sirve una sola vez y durante 7 días.'),
          note('Si no conoces este comercio, no hagas nada.'),
        ],
        why: `Te escribimos porque un comercio que usa ${product} dio este correo. Nunca te pedimos tu contraseña por correo.`,
      };
    case 'staff_digest':
      return digestEmail(occasion.digest, place);
    case 'staff_shop_news':
      return shopNewsEmail(occasion.news, place);
    case 'staff_password_reset':
      return {
        subject: `Cambia tu contraseña del mostrador de ${product}`,
        heading: 'Cambia tu contraseña',
        blocks: [
          paragraph(
            'Alguien pidió cambiar la contraseña con que entras al mostrador. Si fuiste tú, sigue este enlace:',
          ),
          button('Cambiar mi contraseña', occasion.link),
          paragraph('Sirve una sola vez y durante 30 minutos. Si pediste varios, cualquiera sirve.'),
          note(
            'Si no fuiste tú, no hagas nada: tu contraseña sigue siendo la misma. No compartas este correo con nadie.',
          ),
        ],
      };
    case 'staff_password_changed':
      return {
        subject: `Tu contraseña del mostrador de ${product} cambió`,
        heading: 'Tu contraseña cambió',
        blocks: [
          paragraph(
            'La contraseña con que entras al mostrador acaba de cambiar y cerramos tus otras sesiones.',
          ),
          ...(occasion.passkeysForgotten > 0
            ? [
                paragraph(
                  'Es la primera vez que confirmas este correo, así que quitamos las llaves de acceso que tenía tu cuenta: alguien más pudo dejarlas. Agrega la tuya otra vez en «Mi cuenta».',
                ),
              ]
            : []),
          paragraph('Si no fuiste tú, pide otro cambio: solo quien lee este correo puede hacerlo.'),
          button('Pedir otro cambio', links.staffForgotPassword),
        ],
      };
    case 'staff_passkey_added':
      return {
        subject: `Tu cuenta del mostrador de ${product} tiene otra llave de acceso`,
        heading: 'Agregaste una llave de acceso',
        blocks: [
          paragraph('Con ella se entra al mostrador sin escribir la contraseña.'),
          paragraph(
            'Si no fuiste tú, alguien conoce tu contraseña: quita esa llave en «Mi cuenta» y cambia la contraseña.',
          ),
          button('Cambiar mi contraseña', links.staffForgotPassword),
        ],
      };
  }
}
