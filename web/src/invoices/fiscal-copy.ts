/** Texts for fiscal data. Spec §2's are literal; spec §8's are in copy/alerts.ts. Their form's are its own. */
export const fiscalCopy = {
  retrying: 'Cargando…',

  clients: {
    title: 'Tus datos para facturar',
    loading: 'Cargando tus datos fiscales',
    failed: 'No pudimos cargar tus datos fiscales',
    empty: 'Todavía no tienes datos fiscales. Con ellos puedes facturar cada pago completo.',
    name: 'Nombre',
    rfc: 'RFC',
    regime: 'Régimen',
    providerId: 'E-customer',
    noProviderId: 'Con tu primera factura',
    acts: 'Acciones',
    correct: 'Corregir',
    remove: 'Quitar',
  },

  remove: {
    title: '¿Quitar estos datos fiscales?',
    of: (rfc: string, name: string) => `${name}, ${rfc}`,
    text: 'Las facturas que ya tienes se conservan.',
    confirm: 'Quitar datos',
    busy: 'Quitando…',
    keep: 'Conservar',
  },

  gone: 'Esos datos fiscales ya no están en tu lista.',
  forInvoice: 'Después volvemos a tu factura.',
  toInvoice: 'Volver a mi factura',
  loadingForm: 'Cargando el formulario',
} as const;
