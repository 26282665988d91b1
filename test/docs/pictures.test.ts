import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { markdownPages, root } from './markdown-pages.js';

const concepts = markdownPages().filter(({ path }) => path.startsWith('docs/concepts/'));

test('every page about a concept has one picture with a text description, and at most 100 lines', () => {
  assert.equal(concepts.length, 6);
  for (const { path, text } of concepts) {
    const pictures = [...text.matchAll(/^!\[(?<words>[^\]]+)\]\((?<file>[\w-]+\.svg)\)$/gm)];
    assert.equal(pictures.length, 1, path);
    const { words = '', file = '' } = pictures[0]?.groups ?? {};
    assert.ok(words.length > 60, `${path}: ${words}`);
    assert.match(readFileSync(join(root, 'docs', 'concepts', file), 'utf8'), /<title>.+<\/title>/);
    assert.ok(text.split('\n').length <= 101, path);
  }
});

test('the pictures load no resources and are readable in dark mode', () => {
  for (const { path } of concepts) {
    const svg = readFileSync(join(root, path.replace(/\.md$/, '.svg')), 'utf8');
    assert.match(svg, /prefers-color-scheme: dark/, path);
    assert.doesNotMatch(svg, /<script|href=|url\((?!#head\))/, path);
  }
});
