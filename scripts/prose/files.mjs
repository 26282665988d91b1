// Finds the files that contain texts for people, and extracts these texts.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTexts } from './markdown-texts.mjs';
import { sourceTexts } from './source-texts.mjs';

/** The names of folders that are not checked, because their files are installed, compiled, generated, recorded, or copied. */
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
/** Matches the sources of tests. In these sources, only comments and titles are checked, because other strings are data. */
const TEST = /^test\/|\.test(\.support|-d)?\.ts$|\/test-support\//;
/**
 * Matches sources whose messages must be equal to the messages of Kubernetes: the API server, and its validation rules in `packages/api`.
 * In these sources, only comments are checked.
 */
const AS_KUBERNETES =
  /^packages\/apiserver\/src\/(?!command\/)|^packages\/api\/src\/(apply|cel|conditions|crd-rules|json|json-path|names|patch|quantity|resource-version|schema|selectors)\//;
/** Matches sources whose strings are examples of errors. In these sources, only comments are checked. */
const EXAMPLES = /^scripts\/prose\/(exceptions|glossary|grammar)\.mjs$/;

/** Returns the paths of all files with texts below a folder, relative to the root. */
export function pathsIn(root, folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .filter(({ name }) => !NO_TEXTS.has(name) && (!name.startsWith('.') || name === '.vitepress'))
    .flatMap((entry) => {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return pathsIn(root, path);
      return /\.(md|ts|mts|mjs)$/.test(path) ? [path] : [];
    });
}

/** Extracts the texts of a file. `path`, relative to the root, determines which strings of the file are checked. */
export function textsOf(path, source = '') {
  return textsIn(path, source).map((text) => ({ path, ...text }));
}

/** Reads the files at the paths, and extracts their texts. */
export function readTexts(root, paths) {
  return paths.flatMap((path) => textsOf(path, readFileSync(join(root, path), 'utf8')));
}

function textsIn(path, source) {
  if (path === 'CHANGELOG.md') return markdownTexts(unreleased(source));
  if (path.endsWith('.md')) return markdownTexts(source);
  const texts = sourceTexts(path, source, { isTest: TEST.test(path) });
  return AS_KUBERNETES.test(path) || EXAMPLES.test(path) ? texts.filter(({ kind }) => kind !== 'message') : texts;
}

/** Returns the unreleased changes in the changelog. Released sections are not checked, because they must not change. */
function unreleased(source) {
  const [release] = /^## (?!Unreleased\b).*/m.exec(source) ?? [];
  return release === undefined ? source : source.slice(0, source.indexOf(release));
}
