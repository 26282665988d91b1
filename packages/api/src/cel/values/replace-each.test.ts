import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CostExceeded } from './cel-error.js';
import { replaceEach } from './replace-each.js';

test('replaceEach returns the same result as String.replace for a long text', () => {
  const text = `a${'😀b"'.repeat(50_000)}`;
  const pattern = /[\p{Emoji_Presentation}"]/gu;
  const replacement = (char: string): string => (char === '"' ? '\\"' : encodeURIComponent(char));
  assert.equal(replaceEach(text, pattern, replacement), text.replace(pattern, replacement));
});

test('replaceEach throws CostExceeded if the result is too long', () => {
  assert.throws(() => replaceEach('ä'.repeat(1_000_000), /ä/g, encodeURIComponent), CostExceeded);
});
