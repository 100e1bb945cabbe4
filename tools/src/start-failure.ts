/** Something the operator can mend. The message is one whole sentence, shown without a stack. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}
