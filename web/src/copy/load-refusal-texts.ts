/** What each refusal says, loaded on demand; undefined where it cannot be. */
export function loadRefusalTexts() {
  return import('./refusal-texts.ts').then(
    ({ refusalTexts }) => refusalTexts,
    () => undefined,
  );
}
