import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { markdownPages, root } from './markdown-pages.js';

const fence = /^(```|~~~)[^]*?^\1/gm;
const link = /\]\((?<target>[^)\s]+)\)/g;

/** What GitHub makes of the headings of a page. */
function anchorsOf(text: string): readonly string[] {
  return [...text.replaceAll(fence, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
function isThere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#');
  const file = path === '' ? join(root, from) : join(root, dirname(from), path);
  if (!existsSync(file)) return false;
  return anchor === undefined || anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
}

const pages = markdownPages();

test('every link from a page to another file or heading leads somewhere', () => {
  const links = pages.flatMap(({ path, text }) =>
    [...text.replaceAll(fence, '').matchAll(link)].map(({ groups }) => ({ path, target: groups?.['target'] ?? '' })),
  );
  const own = links.filter(({ target }) => !/^[a-z]+:/.test(target));
  assert.ok(own.length > 20);
  assert.deepEqual(
    own.filter(({ path, target }) => !isThere(path, target)),
    [],
  );
});

test('the README leads to every guide and every reference', () => {
  const readme = pages.find(({ path }) => path === 'README.md')?.text ?? '';
  const led = new Set([...readme.matchAll(link)].map(({ groups }) => groups?.['target']));
  const lost = pages.filter(({ path }) => /^docs\/(guides|reference)\//.test(path) && !led.has(path));
  assert.deepEqual(
    lost.map(({ path }) => path),
    [],
  );
});
