import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineKind, type KubeObject } from '@kubewright/api';
import { Controller, KeyController } from '../../controller/options/controller-decorator.js';
import type { ControllerOptions } from '../../controller/options/controller-options.js';
import { type ResolvedControllerOptions, resolveControllerOptions } from '../../controller/options/resolved-options.js';
import { Result } from '../../controller/reconciler/result.js';
import { RecordingLogger } from '../../test-support/recording-logger.js';
import type { ManagerOptions } from '../settings/manager-options.js';
import { Manager } from '../manager.js';
import { checkControllerDefaults, type ControllerDefaults, withControllerDefaults } from './controller-defaults.js';

const Machine = defineKind({ group: 'test.dev', version: 'v1', kind: 'Machine', spec: { type: 'object' } });
const done = async (): Promise<Result> => Result.done();

function newManager(controllers: ControllerDefaults = {}, options: ManagerOptions = {}): Manager {
  const connection = { server: 'http://127.0.0.1:1' };
  return new Manager({
    connection,
    signals: false,
    settings: false,
    logger: new RecordingLogger(),
    controllers,
    ...options,
  });
}
/** Returns the resolved options of a controller in a manager with these defaults. */
function optionsOf(
  options: Partial<ControllerOptions<KubeObject>>,
  defaults: ControllerDefaults = {},
): ResolvedControllerOptions {
  return resolveControllerOptions(withControllerDefaults({ for: Machine, ...options }, defaults));
}

test('[CN-02] rejects a controller without a reconciler', () => {
  for (const reconciler of [undefined, null, {}, 'later']) {
    assert.throws(() => newManager().control({ for: Machine, name: 'vm' }, reconciler as never), {
      code: 'INVALID_CONTROLLER',
      message: /controller 'vm' has no reconciler: pass a function, or an object with a reconcile method/,
    });
  }
  class StatelessController {}
  Controller({ for: Machine })(StatelessController as never);
  assert.throws(() => newManager().add(StatelessController), {
    code: 'NOT_A_COMPONENT',
    message: /StatelessController .*no reconcile method/,
  });
});

test('[CN-03, CN-04, BD-10] rejects a second controller with the same name, and keeps the first controller', () => {
  for (const sameName of [undefined, false]) {
    const manager = newManager(sameName === undefined ? {} : { sameName }).control({ for: Machine }, done);
    assert.throws(() => manager.control({ for: Machine }, done), {
      code: 'DUPLICATE_CONTROLLER',
      message: /duplicate controller 'machine': give one of the two controllers another name/,
    });
    assert.equal(manager.controller('machine').state, 'waiting');
    assert.throws(() => manager.controller('machine-2'), { code: 'UNKNOWN_CONTROLLER' });
  }
});

test('[CN-05, CN-06] accepts two controllers with the same name if the manager or the controller sets sameName', () => {
  for (const manager of [newManager({ sameName: true }), newManager()]) {
    manager.control({ for: Machine }, done).control({ for: Machine, sameName: true }, done);
    assert.deepEqual(
      manager.describe().controllers.map(({ name }) => name),
      ['machine', 'machine-2'],
    );
    assert.deepEqual(
      [manager.controller('machine').name, manager.controller('machine-2').name],
      ['machine', 'machine'],
    );
  }
});

test('[CN-07, BD-16] accepts controllers of the same kind with different names', () => {
  const manager = newManager()
    .control({ for: Machine, name: 'one' }, done)
    .control({ for: Machine, name: 'two' }, done);
  assert.deepEqual([manager.controller('one').name, manager.controller('two').name], ['one', 'two']);
});

test('[CN-13, CN-15] options of a controller take precedence over the defaults of the manager', () => {
  const defaults = { failFast: true, leaderOnly: false, warmUp: false };
  const { failFast, leaderOnly, warmUp } = optionsOf({ failFast: false, leaderOnly: true, warmUp: true }, defaults);
  assert.deepEqual([failFast, leaderOnly, warmUp], [false, true, true]);
});

test('[BD-12] concurrencyByKind takes precedence over the default concurrency of the manager', () => {
  const defaults = { concurrency: 2, concurrencyByKind: { 'Machine.test.dev': 6 } };
  assert.equal(optionsOf({}, defaults).concurrency, 6);
  assert.equal(optionsOf({ concurrency: 9 }, defaults).concurrency, 9);
  assert.equal(optionsOf({}, { ...defaults, concurrencyByKind: { Pod: 6 } }).concurrency, 2);
});

test('the error for an invalid default of controllers names the option and the fix', () => {
  const refused = (defaults: object, message: RegExp): void =>
    assert.throws(() => checkControllerDefaults(defaults), { code: 'INVALID_MANAGER', message });
  refused({ timeout: 'soon' }, /controllers\.timeout is 'soon': it must be a duration/);
  refused(
    { concurrencyByKind: { Pod: 0 } },
    /controllers\.concurrencyByKind\['Pod'\] is 0: it must be a positive integer/,
  );
  refused({ sameName: 1 }, /controllers\.sameName is 1: it must be true or false/);
});

test('a class without a kind reconciles keys, and its name is derived from the class', () => {
  @KeyController({ sources: [{ name: 'directory', start: () => undefined }] })
  class TenantController {
    reconcile(): Promise<Result> {
      return done();
    }
  }
  const manager = newManager().add(TenantController);
  assert.equal(manager.controller(TenantController).name, 'tenant');
  assert.throws(() => manager.controlKeys({ watches: [] } as never, done), {
    code: 'INVALID_CONTROLLER',
    message: /neither 'for' nor 'name'/,
  });
});
