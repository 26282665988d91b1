import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Component } from './component.js';

describe('a program of a control plane', () => {
  let folder: string;
  let logFile: string;
  const run = (script: string): Component =>
    new Component({ name: 'program', path: process.execPath, args: ['-e', script], logFile });

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-component-'));
    logFile = join(folder, 'program.log');
  });
  after(() => rmSync(folder, { recursive: true }));

  test('[OT-21] reports the exit code and the last output of a program that exits unexpectedly', async () => {
    const program = run('console.log("no room left"); process.exit(3)');
    await program.ended;
    assert.equal(program.isRunning, false);
    assert.throws(() => program.check(), { code: 'COMPONENT_ENDED', message: /exit code 3[^]*no room left/ });
    await program.stop();
  });

  test('[OT-21] reports a program that cannot start', async () => {
    const program = new Component({ name: 'absent', path: join(folder, 'absent'), args: [], logFile });
    await program.ended;
    assert.throws(() => program.check(), { code: 'COMPONENT_ENDED' });
    await program.stop();
  });

  test('[OT-21] stops a program once for several stop requests', async () => {
    const program = run('setInterval(() => undefined, 1e9)');
    program.check();
    await Promise.all([program.stop(), program.stop()]);
    await program.stop();
    assert.equal(program.isRunning, false);
  });

  test('[OT-21] kills a program after the grace period if the program ignores SIGTERM', async () => {
    const ready = join(folder, 'ready');
    const script = `process.on('SIGTERM', () => undefined); require('node:fs').writeFileSync(${JSON.stringify(ready)}, ''); setInterval(() => undefined, 1e9)`;
    const program = new Component({
      name: 'stubborn',
      path: process.execPath,
      args: ['-e', script],
      logFile,
      graceMs: 50,
    });
    while (!existsSync(ready)) await new Promise((resolve) => setImmediate(resolve));
    await program.stop();
    assert.throws(() => program.check(), { message: /SIGKILL/ });
  });

  test('[OT-21] a program that exits at the end of its standard input exits when its parent process is killed', async () => {
    const module = JSON.stringify(fileURLToPath(new URL('./component.js', import.meta.url)));
    const parentScript = join(folder, 'parent.mjs');
    // The program ends when its standard input closes, like Kubewright's build of a control plane.
    writeFileSync(
      parentScript,
      `import { Component } from ${module};
       const script = 'console.log("pid " + process.pid); process.stdin.resume().on("end", () => { console.log("the end"); process.exit() })';
       new Component({ name: 'child', path: process.execPath, args: ['-e', script], logFile: ${JSON.stringify(join(folder, 'child.log'))} });
       console.log('started'); setInterval(() => undefined, 1e9);`,
    );
    const parent = spawn(process.execPath, [parentScript], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(createInterface(parent.stdout), 'line');
    const output = (): string => readFileSync(join(folder, 'child.log'), 'utf8');
    while (!output().includes('pid')) await new Promise((resolve) => setImmediate(resolve));
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    while (!output().includes('the end')) await new Promise((resolve) => setImmediate(resolve));
  });
});
