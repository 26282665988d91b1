import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { withProgress } from './with-progress.js';

const texts = { doing: 'installing', done: 'installed' };

test('withProgress displays a running step at a terminal, and prints one line when the step is done', async () => {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const lines: string[] = [];
  const surroundings = { cwd: '/', env: {}, interactive: true, line: (text: string) => void lines.push(text), stdout };
  let drawn = '';
  await withProgress(
    async () => {
      for await (const text of stdout.iterator({ destroyOnReturn: false })) {
        drawn += String(text);
        if (/installing … \d+ s/.test(drawn)) return;
      }
    },
    texts,
    surroundings,
  );
  assert.deepEqual(lines, ['installed']);
  assert.ok(String(stdout.read()).endsWith('\r\u001b[K'));
});

test('withProgress does not print the completion line for a step that fails', async () => {
  const lines: string[] = [];
  const surroundings = { cwd: '/', env: {}, interactive: false, line: (text: string) => void lines.push(text) };
  await assert.rejects(
    withProgress(() => Promise.reject(new Error('no')), texts, surroundings),
    /no/,
  );
  assert.deepEqual(lines, ['installing …']);
});
