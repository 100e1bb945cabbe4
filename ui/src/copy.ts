/** Texts of the shared components that a first screen needs; the others' are in `parts-copy.ts` or beside them. */
export const uiCopy = {
  broken: {
    title: 'No pudimos abrir esta pantalla',
    text: 'Revisa tu internet y vuelve a intentarlo. Lo que ya pagaste está a salvo.',
    waiting: 'Esperando internet…',
  },
  accept: 'Aceptar',
  close: 'Cerrar',
  closeNotice: 'Cerrar aviso',
  retry: 'Reintentar',
  showPassword: 'Mostrar lo escrito',
  hidePassword: 'Ocultar lo escrito',
} as const;
