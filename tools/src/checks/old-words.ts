type Layer = 'code' | 'comments' | 'texts' | 'whole';

export type OldWord = {
  /** What it is counted as. */
  word: string;
  use: string;
  pattern: RegExp;
  /** Where it is looked for; `path` is the file's own name, `whole` the file as it is written. */
  layers: (Layer | 'path')[];
  /** Only in files like these, and not in those. */
  files?: RegExp;
  except?: RegExp;
};

const ALL: Layer[] = ['code', 'comments', 'texts'];
const SERVER = /^(server|admin|domain|contract|sandbox|e2e|tools\/(src|demo)|docs)\//;
const WEB = /^(web|ui|browser|counter)\//;
/** Where observations of a provider are told apart. */
const OBSERVING = /^server\/.*(attempt|observ|settle(?!ment)|resolve|sweep|look|poll|read-again|notice)/;
/** Here a machine is a computer. */
const COMPUTERS =
  /^(tools|bench|ops|e2e|docs|sandbox|web\/test)\/|^README\.md|^CONTRIBUTING\.md|^vitest\.config\.ts|\.(ya?ml|service|timer)$/;
/** Here the wire's cancellations are written and read: their money goes back by a `way`. */
const WIRE_OF_CANCELLATIONS =
  /^contract\/src\/(?:cancellations|fields)\.ts$|\/cancelling\/present\.ts$|^web\/src\/data\/cancellations\.ts$|^counter\/src\/data\/purchases\.ts$|\.(test|e2e)\.tsx?$/;
/** A way of paying, alone or as a part of a name. */
const WAYS = /(?<![A-Za-z_])ways?(?![a-z-])|(?<!Its|Under|Any|Al)(?:Ways?)(?![a-z])/g;

/** Words that stand as a part of a name, whether it is written inOneWord or with_lines, or as a word alone. */
function part(words: string): RegExp {
  const upper = words.replaceAll(
    /(^|\|)([a-z])/g,
    (_, bar: string, first: string) => bar + first.toUpperCase(),
  );
  return new RegExp(`(?<![A-Za-z])(?:${words})(?![a-z])|(?:${upper})(?![a-z])`, 'g');
}

/** The words that this trade does not use, and the ones that it does. */
export const OLD_WORDS: OldWord[] = [
  {
    word: 'letter',
    use: 'email',
    // Letter is a size of paper too.
    pattern: new RegExp(
      `(?=[Ll]etter)(?:${part('letter|letters|lettered').source})(?! and A4\\b| page\\b)`,
      'g',
    ),
    layers: ['code', 'path'],
    except: /\.css$/,
  },
  {
    word: 'letter',
    use: 'email',
    // Letters of the alphabet are no emails, nor is the letter to which a text is kept.
    pattern:
      /(?=[Ll]etter)(?<!\b(capital|leading|case|small|accented|Latin|one|two|three|four|its|first|such|digits and|\d+(–\d+)?) |kept to the |departs from the )\b[Ll]etters?\b(?! of (the )?(word|alphabet|spec)| are as typed|s? (and|or) (a )?(digits?|numbers?)|, digits?|-spacing| by letter| (page|paper|case)\b)/g,
    layers: ['comments', 'texts'],
    except: /\.css$/,
  },
  {
    word: 'machine',
    use: 'service account',
    pattern: part('machine|machines'),
    layers: [...ALL, 'path'],
    except: COMPUTERS,
  },
  {
    word: 'machine',
    use: 'service account',
    pattern: /\b[Mm]achine[ _-](accounts?|sessions?|credentials?|passwords?|secrets?|tokens?)\b/g,
    layers: ALL,
    files: COMPUTERS,
  },
  {
    word: 'look',
    use: 'poll, check or refresh; variant for the style of a button',
    pattern:
      /(?<![A-Za-z])(?:looks?|looked|looking)(?![a-z]|_?[Uu]p|[Aa]head|[Bb]ehind)|(?:Looks?|Looked|Looking)(?![a-z]|Up)/g,
    layers: ['code', 'path'],
  },
  {
    word: 'look',
    use: 'poll or check',
    pattern:
      /\b(?:an?|the|each|every|another|one|this|that|first|last|next|two|three|several) looks?\b(?! (?:up|like|of)\b)|\blook(?:ed)?_at\w*/gi,
    layers: ['comments', 'texts'],
    except: WEB,
  },
  {
    word: 'alarm',
    use: 'alert',
    pattern: part('alarm|alarms|alarmed|alarming'),
    layers: [...ALL, 'path'],
    // RFC 5545 calls it so.
    except: /^server\/src\/purchases\/calendar\//,
  },
  {
    word: 'rings',
    use: 'alerts, is alerted',
    pattern: /\b(?:rings|rung|rang|ringing|(?<!\b(?:the|a|key|focus) )ring)\b/g,
    layers: ['comments', 'texts'],
    files: SERVER,
    except: /\.(css|html|js)$/,
  },
  {
    word: 'dark',
    use: 'unreachable',
    pattern: part('dark'),
    layers: ['code'],
    files: SERVER,
    except: /\.(css|html|js)$/,
  },
  {
    word: 'dark',
    use: 'unreachable',
    // Pages and emails have a colour scheme.
    pattern:
      /(?<!\w|light['"]?\s+['"]?|color-scheme: )[Dd]ark(?![a-z])(?! (?:scheme|mode)\b)|(?<=[a-z])Dark(?![a-z])/g,
    layers: ['comments', 'texts'],
    files: SERVER,
    except: /\.(css|html|js)$/,
  },
  {
    word: 'never (observation)',
    use: 'not_sent',
    pattern: /['"`]never['"`]|\bnever:/g,
    layers: ['code', 'texts'],
    files: /^(server|admin|sandbox)\//,
    // valibot expects 'never' where an object has a key too many.
    except: /^server\/src\/settings-schema\.ts$/,
  },
  { word: 'nones', use: 'not_found', pattern: part('nones'), layers: ALL },
  {
    word: 'none (observation)',
    use: 'not_found',
    pattern: /(?<!["\w] ?)['"`]none['"`]|\bnone:/g,
    layers: ['code', 'texts'],
    files: OBSERVING,
  },
  {
    word: 'odd, slow, wait, no, back (observations)',
    use: 'mismatch, processing, requires_action, declined, reversed',
    pattern: /['"`](?:odd|slow|wait|no|back)['"`]|(?<=[{,]\s*)(?:odd|slow|wait|no|back):/g,
    layers: ['code', 'texts'],
    files: OBSERVING,
  },
  {
    word: 'homeless',
    use: 'unapplied',
    pattern:
      /\bhomeless\b|\b(?:without an?|without its|has no|found (?:its|a)|have a|no known|unknown) home\b/gi,
    layers: ALL,
    files: SERVER,
  },
  {
    word: 'household',
    use: 'IP prefix',
    pattern: part('household|households'),
    layers: ALL,
  },
  {
    word: 'mark (of a card)',
    use: 'card fingerprint',
    pattern: /\bcard_?[mM]arks?\b|\bmarkOf\w*|\bmarks? of (?:a|the|one) card\b|\bcard's marks?\b/g,
    layers: ALL,
  },
  {
    word: 'way (of paying)',
    use: 'payment method, or channel',
    pattern: WAYS,
    layers: ['code'],
    except: new RegExp(`\\.(md|html|sh)$|^(bench|tools)/|${WIRE_OF_CANCELLATIONS.source}`),
  },
  {
    word: 'way (of paying)',
    use: 'payment method, or channel',
    // The field itself, given (`way: 'card'`) or read (`refund.way`).
    pattern: new RegExp(`(?!\\bway:|(?<=\\w\\.)way\\b)(?:${WAYS.source})`, 'g'),
    layers: ['code'],
    files: WIRE_OF_CANCELLATIONS,
  },
  {
    word: 'way (of paying)',
    use: 'payment method, or channel',
    pattern: /\bways? of paying\b|\b[a-z]\.way\b|\bway = /g,
    layers: ['comments', 'texts'],
  },
  { word: 'keep-*', use: 'save-* or update-*', pattern: /(?:^|\/)keep-/g, layers: ['path'] },
  {
    word: 'keep-*',
    use: 'save or update',
    pattern: /\bkeep(?!Alive)[A-Z]\w*/g,
    layers: ['code'],
    files: SERVER,
  },
  {
    word: 'outside',
    use: 'external refund, chargeback',
    pattern:
      /\bwent[-_]?[bB]ack\b|\w*(?:[lL]eft_?[oO]utside|[oO]utside_?[rR]efund|[wW]hat[-_]?[lL]eft)\w*|\boutside-refund|(?<!\w)outside_\w+/g,
    layers: ['code', 'path'],
  },
  {
    word: 'outside',
    use: 'external refund, chargeback',
    pattern:
      /\b(?:left|leaves|leave|went back)(?: \w+){0,2} outside\b|\boutside refunds?\b|\bwent-back\b|['"`]outside['"`]|\boutside_\w+|\bby (?:another|other) ways? than ours\b/g,
    layers: ['comments', 'texts'],
  },
  {
    word: 'settle (an attempt)',
    use: 'resolve',
    pattern: /\bsettle(?:[-_]?[aA]ttempts?|Due|Down)\w*|\bSettleDeps\b|\bsettle-attempt/g,
    layers: [...ALL, 'path'],
  },
  {
    word: 'settle (an attempt)',
    use: 'resolve',
    pattern:
      /['"`]settle['"`]|\bsettl(?:es?|ed|ing) (?:an?|the|that|its|every|each) (?:card )?(?:attempt|payment)s?\b/g,
    layers: ['comments', 'texts'],
  },
  {
    word: 'settled (a purchase)',
    use: 'paid_off',
    pattern: /['"`]settled['"`]/g,
    layers: ['comments', 'texts'],
    // A settlement settles operations.
    except: /^server\/src\/back-office\/settlements\//,
  },
  {
    word: 'settled (a purchase)',
    use: 'paid_off',
    pattern: /\bsettled (?:purchase|sale)s?\b/g,
    layers: ['comments', 'texts'],
  },
  {
    word: 'settled (a purchase)',
    use: 'paid_off',
    pattern: /\bsettledPurchases?\b|\b[iI]sSettled\b/g,
    layers: ['code'],
  },
  {
    word: 'settled (a purchase)',
    use: 'paid_off',
    pattern: /(?<=[{,]\s*)settled:/g,
    layers: ['code'],
    except: /^server\/src\/back-office\/settlements\//,
  },
  {
    word: 'settled (a purchase)',
    use: 'paid_off',
    pattern: /\bonSettled\b/g,
    layers: ['code'],
    // React Query calls it when a call has ended.
    except: /^web\/src\/data\//,
  },
  {
    word: 'late (tone)',
    use: 'danger',
    pattern: /(?<=[.-])late\b(?!-)/g,
    layers: ['code'],
    files: /^(web|ui)\/.*\.css$/,
  },
  {
    word: 'late (tone)',
    use: 'danger',
    pattern: /--late\b/g,
    layers: ['texts'],
    files: /\/ui\/.*\.tsx?$|^ui\//,
  },
  {
    word: 'late (tone)',
    use: 'danger',
    // A tone, whether given, typed or listed; an instalment may be late.
    pattern:
      /(?<=\b[tT]ones?(?:=|\??: | = )(?:\{[^}]{0,120}|\[[^\]]{0,120}|[^;,}>"']{0,40}(?:["'][\w-]+["'] \| )*))["']late["']|(?<=<Tone\b[^>]{0,40})["']late["']/g,
    layers: ['whole'],
    files: WEB,
  },
  {
    word: 'names of parts',
    use: 'what it is, as component libraries call it',
    pattern: /(?<![\w.])(?:Bones?|Told|Who|Bill|Dock|Desk|Counter|Stamp|Slots)(?=Props)?\b/g,
    layers: ['code'],
    files: WEB,
  },
  {
    word: 'names of parts',
    use: 'what the reader looks for',
    pattern:
      /\/(?:ends|face|less|trouble|told|who|bill|dock|desk|stamp|bones?)(?=\.(?:module\.|test\.)?(?:tsx?|css)$)/g,
    layers: ['path'],
    files: WEB,
  },
  {
    word: 'watch, told',
    use: 'instrumentation, noop, recorded',
    pattern:
      /\bWatch\b|\b(?:UN)?WATCHED\b|\bunwatched\b|(?<![A-Za-z-])told(?![a-z])|(?<=[a-z])Told(?![a-z])/g,
    layers: ['code'],
    except: WEB,
  },
  {
    word: 'witness, histories',
    use: 'oracle, simulation',
    pattern: /\bwitness(?:es)?\b|\bhistories\b|\bHISTORIES\b/gi,
    layers: [...ALL, 'path'],
  },
  {
    word: 'names of migrations',
    use: 'the tables that it adds',
    pattern: /_(?:seeing|papers|keeping|threats|what_left|operators|operations)(?=\.sql$)/g,
    layers: ['path'],
    files: /^server\/migrations\//,
  },
  {
    word: 'network, in person',
    use: 'the cash channel; a store; Tapi',
    pattern:
      /\bNetworkOperation\w*|\bnetwork-file\b|\bin-person\b(?! screen\b)|\b[iI]nPerson\b|\b(?:a|the) network(?='s (?:file|number|stores)| of stores| (?:takes|took|gave|gives|paid|says|sent))/g,
    layers: [...ALL, 'path'],
  },
  { word: 'queueMail', use: 'sendEmail', pattern: /\bqueue(?:ing)?Mail\w*/g, layers: ['code', 'comments'] },
  {
    word: 'he, she',
    use: 'they, or the role',
    pattern: /\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]ers?|[Hh]imself|[Hh]erself)\b/g,
    layers: ['comments'],
  },
  {
    word: 'he, she',
    use: 'they, or the role',
    pattern: /\b(?:[Hh]e|[Ss]he|[Hh]im|[Hh]is|[Hh]ers?|[Hh]imself|[Hh]erself)\b/g,
    layers: ['texts'],
    files: /\.md$/,
  },
];

/** Files whose words are none of ours, and why. */
export const NOT_OURS: { files: RegExp; layers: (Layer | 'path')[]; why: string }[] = [
  { files: /(^|\/|-)copy\.ts$|\/copy\/[^/]+\.ts$|\/templates\.ts$/, layers: ['texts'], why: 'Spanish copy' },
  { files: /^provider-wire\//, layers: ['code', 'texts'], why: "the providers' wire" },
  { files: /^contract\//, layers: ['texts'], why: 'the names of the wire' },
  { files: /^domain\/src\/sat-tables\.ts$/, layers: ['texts'], why: "SAT's own names" },
  { files: /^CHANGELOG\.md$/, layers: ['code', 'texts'], why: 'tells of what was' },
  {
    files: /^tools\/src\/checks\/(old-words|words|citations)(\.test)?\.ts$/,
    layers: ['code', 'comments', 'texts', 'path'],
    why: 'names what it refuses',
  },
];
