// The files with texts that people read, and the texts in each of them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTexts } from './markdown-texts.mjs';
import { sourceTexts } from './source-texts.mjs';

/** Folders without texts of this project: installed, compiled, generated, recorded or copied files. */
const NO_TEXTS = new Set([
  'node_modules',
  'dist',
  'generated',
  'data',
  'goldens',
  'published',
  'answers',
  'memcached',
  'cases',
]);
/** Sources of tests. Their strings are data, except the titles. */
const TEST = /^test\/|\.test(\.support|-d)?\.ts$|\/test-support\//;
/**
 * Sources whose messages repeat the messages of Kubernetes word for word: the API server, and the rules of its API in `packages/api`. Their
 * comments are checked.
 */
const AS_KUBERNETES =
  /^packages\/apiserver\/src\/(?!command\/)|^packages\/api\/src\/(apply|cel|conditions|crd-rules|json|json-path|names|patch|quantity|resource-version|schema|selectors)\//;
/** Sources whose strings are examples of errors. */
const EXAMPLES = /^scripts\/prose\/(exceptions|glossary|grammar)\.mjs$/;

/** Returns the paths of the files with texts, relative to the root. */
export function pathsIn(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NO_TEXTS.has(name) && (!name.startsWith('.') || name === '.vitepress'))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pathsIn(root, path);
      return /\.(md|ts|mts|mjs)$/.test(path) ? [path] : [];
    });
}

/** Returns the texts of a file. `path` is relative to the root and decides which parts of the file are texts. */
export function textsOf(path, source = '') {
  return textsIn(path, source).map((text) => ({ path, ...text }));
}

/** Returns the texts of the files at the paths. */
export function readTexts(root, paths) {
  return paths.flatMap((path) => textsOf(path, readFileSync(join(root, path), 'utf8')));
}

function textsIn(path, source) {
  if (path === 'CHANGELOG.md') return markdownTexts(unreleased(source));
  if (path.endsWith('.md')) return markdownTexts(source);
  const texts = sourceTexts(path, source, { isTest: TEST.test(path) });
  return AS_KUBERNETES.test(path) || EXAMPLES.test(path) ? texts.filter(({ kind }) => kind !== 'message') : texts;
}

/** Returns the changelog up to the newest release. The history is not rewritten. */
function unreleased(source) {
  const [release] = /^## (?!Unreleased\b).*/m.exec(source) ?? [];
  return release === undefined ? source : source.slice(0, source.indexOf(release));
}
