// The Content-Security-Policy requires trusted types and allows this one policy (`trusted-types aparta`).
// Only our own drawings and build output go through it, never user input.

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

/** Trusts markup from our own files, for React's `__html`. */
export function trustedHtml(html: string): string {
  // TypeScript's DOM types only allow strings here; browsers accept the trusted value.
  return (policy?.createHTML(html) ?? html) as string;
}

/** Trusts the URL of a script of our build. Throws TypeError for another origin's. */
export function trustedScriptUrl(url: string): string {
  return (policy?.createScriptURL(url) ?? url) as string;
}
