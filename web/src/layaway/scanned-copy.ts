/** Texts of what was scanned before, on home. */
export const scannedCopy = {
  loading: 'Cargando el producto que escaneaste',
  notLoaded: 'Guardamos el código QR que escaneaste.',
  go: 'Continuar mi apartado',
  drop: 'Descartar',
} as const;
