/** Texts of the commands about helpers. */
export const HELPERS = {
  forgotten: (payments: number) =>
    `Se borró a quien ayudó, en ${payments === 1 ? 'un pago' : `${payments} pagos`}. Si ese dinero se devuelve, vuelve a su tarjeta y ya no le avisamos por correo. Sigue en los respaldos hasta que caduquen.`,
} as const;
