import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { withProgress } from './with-progress.js';

const texts = { doing: 'installing', done: 'installed' };

test('withProgress displays a running step at a terminal, and prints one line when the step is done', async () => {
  const stdout = new PassThrough({ encoding: 'utf8' });
  const lines: string[] = [];
  const environment = { cwd: '/', env: {}, interactive: true, line: (text: string) => void lines.push(text), stdout };
  let output = '';
  await withProgress(
    async () => {
      for await (const text of stdout.iterator({ destroyOnReturn: false })) {
        output += String(text);
        if (/installing … \d+ s/.test(output)) return;
      }
    },
    texts,
    environment,
  );
  assert.deepEqual(lines, ['installed']);
  assert.ok(String(stdout.read()).endsWith('\r\u001b[K'));
});

test('withProgress does not print the completion line for a step that fails', async () => {
  const lines: string[] = [];
  const environment = { cwd: '/', env: {}, interactive: false, line: (text: string) => void lines.push(text) };
  await assert.rejects(
    withProgress(() => Promise.reject(new Error('no')), texts, environment),
    /no/,
  );
  assert.deepEqual(lines, ['installing …']);
});
