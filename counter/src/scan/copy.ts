import type { ScanTexts } from '@aparta/browser/scan/scan-texts.ts';

const texts: ScanTexts = {
  title: 'Escanear el código',
  starting: 'Permite el uso de la cámara cuando tu teléfono lo pregunte.',
  scanning: 'Pon el código de barras o el QR del comprador dentro del cuadro.',
  light: '¿Hay poca luz? Sube el brillo del otro teléfono o escribe el número.',
  torchOn: 'Encender la linterna',
  torchOff: 'Apagar la linterna',
  video: 'Lo que ve la cámara',
  photo: 'Leerlo de una foto',
  photoBusy: 'Leyendo la foto…',
  problems: {
    refused: {
      title: 'No tenemos permiso para usar la cámara.',
      text: 'Dale permiso en los ajustes de tu navegador, o escribe el número.',
    },
    absent: { title: 'No encontramos una cámara.', text: 'Escribe el número.' },
    busy: {
      title: 'Otra aplicación está usando la cámara.',
      text: 'Ciérrala y vuelve a intentarlo, o escribe el número.',
    },
    unsupported: {
      title: 'Este navegador no puede usar la cámara aquí.',
      text: 'Escribe el número.',
    },
    reader: {
      title: 'No pudimos cargar el lector.',
      text: 'Revisa tu internet y vuelve a intentarlo, o escribe el número.',
    },
  },
  noCode: 'No encontramos un código en esa foto. Toma otra de cerca y con buena luz.',
  noPhoto: 'No pudimos abrir esa foto. Prueba con otra.',
};

/** Texts of the camera that reads codes. */
export const scanCopy = { texts, opening: 'Abriendo la cámara…' };
