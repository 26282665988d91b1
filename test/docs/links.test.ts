import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { markdownPages, readmes, root } from './markdown-pages.js';

const fence = /^(```|~~~)[^]*?^\1/gm;
const link = /\]\((?<target>[^)\s]+)\)/g;

/** Returns the anchors that GitHub generates for the headings of a page. */
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
/** The paths of the pages that the list of pages and the navigation must contain. */
const readable = pages
  .map(({ path }) => path)
  .filter(
    (path) =>
      path.startsWith('docs/') &&
      !['docs/index.md', 'docs/pages.md'].includes(path) &&
      !path.startsWith('docs/decisions/'),
  );

test('every link in docs and READMEs to another file or heading has a valid target', () => {
  const links = [...pages, ...readmes()].flatMap(({ path, text }) =>
    [...text.replaceAll(fence, '').matchAll(link)].map(({ groups }) => ({ path, target: groups?.['target'] ?? '' })),
  );
  const own = links.filter(({ target }) => !/^[a-z]+:/.test(target));
  assert.ok(own.length > 20);
  assert.deepEqual(
    own.filter(({ path, target }) => !isThere(path, target)),
    [],
  );
});

test('the list of pages links to every page except the decisions, which the site lists automatically', () => {
  const list = pages.find(({ path }) => path === 'docs/pages.md')?.text ?? '';
  const led = new Set([...list.matchAll(link)].map(({ groups }) => `docs/${groups?.['target']}`));
  assert.deepEqual(
    readable.filter((path) => !led.has(path)),
    [],
  );
});

test('the navigation of the site contains each page exactly once, except the start page, the list of pages and the decisions', () => {
  const text = readFileSync(join(root, 'docs', '.vitepress', 'navigation.json'), 'utf8');
  const groups = JSON.parse(text) as readonly { readonly pages: readonly string[] }[];
  const led = groups.flatMap((group) => group.pages.map((path) => `docs/${path}`));
  assert.deepEqual(led.toSorted(), readable.toSorted());
});

test('the index of the examples links to each example', () => {
  const entries = readdirSync(join(root, 'examples'), { withFileTypes: true });
  const examples = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const index = readmes().find(({ path }) => path === join('examples', 'README.md'))?.text ?? '';
  const rows = [...index.matchAll(/^\| \[([\w-]+)\]\((.+?)\) /gm)].map(([, name, target]) => `${name} ${target}`);
  assert.deepEqual(
    rows.toSorted(),
    examples.toSorted().map((name) => `${name} ${name}`),
  );
});
