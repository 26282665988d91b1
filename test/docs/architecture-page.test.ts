import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './markdown-pages.js';

const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');
const picture = readFileSync(join(root, 'docs', 'architecture.svg'), 'utf8');

const PATH = /^(?:packages|create-operator|docs|scripts|test|examples)\/|\/.*\.(?:ts|mjs|md|json|svg)$|^[\w-]+\.md$/;
/** A name such as `openWatch`, `Reflector.run` or `Reflector.#apply`. */
const SYMBOL = /^[A-Za-z_]\w*(?:\.#?\w+)?$/;
/** A step: its number, a symbol, and the file that declares the symbol. */
const STEP = /^\d+\. `[^`]+` \(`[^`]+`\)[ ,]/;

/** Returns the texts in backticks. */
function codeIn(line: string): readonly string[] {
  return [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** Returns each symbol of a line that is followed by a file in parentheses, with the path of the file. */
function declarationsIn(line: string): readonly (readonly [symbol: string, path: string])[] {
  return [...line.matchAll(/`([^`]+)` \(`([^`]+)`\)/g)].map(([, symbol = '', path = '']) => [symbol, path]);
}

/** Whether a source declares a symbol: a class with the member, or a function, class, constant or type. */
function declares(source: string, symbol: string): boolean {
  const [name = '', member] = symbol.split('.');
  const owner = new RegExp(String.raw`\b(?:class|const|function\*?|interface|type) ${name}\b`).test(source);
  if (member === undefined || !owner) return owner;
  return new RegExp(String.raw`^ +(?:(?:static|async|override|readonly|get) +)*\*?${member}\b *[<(:=]`, 'm').test(
    source,
  );
}

/** Whether a source contains a symbol. */
function contains(source: string, symbol: string): boolean {
  return symbol.includes('.') ? declares(source, symbol) : new RegExp(String.raw`\b${symbol}\b`).test(source);
}

function sourceOf(path: string): string {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
}

/** Returns the errors of a page, one sentence each. A file that a line names must exist and contain the symbols of the line. */
function errorsOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => {
    const paths = codeIn(line).filter((code) => PATH.test(code));
    const sources = paths.map(sourceOf);
    const symbols = paths.length === 0 ? [] : codeIn(line).filter((code) => SYMBOL.test(code) && !PATH.test(code));
    return [
      ...paths.filter((path) => !existsSync(join(root, path))).map((path) => `${path} does not exist`),
      ...(/^\d+\. /.test(line) && !STEP.test(line) ? [`no symbol and file at the start of: ${line}`] : []),
      ...declarationsIn(line)
        .filter(([symbol, path]) => !declares(sourceOf(path), symbol))
        .map(([symbol, path]) => `${path} does not declare ${symbol}`),
      ...symbols
        .filter((symbol) => !sources.some((source) => contains(source, symbol)))
        .map((symbol) => `no file of the line contains ${symbol}`),
    ];
  });
}

/** Returns the anchor that GitHub generates for a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-');
}

test('the architecture page names only files and symbols that exist', () => {
  assert.deepEqual(errorsOf(page), []);
  const steps = page.split('\n').filter((line) => STEP.test(line));
  assert.ok(steps.length > 60, `only ${steps.length} steps`);
});

test('the check of the architecture page reports a wrong path and a wrong symbol', () => {
  const reflector = 'packages/runtime/src/cache/reflector/reflector.ts';
  const correct = `1. \`Reflector.run\` (\`${reflector}\`) calls \`openWatch\`.`;
  assert.deepEqual(errorsOf(correct), []);
  assert.deepEqual(errorsOf(correct.replace('cache/', 'caches/')).slice(0, 1), [
    'packages/runtime/src/caches/reflector/reflector.ts does not exist',
  ]);
  assert.deepEqual(errorsOf(correct.replace('packages/', 'package/')).slice(0, 1), [
    'package/runtime/src/cache/reflector/reflector.ts does not exist',
  ]);
  assert.deepEqual(errorsOf(correct.replace('Reflector.run', 'Reflector.walk')), [
    `${reflector} does not declare Reflector.walk`,
    'no file of the line contains Reflector.walk',
  ]);
  assert.deepEqual(errorsOf(correct.replace('Reflector.run', 'openWatch')), [
    `${reflector} does not declare openWatch`,
  ]);
  assert.deepEqual(errorsOf(correct.replace('calls `openWatch`', 'calls `closeWatch`')), [
    'no file of the line contains closeWatch',
  ]);
  assert.deepEqual(errorsOf(`1. The file \`${reflector}\` watches.`), [
    `no symbol and file at the start of: 1. The file \`${reflector}\` watches.`,
  ]);
});

test('the architecture page has four paths, one picture and at most 200 lines', () => {
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  assert.deepEqual(
    headings.map((heading) => heading.slice(0, 3)),
    ['A: ', 'B: ', 'C: ', 'D: '],
  );
  assert.equal([...page.matchAll(/^!\[[^\]]{60,}\]\(architecture\.svg\)$/gm)].length, 1);
  assert.ok(page.split('\n').length <= 201);
});

test('the picture on the architecture page shows only symbols of the page and existing folders, and loads no resources', () => {
  const named = new Set(codeIn(page).flatMap((code) => code.split('.')));
  const texts = (pattern: RegExp): readonly string[] => [...picture.matchAll(pattern)].map(([, text = '']) => text);
  const symbols = texts(/font-weight="600">([^<]+)</g).flatMap((text) => text.replace(/^[A-D]: /, '').split(', '));
  assert.ok(symbols.length > 15);
  assert.deepEqual(
    symbols.filter((symbol) => !named.has(symbol)),
    [],
  );
  const folders = texts(/class="small"[^>]*>([^<]+)</g).flatMap((text) => {
    const [owner = '', names = ''] = text.split(': ');
    const sources = owner === 'create-operator' ? 'create-operator/src' : `packages/${owner}/src`;
    return names.split(', ').map((name) => `${sources}/${name}`);
  });
  assert.deepEqual(
    folders.filter((folder) => !existsSync(join(root, folder))),
    [],
  );
  assert.match(picture, /<title>.+<\/title>/);
  assert.match(picture, /prefers-color-scheme: dark/);
  assert.doesNotMatch(picture, /<script|href=|url\((?!#head\))/);
});

test('CONTRIBUTING.md links to the four paths of the architecture page in the same order', () => {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  const [, section = ''] = /^## Where to start\n(.*?)^## /ms.exec(text) ?? [];
  const links = [...section.matchAll(/\]\(docs\/architecture\.md#([^)]+)\)/g)].map(([, anchor]) => anchor);
  assert.deepEqual(
    links,
    [...page.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)),
  );
});
