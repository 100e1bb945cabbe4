export const resumeCopy = {
  opening: 'Abriendo tu sesión…',
  failed: 'No pudimos abrir tu sesión',
  retrying: 'Reintentando…',
  password: 'Entrar con mi password',
} as const;
