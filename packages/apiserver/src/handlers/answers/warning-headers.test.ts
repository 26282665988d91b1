import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningHeaders } from './warning-headers.js';

const texts = (headers: Readonly<Record<string, string>>): readonly string[] =>
  headers['warning']?.split(', ').map((part) => part.slice('299 - "'.length, -1)) ?? [];

test('the Warning header contains each message once, and omits empty messages and messages with control characters', () => {
  assert.deepEqual(texts(warningHeaders(['a', 'b', 'a', '', 'c\n'])), ['a', 'b']);
  assert.deepEqual(warningHeaders([]), {});
});

test('the Warning header does not shorten messages with at most 4,096 characters in total', () => {
  const sentences = ['a', 'b', 'c', 'd'].map((letter) => letter.repeat(1024));
  assert.deepEqual(texts(warningHeaders(sentences)), sentences);
});

test('the Warning header shortens every message to 256 characters if all messages together are too long', () => {
  const sentences = Array.from({ length: 30 }, (_, at) => `${at}-`.padEnd(1000, 'x'));
  const short = sentences.map((sentence) => sentence.slice(0, 256));
  assert.deepEqual(texts(warningHeaders(sentences)), short.slice(0, 16));
});

test('the Warning header contains only the first messages if there are too many messages', () => {
  const sentences = Array.from({ length: 65_536 }, (_, at) => `sentence ${String(at).padStart(5, '0')}`);
  assert.deepEqual(texts(warningHeaders(sentences)), sentences.slice(0, 293));
});
