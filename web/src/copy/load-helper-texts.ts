/** What each refusal says to a helper, loaded on demand; undefined where it cannot be. */
export function loadHelperTexts() {
  return import('./helper-texts.ts').then(
    ({ helperTexts }) => helperTexts,
    () => undefined,
  );
}
