import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { Component } from './component.js';
import { SupervisedComponent } from './supervised-component.js';

describe('SupervisedComponent', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubewright-kept-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Starts a program that records each start, and that exits the first two times. */
  function program(): Component {
    const notes = JSON.stringify(join(folder, 'notes'));
    const script = `const fs = require('node:fs'); fs.appendFileSync(${notes}, 'x');
      if (fs.readFileSync(${notes}, 'utf8').length < 3) process.exit(255); else setInterval(() => {}, 1000)`;
    return new Component({
      name: 'program',
      path: process.execPath,
      args: ['-e', script],
      logFile: join(folder, 'program.log'),
    });
  }
  const runs = (): number =>
    existsSync(join(folder, 'notes')) ? readFileSync(join(folder, 'notes'), 'utf8').length : 0;
  const listeners = (): number => process.listenerCount('exit');

  it('restarts a program after each exit until it is stopped', async () => {
    const before = listeners();
    const started: Component[] = [];
    let supervised: SupervisedComponent | undefined;
    await new Promise<void>((resolve) => {
      const start = (): Component => {
        const component = program();
        if (started.push(component) === 2) resolve();
        return component;
      };
      supervised = new SupervisedComponent(program(), { start });
    });
    assert.ok(supervised);
    supervised.check();
    await supervised.stop();
    assert.equal(started.length, 2);
    assert.equal(started[1]?.isRunning, false);
    assert.ok(runs() === 2 || runs() === 3);
    assert.equal(listeners(), before, 'an exit listener of an ended program remains');
  });

  it('stops a program that is not running and does not restart it', async () => {
    const first = program();
    await first.ended;
    const supervised = new SupervisedComponent(first, {
      start: () => assert.fail('the program was restarted'),
      pauseMs: 50,
    });
    await supervised.stop();
    assert.equal(runs(), 1);
  });
});
