import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Output } from './output.js';

/** Returns what an output writes to the standard error for two texts of `status`. */
function written(stderr: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv): string {
  const texts: string[] = [];
  const stdout = { write: () => true };
  const output = new Output({ stdout, stderr: { ...stderr, write: (text) => texts.push(text) }, env });
  output.status('one');
  output.status('');
  return texts.join('');
}

test('status replaces the last line of a terminal, and an empty text removes the line', () => {
  assert.equal(written({ isTTY: true }, { TERM: 'xterm' }), '\r\u001B[2Kone\r\u001B[2K');
});

test('status writes nothing without a terminal, or to a terminal that cannot clear a line', () => {
  assert.equal(written({}, {}), '');
  assert.equal(written({ isTTY: true }, { TERM: 'dumb' }), '');
});
