// The document's policy asks for trusted types and allows this one policy (`trusted-types aparta`). What
// passes through it is our own: drawings of this repository and scripts of our build, never anything a person
// typed.

type Policy = { createHTML(html: string): unknown; createScriptURL(url: string): unknown };
type Factory = {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string; createScriptURL: (url: string) => string },
  ): Policy;
};

const { trustedTypes } = globalThis as { trustedTypes?: Factory };
const policy = trustedTypes?.createPolicy('aparta', {
  createHTML: (html) => html,
  createScriptURL(url) {
    if (new URL(url, location.href).origin !== location.origin) throw new TypeError('not a script of ours');
    return url;
  },
});

/** Markup of our own files, for React's `__html`. */
export function trustedHtml(html: string): string {
  // TypeScript's DOM knows only strings here; the browser takes the trusted value as it is.
  return (policy?.createHTML(html) ?? html) as string;
}

/** The address of a script of our own build. Throws TypeError for another origin's. */
export function trustedScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}
