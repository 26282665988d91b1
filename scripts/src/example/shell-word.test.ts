import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { shellWord } from './shell-word.js';

test('shellWord returns a word that a shell evaluates to the original text', () => {
  for (const text of ['/tmp/a/kubeconfig', '/tmp/a folder/kubeconfig', "/tmp/it's", '/tmp/$HOME', '/tmp/`x`*', '']) {
    const { stdout } = spawnSync('sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' });
    assert.equal(stdout, text);
  }
});

test('shellWord returns a path without special characters unchanged', () => {
  assert.equal(shellWord('/tmp/kubewright-1/kubeconfig'), '/tmp/kubewright-1/kubeconfig');
});
