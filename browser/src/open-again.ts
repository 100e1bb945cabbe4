/**
 * Opens a document again whose application was lost on the way, since browsers keep a module that failed: three seconds later, nine
 * times in a tab at most, which its name counts. Some documents hold its text (`build/open-again.ts`): it needs nothing from outside.
 */
export const openAgain = () => {
  if ((window.name += '.').length < 10) setTimeout(() => location.reload(), 3_000);
};
