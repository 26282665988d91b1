import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from './markdown-pages.js';

const page = readFileSync(join(root, 'docs', 'guides', 'troubleshooting.md'), 'utf8');
/** The rows of the page. A row has the form: - `message` (`CODE`): Why. What to do. */
const rows = [...page.matchAll(/^- `(?<message>[^`]+)`(?: \(`(?<code>[A-Z_]+)`\))?: [A-Z`].+\.$/gm)].map(
  ({ groups = {} }) => ({ message: groups['message'] ?? '', code: groups['code'] }),
);

/** All sources as one text, without the operators that join parts of a message. */
const sources = ['api', 'runtime', 'testing', 'cli']
  .flatMap((name) => {
    const folder = join(root, 'packages', name, 'src');
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return paths
      .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|test-support|generated/.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8'));
  })
  .join('\n')
  .replaceAll(/['`] \+\s+['`]/g, '');

test('the page about troubleshooting quotes only messages of the sources', () => {
  assert.ok(rows.length > 25);
  const parts = rows.flatMap(({ message }) => message.split('…').map((part) => part.trim()));
  assert.deepEqual(
    parts.filter((part) => /\w{3}/.test(part) && !sources.includes(part)),
    [],
  );
});

test('the page about errors lists every code that the page about troubleshooting contains', () => {
  const errors = readFileSync(join(root, 'docs', 'reference', 'errors.md'), 'utf8');
  assert.deepEqual(
    rows.filter(({ code }) => code !== undefined && !errors.includes(`- \`${code}\`: `)),
    [],
  );
});

test('every row of the page about troubleshooting quotes a message, except the row about exit code 1', () => {
  const others = page.match(/^- (?!`).+$/gm) ?? [];
  assert.deepEqual(
    others.map((line) => line.slice(0, 13)),
    ['- Exit code 1'],
  );
  assert.equal(rows.length + others.length, page.match(/^- /gm)?.length);
});
