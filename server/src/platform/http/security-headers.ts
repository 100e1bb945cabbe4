/** The origins that documents may talk to besides our own. */
export interface AllowedOrigins {
  /** Base addresses of the web app's services that are not our own origin. */
  readonly services: readonly string[];
  /** The card provider's hosts, admitted on card documents only. */
  readonly cardScripts: readonly string[];
  readonly cardFrames: readonly string[];
  readonly cardConnections: readonly string[];
}

function policy(directives: Record<string, readonly string[]>): string {
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ');
}

function documentDirectives(origins: AllowedOrigins, inline: readonly string[]) {
  return {
    'default-src': ["'none'"],
    'script-src': ["'self'", ...inline],
    'style-src': ["'self'"],
    // Logos arrive as base64; a photo of a QR is read from a blob.
    'img-src': ["'self'", 'data:', 'blob:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...origins.services],
    'worker-src': ["'self'"],
    'manifest-src': ["'self'"],
    'media-src': ["'self'", 'blob:'],
    'form-action': ["'self'"],
    'base-uri': ["'none'"],
    'object-src': ["'none'"],
    'frame-ancestors': ["'none'"],
  };
}

const TRUSTED_TYPES = policy({ 'require-trusted-types-for': ["'script'"], 'trusted-types': ['aparta'] });

type Headers = Readonly<Record<string, string>>;

/** Headers of every answer, API replies and error pages included. */
export function commonHeaders(secure: boolean): Headers {
  return {
    'content-security-policy': policy({
      'default-src': ["'none'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
    }),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(self), microphone=(), geolocation=(), payment=(), usb=(), serial=()',
    ...(secure && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
  };
}

/** An ordinary screen: our own scripts and services, `inline` ones by their hash, and no HTML sinks. */
export function documentHeaders(origins: AllowedOrigins, inline: readonly string[]): Headers {
  return { 'content-security-policy': `${policy(documentDirectives(origins, inline))}; ${TRUSTED_TYPES}` };
}

/**
 * The card and 3DS screens, documents of their own (rules/card-attempts#card-documents): the only ones that admit the
 * provider's hosts. Its script knows nothing of trusted types, so there they only report.
 */
export function cardDocumentHeaders(origins: AllowedOrigins, inline: readonly string[]): Headers {
  const directives = documentDirectives(origins, inline);
  return {
    'content-security-policy': policy({
      ...directives,
      'script-src': [...directives['script-src'], ...origins.cardScripts],
      'connect-src': [...directives['connect-src'], ...origins.cardConnections],
      'frame-src': origins.cardFrames.length > 0 ? origins.cardFrames : ["'none'"],
    }),
    'content-security-policy-report-only': TRUSTED_TYPES,
  };
}

/** A worker's script carries its own policy: the QR decoder compiles WebAssembly, which no document of ours may. */
export function workerHeaders(): Headers {
  return {
    'content-security-policy': policy({
      'default-src': ["'none'"],
      'script-src': ["'self'", "'wasm-unsafe-eval'"],
      'connect-src': ["'self'"],
    }),
  };
}

/** A service worker fetches from our origin and nothing else. */
export function offlineWorkerHeaders(): Headers {
  return {
    'content-security-policy': policy({
      'default-src': ["'none'"],
      'script-src': ["'self'"],
      'connect-src': ["'self'"],
    }),
  };
}

/** A page that the server draws by itself, without any script; `formAction`: where its form may go. */
export function plainPageHeaders(formAction: "'none'" | "'self'" = "'none'"): Headers {
  return {
    'content-security-policy': policy({
      'default-src': ["'none'"],
      'style-src': ["'self'"],
      'frame-ancestors': ["'none'"],
      'base-uri': ["'none'"],
      'form-action': [formAction],
    }),
  };
}
