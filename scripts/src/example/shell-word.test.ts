import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { shellWord } from './shell-word.js';

test('returns a word that a shell reads as the same text', () => {
  for (const text of ['/tmp/a/kubeconfig', '/tmp/a folder/kubeconfig', "/tmp/it's", '/tmp/$HOME', '/tmp/`x`*', '']) {
    const { stdout } = spawnSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
    assert.equal(stdout, text);
  }
});

test('leaves a path without special characters unchanged', () => {
  assert.equal(shellWord('/tmp/kubewright-1/kubeconfig'), '/tmp/kubewright-1/kubeconfig');
});
