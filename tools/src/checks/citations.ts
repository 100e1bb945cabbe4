import fs from 'node:fs';
import path from 'node:path';
import { layeredFiles, type Layers } from './file-layers.ts';
import { sourceFiles } from './source-files.ts';

const RULES = 'docs/rules';
const SPEC = 'docs/spec-coverage.md';
/** This check and its test, which must name what they refuse. */
const OWN = /^tools\/src\/checks\/citations(\.test)?\.ts$/;

const RULE = /\brules\/([\w-]+)(?:\.md)?#([\w-]+)/g;
const SPEC_BEFORE = /\bspec[\s*/]{1,8}$/;
const SECTION = /§ ?(\d+(?:\.\d+)*)/g;

type OldForm = { pattern: RegExp; layers: ('code' | 'comments' | 'texts')[]; except?: RegExp };
const EVERYWHERE: OldForm['layers'] = ['code', 'comments', 'texts'];
/** What may stand between a page and its section: a line of a comment may end there. */
const GAP = '[,\\s*/]{1,8}';
const PAGE = '(?:payments|decisions|Decisions|providers|look|paying|house|counter|invoicing|words)';

/** Citations of pages that are not in the repository. */
const OLD_FORMS: OldForm[] = [
  { pattern: new RegExp(`\\b${PAGE}(\\.md)?${GAP}§`, 'g'), layers: EVERYWHERE },
  // Pages of the rules link to each other by these names.
  {
    pattern: new RegExp(`(?<![\\w/-])${PAGE}\\.md\\b(?!${GAP}§)`, 'g'),
    layers: EVERYWHERE,
    except: /^docs\/rules\//,
  },
  { pattern: /(?<![\w/.-])design\/\w/g, layers: EVERYWHERE },
  // The number of a rule, in a comment or at the beginning of a test's title.
  { pattern: /(?<![\w.#&/-])[RLP]\d{1,2}(?![\w.-]*[\w-])/g, layers: ['comments'] },
  { pattern: /(?<=['"`])[RLP]\d{1,2}(?=[:,– ])/g, layers: ['texts'], except: /\.(md|html|sh)$/ },
  {
    pattern: new RegExp(`(?<!\\b(?:spec|${PAGE}(\\.md)?)${GAP})§ ?\\d+\\.\\d+`, 'g'),
    layers: EVERYWHERE,
    except: /^docs\/spec-coverage\.md$/,
  },
];

/**
 * Citations that lead nowhere: of a heading that no page of the rules has (`rules/payments#attempts`), of a section that the
 * spec has not (`spec §4`), and of pages that are not here. `root` is the repository.
 */
export function lostCitations(root: string): string[] {
  const anchors = anchorsByPage(root);
  const sections = sectionsOfSpec(root);
  return citingFiles(root).flatMap((layers) => [
    ...found(layers, RULE, EVERYWHERE).flatMap(({ line, match: [, page = '', anchor = ''] }) => {
      const place = `${layers.file}:${line} cites rules/${page}#${anchor}`;
      if (!anchors.has(page)) return [`${place}: there is no ${RULES}/${page}.md`];
      return anchors.get(page)?.has(anchor) ? [] : [`${place}: the page has no such heading`];
    }),
    ...found(layers, SECTION, EVERYWHERE).flatMap(({ line, match: [, section = ''], before }) => {
      const isSpecs = section.includes('.') ? SPEC_BEFORE.test(before) : true;
      if (!isSpecs || sections.has(section) || layers.file === SPEC) return [];
      return [`${layers.file}:${line} cites spec §${section}, which ${SPEC} has not`];
    }),
    ...oldForms(layers),
  ]);
}

/** Citations of pages that are not in the repository, a line each. `root` is the repository. */
export function oldCitations(root: string): string[] {
  return citingFiles(root).flatMap(oldForms);
}

function citingFiles(root: string): Layers[] {
  return layeredFiles(root).filter(({ file }) => !OWN.test(file));
}

function oldForms(layers: Layers): string[] {
  return OLD_FORMS.filter(({ except }) => !except?.test(layers.file)).flatMap(({ pattern, layers: names }) =>
    found(layers, pattern, names).map(
      ({ line, match }) =>
        `${layers.file}:${line} cites '${match[0].replaceAll(/\s[\s*/]*/g, ' ')}': cite rules/<page>#<heading> or spec §n`,
    ),
  );
}

function found(layers: Layers, pattern: RegExp, names: OldForm['layers']) {
  return names
    .flatMap((name) => [...layers[name].matchAll(pattern)].map((match) => ({ match, text: layers[name] })))
    .map(({ match, text }) => ({
      match,
      line: layers.lineAt(match.index),
      before: text.slice(Math.max(0, match.index - 20), match.index),
    }));
}

function anchorsByPage(root: string): Map<string, Set<string>> {
  const folder = path.join(root, RULES);
  const pages = sourceFiles(folder).filter((file) => file.endsWith('.md'));
  return new Map(
    pages.map((file) => [
      file.replace(/\.md$/, ''),
      anchorsOf(fs.readFileSync(path.join(folder, file), 'utf8')),
    ]),
  );
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} +(.+)$/gm)) {
    const slug = heading
      .trim()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
      .replaceAll(' ', '-');
    let anchor = slug;
    for (let again = 1; anchors.has(anchor); again += 1) anchor = `${slug}-${again}`;
    anchors.add(anchor);
  }
  return anchors;
}

function sectionsOfSpec(root: string): Set<string> {
  const file = path.join(root, SPEC);
  const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  return new Set([...text.matchAll(/^#{1,6} §(\d+(?:\.\d+)*)/gm)].map((match) => match[1] ?? ''));
}
