/** Texts of the wizard's first step. Spec §2's and spec §8's are literal. */
export const referenceCopy = {
  reference: {
    title: 'Aparta un producto',
    intro: 'Escanea el código QR del producto o pega su referencia.',
    field: 'Referencia del producto',
    placeholder: 'Pega aquí la referencia',
    hint: 'Aquí solo se puede pegar.',
    paste: 'Pegar',
    pasteRefused: 'Tu navegador no nos dejó leer lo que copiaste. Mantén presionado el campo y elige Pegar.',
    pasteEmpty: 'No hay ningún texto copiado. Copia la referencia y vuelve a tocar Pegar.',
    scan: 'Escanear QR',
    opening: 'Abriendo…',
    goingOn: 'Encontramos tu referencia. Seguimos en un momento.',
    withoutReference: 'Sin una referencia te llevamos a tus pagos pendientes.',
  },

  scan: {
    title: 'Escanear QR',
    starting: 'Permite el uso de la cámara cuando tu teléfono lo pregunte.',
    scanning: 'Pon el código QR del producto dentro del cuadro.',
    light: '¿Hay poca luz? Acércate a una lámpara o lee el QR de una foto.',
    torchOn: 'Encender la linterna',
    torchOff: 'Apagar la linterna',
    video: 'Lo que ve la cámara',
    photo: 'Leer QR de una foto',
    photoBusy: 'Leyendo la foto…',
    problems: {
      refused: {
        title: 'No tenemos permiso para usar la cámara.',
        text: 'Dale permiso en los ajustes de tu navegador, o lee el QR de una foto.',
      },
      absent: {
        title: 'No encontramos una cámara.',
        text: 'Lee el QR de una foto o pega la referencia.',
      },
      busy: {
        title: 'Otra aplicación está usando la cámara.',
        text: 'Ciérrala y vuelve a intentarlo, o lee el QR de una foto.',
      },
      unsupported: {
        title: 'Este navegador no puede usar la cámara aquí.',
        text: 'Lee el QR de una foto o pega la referencia.',
      },
      reader: {
        title: 'No pudimos cargar el lector de QR.',
        text: 'Revisa tu internet y vuelve a intentarlo, o pega la referencia.',
      },
    },
    noCode: 'No encontramos un código QR en esa foto. Toma otra de cerca y con buena luz.',
    noPhoto: 'No pudimos abrir esa foto. Prueba con otra.',
  },
} as const;
