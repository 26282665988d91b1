import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { controllerSettings, MANAGER_SETTINGS } from '@kubewright/runtime/internal';
import { root } from './markdown-pages.js';

const page = readFileSync(join(root, 'docs', 'reference', 'labels-and-annotations.md'), 'utf8');
const [, variables = '', annotations = ''] = page.split(/^## /m);
const rowsIn = (section: string): readonly string[] =>
  [...section.matchAll(/^- `([^`]+)`: [A-Z`].+\.$/gm)].map(([, what = '']) => what);

/** The sources without doc comments. */
const sources = [
  'packages/api',
  'packages/runtime',
  'packages/apiserver',
  'packages/testing',
  'packages/cli',
  'create-operator',
].flatMap((name) => {
  const folder = join(root, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|test-support|generated/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8').replaceAll(/\/\*\*[^]*?\*\//g, ''));
});

const read = /\b(?:env|environment)(?:\.|\[')([A-Z][A-Z_]+)\b/g;
const unpacked = /\{([^{}]*)\} = (?:process\.)?(?:env|environment)\b/g;

test('the page about labels, annotations and variables lists every environment variable that the sources read by name, sorted', () => {
  const names = sources.flatMap((text) => [
    ...[...text.matchAll(read)].map(([, name = '']) => name),
    ...[...text.matchAll(unpacked)].flatMap(([, inside = '']) => inside.match(/\b[A-Z][A-Z_]{2,}\b/g) ?? []),
  ]);
  // The page about settings lists the variables of settings. This page may also list such a variable to give additional information.
  const settings = new Set([...MANAGER_SETTINGS, ...controllerSettings('NAME')].map(({ variable }) => variable));
  const reported = rowsIn(variables);
  const own = [...new Set(names)].filter((name) => !settings.has(name) || reported.includes(name));
  assert.deepEqual(reported, own.toSorted());
});

test('the page about labels and annotations lists every label and annotation in the sources, and no other', () => {
  const constants = /^export const \w+(?:LABEL|ANNOTATION|ANNOTATION_PREFIX) = '([\w.-]*kubewright\.dev\/[\w-]*)';$/gm;
  const names = sources.flatMap((text) => [...text.matchAll(constants)].map(([, name = '']) => name));
  assert.deepEqual(rowsIn(annotations).toSorted(), names.toSorted());
});
