/** Texts of the home screen. The two actions are spec §1's. */
export const homeCopy = {
  title: 'Inicio',
  hello: (name: string) => `Hola, ${name}`,
  acts: 'Qué quieres hacer',
  reserve: { title: 'Realizar Apartados', text: 'Escanea el código QR del producto.' },
  pay: { title: 'Realizar Abono', text: 'Paga tu siguiente abono.' },
} as const;
