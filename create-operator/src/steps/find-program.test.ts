import assert from 'node:assert/strict';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { findProgram } from './find-program.js';

test('findProgram skips a directory and a file that is not executable', {
  skip: process.platform === 'win32',
}, async () => {
  const root = await mkdtemp(join(tmpdir(), 'kubewright-programs-'));
  try {
    const [directory, text, program] = ['a', 'b', 'c'].map((folder) => join(root, folder, 'tool'));
    await mkdir(String(directory), { recursive: true });
    for (const file of [text, program]) {
      await mkdir(join(String(file), '..'));
      await writeFile(String(file), '#!/bin/sh\n');
    }
    await chmod(String(program), 0o755);
    const env = { PATH: ['a', 'b', 'c'].map((folder) => join(root, folder)).join(delimiter) };
    assert.equal(await findProgram('tool', env), program);
    assert.equal(await findProgram('other', env), undefined);
  } finally {
    await rm(root, { recursive: true });
  }
});
