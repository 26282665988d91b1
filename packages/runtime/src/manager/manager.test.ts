import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { defineKind, type KubeObject } from '@kubewright/api';
import { Controller } from '../controller/options/controller-decorator.js';
import type { Reconciler } from '../controller/reconciler/reconciler.js';
import { Result } from '../controller/reconciler/result.js';
import { RecordingLogger } from '../test-support/recording-logger.js';
import { Manager } from './manager.js';

const Machine = defineKind({ group: 'test.dev', version: 'v1', kind: 'Machine', spec: { type: 'object' } });

@Controller({ for: Machine })
class MachineController implements Reconciler<KubeObject> {
  async reconcile(): Promise<Result> {
    return Result.done();
  }
}
/** An address on which no server listens. */
const connection = { server: 'http://127.0.0.1:1' };

function newManager(): Manager {
  return new Manager({ connection, signals: false, logger: new RecordingLogger() });
}

test('rejects a class that has neither @Controller nor a run method, and names the class', () => {
  class Forgotten {
    async reconcile(): Promise<Result> {
      return Result.done();
    }
  }
  assert.throws(() => newManager().add(Forgotten), { code: 'NOT_A_COMPONENT', message: /Forgotten.*no @Controller/ });
});

test('rejects two controllers with the same name', () => {
  const manager = newManager().add(MachineController);
  assert.throws(() => manager.control({ for: Machine, name: 'machine' }, async () => Result.done()), {
    code: 'DUPLICATE_CONTROLLER',
  });
});

/** Returns a function that adds a controller with these options to a new manager. */
function control(options: { name?: string; concurrency?: number }): () => Manager {
  return () => newManager().control({ for: Machine, ...options }, async () => Result.done());
}

test('the error for an invalid option names the controller and the option', () => {
  assert.throws(control({ concurrency: 0 }), { code: 'INVALID_CONTROLLER', message: /'machine': concurrency is 0/ });
  assert.throws(control({ name: 'Not A Name' }), { code: 'INVALID_CONTROLLER', message: /'Not A Name'/ });
});

test('enqueue throws for a controller that was not added or that is not running', () => {
  const manager = newManager();
  assert.throws(() => manager.enqueue(MachineController, { name: 'a' }), { code: 'UNKNOWN_CONTROLLER' });
  manager.add(MachineController);
  assert.throws(() => manager.enqueue(MachineController, { name: 'a' }), { code: 'NOT_STARTED' });
});

test('start rejects if the manager was stopped before', async () => {
  const manager = newManager().add(MachineController);
  await manager.stop();
  await manager.stopped;
  await assert.rejects(manager.start(), { code: 'ALREADY_STARTED' });
});

test('logs to the pino instance of the program, and can change the level of this instance', async () => {
  const lines: string[] = [];
  const logger = pino({ customLevels: { audit: 35 } }, { write: (line: string) => void lines.push(line) });
  const settings = { env: {}, args: ['--grace-period=5s'] };
  const manager = new Manager({ connection, signals: false, logger, settings }).add(MachineController);
  manager.logLevel = 'audit';
  assert.equal(logger.level, 'audit');
  manager.logLevel = 'info';
  const started = manager.start();
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
  assert.ok(lines.some((line) => line.includes('--grace-period')));
});

test('stop ends a start that waits for an unresponsive server', async () => {
  const manager = newManager().add(MachineController);
  const started = manager.start();
  await manager.stop();
  await assert.rejects(started, { code: 'STOPPED' });
});

test('start rejects if a runnable fails immediately, after the running components have stopped', async () => {
  const manager = newManager();
  let ended = false;
  manager.add({
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          ended = true;
          resolve();
        });
      }),
  });
  manager.add({ run: () => Promise.reject(new Error('broken')) });
  await assert.rejects(manager.start(), /broken/);
  await assert.rejects(manager.stopped, /broken/);
  assert.equal(ended, true);
});
