/** Texts of the home screen. The two actions are spec §1's. */
export const homeCopy = {
  title: 'Inicio',
  hello: (name: string) => `Hola, ${name}`,
  unfinished: {
    label: 'Tu apartado sin terminar',
    title: 'Tienes un apartado sin terminar',
    text: 'Guardamos el código QR que escaneaste. Míralo antes de pagar: todavía no se cobra nada.',
    go: 'Continuar mi apartado',
    drop: 'Descartar',
  },
  acts: 'Qué quieres hacer',
  reserve: { title: 'Realizar Apartados', text: 'Escanea el código QR del producto.' },
  pay: { title: 'Realizar Abono', text: 'Paga tu siguiente abono.' },
} as const;
