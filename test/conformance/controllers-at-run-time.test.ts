import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CustomResource, Field, Kind, type KubeObject } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import {
  Channel,
  Controller,
  Finalizers,
  type ReconcileKey,
  type Reconciler,
  Result,
  sourceOf,
  watch,
} from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { kinds, lacksOnly, namespace, Rack, rack, Reported } from './watched-kinds.js';

class PassingSpec {
  @Field.string({ optional: true }) text?: string;
}
/** A kind whose definition the tests install and uninstall. */
@Kind({ group: 'watch.example.com', version: 'v1' })
class Passing extends CustomResource(PassingSpec) {}
/** A second kind, whose definition a test uninstalls and installs again. */
@Kind({ group: 'watch.example.com', version: 'v1' })
class Added extends CustomResource(PassingSpec) {}

const reported = new Reported();
@Controller({ for: Rack, name: 'reported-rack' })
class RackController implements Reconciler<Rack> {
  async reconcile({ metadata }: Rack): Promise<Result> {
    reported.add(metadata.name);
    return Result.done();
  }
}

describe('controllers of a running manager', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds });
  });
  after(() => env[Symbol.asyncDispose]());
  const configMap = (name: string): ConfigMap => new ConfigMap({ metadata: { name, namespace } });
  /** Maps an object to the rack with the same name. */
  const same = ({ metadata: { name } }: KubeObject): readonly ReconcileKey[] => [{ namespace, name }];
  const informersOf = (manager: ReturnType<TestEnvironment['manager']>, kind: string): number =>
    manager.status().informers.filter((informer) => informer.kind === kind).length;

  test('a stopped controller starts again and then reconciles objects created in the meantime, while other controllers continue', async () => {
    reported.clear();
    const others = new Reported();
    await using manager = env.manager().add(RackController);
    manager.control({ for: Rack, name: 'other' }, async ({ metadata }) => {
      others.add(metadata.name);
      return Result.done();
    });
    const controller = manager.controller(RackController);
    assert.deepEqual([controller.name, controller.state, controller.stats], ['reported-rack', 'waiting', undefined]);
    await manager.start();
    assert.equal(controller.state, 'working');
    await env.client.create(rack('before'));
    await reported.until('before');
    await env.settled();
    assert.ok((controller.stats?.success ?? 0) > 0);

    await controller.stop();
    assert.equal(manager.controller('reported-rack').state, 'stopped');
    assert.throws(() => controller.enqueue({ namespace, name: 'before' }), { code: 'NOT_STARTED' });
    assert.deepEqual([manager.readiness().ready, manager.pending()], [true, []]);
    await env.client.create(rack('meanwhile'));
    await others.until('meanwhile');
    assert.ok(!reported.all.includes('meanwhile'));

    controller.resize(3);
    assert.throws(() => controller.resize(0), {
      code: 'INVALID_CONTROLLER',
      message: /'reported-rack': concurrency is 0/,
    });
    await controller.start();
    await reported.until('meanwhile');
    assert.equal(controller.state, 'working');
    const metrics = await manager.metrics.text();
    assert.match(metrics, /^controller_runtime_max_concurrent_reconciles\{controller="reported-rack"\} 3$/m);
    controller.enqueue({ namespace, name: 'before' });
    await env.settled();
    await manager.stop();
    assert.equal(controller.state, 'stopped');
    await assert.rejects(controller.start(), { code: 'STOPPED' });
    assert.throws(() => manager.controller('nobody'), { code: 'UNKNOWN_CONTROLLER', message: /'nobody'/ });
  });

  test('[CS-11] a started manager and a started controller reject a second start', async () => {
    await using manager = env.manager().add(RackController);
    await manager.start();
    await assert.rejects(manager.start(), { code: 'ALREADY_STARTED' });
    await assert.rejects(manager.controller(RackController).start(), {
      code: 'ALREADY_STARTED',
      message: /'reported-rack': it is already started; stop it first/,
    });
  });

  test('a controller that cannot start because of a duplicate finalizer keeps no informer', async () => {
    await using manager = env.manager();
    const done = async (): Promise<Result> => Result.done();
    const finalizers = new Finalizers<Rack>().add('example.com/twice', done);
    const options = { for: Rack, name: 'twice', finalizer: 'example.com/twice' };
    manager.control(options, { reconcile: done, finalize: done, finalizers });
    await manager.controller('twice').stop();
    await manager.start();
    await assert.rejects(manager.controller('twice').start(), { code: 'DUPLICATE_FINALIZER' });
    assert.equal(informersOf(manager, 'Rack'), 0);
  });

  test('a controller that is stopped before its manager starts remains stopped until it is started', async () => {
    reported.clear();
    await env.client.create(rack('kept-out'));
    await using manager = env.manager().add(RackController);
    const controller = manager.controller(RackController);
    await controller.stop();
    await manager.start();
    assert.deepEqual([controller.state, informersOf(manager, 'Rack')], ['stopped', 0]);
    await controller.start();
    await reported.until('kept-out');
  });

  test('watches and sources can be added and removed while the controller runs, and remain after the controller stops and starts again', async () => {
    reported.clear();
    const channel = new Channel();
    await using manager = env.manager().add(RackController);
    const controller = manager.controller(RackController);
    const source = await controller.listen(sourceOf('by hand', channel));
    await manager.start();
    for (const name of ['watched', 'again', 'over', 'reported']) await env.client.create(rack(name));
    await env.settled();
    reported.clear();

    const watched = await controller.watch(watch(ConfigMap, { map: same }));
    assert.equal(informersOf(manager, 'ConfigMap'), 1);
    await env.client.create(configMap('watched'));
    await reported.until('watched');
    await channel.send({ namespace, name: 'reported' });
    await reported.until('reported');

    await controller.stop();
    assert.equal(informersOf(manager, 'ConfigMap'), 0);
    await controller.start();
    await env.settled();
    reported.clear();
    await env.client.create(configMap('again'));
    await reported.until('again');

    await watched[Symbol.asyncDispose]();
    await source[Symbol.asyncDispose]();
    assert.equal(informersOf(manager, 'ConfigMap'), 0);
    reported.clear();
    await env.client.create(configMap('over'));
    await env.settled();
    assert.deepEqual(reported.all, []);
    await assert.rejects(controller.watch({}), { code: 'INVALID_CONTROLLER' });
    await assert.rejects(controller.listen({} as never), { code: 'INVALID_CONTROLLER' });
  });

  test('a controller that is added to a running manager starts immediately', async () => {
    reported.clear();
    await using manager = env.manager();
    await manager.start();
    manager.add(RackController);
    await env.client.create(rack('late'));
    await reported.until('late');
    assert.equal(manager.controller(RackController).state, 'working');
  });

  test('a controller waits for a kind that is installed later: readiness reports the kind, other controllers work, and the controller then reconciles', async () => {
    const passed = new Reported();
    reported.clear();
    await using manager = env.manager();
    await manager.start();
    manager.add(RackController);
    manager.control({ for: Passing, name: 'passing', syncTimeout: false }, async ({ metadata }) => {
      passed.add(metadata.name);
      return Result.done();
    });
    await env.client.create(rack('undisturbed'));
    await reported.until('undisturbed');
    const controller = manager.controller('passing');
    assert.equal(controller.state, 'opening');
    assert.match(manager.readiness().reasons.join(), /controller 'passing' .*Passing/);
    await env.install({ kinds: [Passing] });
    await env.client.create(new Passing({ metadata: { name: 'here', namespace }, spec: {} }));
    await passed.until('here');
    assert.deepEqual([controller.state, controller.problems, manager.readiness().ready], ['working', [], true]);
    await env.uninstall({ kinds: [Passing] });
  });

  test('a controller reports a problem while its kind is not installed, and continues when the kind is installed again', async () => {
    const passed = new Reported();
    await env.install({ kinds: [Added] });
    await using manager = env.manager().add(RackController);
    manager.control({ for: Added, name: 'added' }, async ({ metadata }) => {
      passed.add(metadata.name);
      return Result.done();
    });
    await manager.start();
    await env.client.create(new Added({ metadata: { name: 'first', namespace }, spec: {} }));
    await passed.until('first');
    await env.uninstall({ kinds: [Added] });
    const controller = manager.controller('added');
    const until = async (isSo: () => boolean): Promise<void> => {
      await new Promise<void>((resolve) => {
        const end = manager.onActivity(() => {
          if (!isSo()) return;
          end();
          resolve();
        });
        if (isSo()) resolve();
      });
    };
    await until(() => controller.problems.length > 0);
    assert.match(controller.problems.join(), /controller 'added' .*Added/);
    assert.equal(manager.readiness().ready, false);
    await env.install({ kinds: [Added] });
    await env.client.create(new Added({ metadata: { name: 'second', namespace }, spec: {} }));
    await passed.until('second');
    await until(() => controller.problems.length === 0);
    assert.equal(manager.readiness().ready, true);
  });

  test('a start that exceeds the syncTimeout reports the missing source and leaves the controller stopped', async () => {
    const clock = new FakeClock();
    await using manager = env.manager({ clock, controllers: { syncTimeout: '1s' } }).add(RackController);
    await manager.start();
    const controller = manager.controller(RackController);
    await controller.stop();
    await controller.listen({
      name: 'never synced',
      start: () => undefined,
      synced: () => new Promise(() => undefined),
    });
    const failed = assert.rejects(controller.start(), {
      code: 'NOT_SYNCED',
      message: /after 1 s: source 'never synced' of controller 'reported-rack' is not synced yet/,
    });
    await Promise.race([lacksOnly(manager, 'reported-rack', /'never synced'/), failed]);
    await clock.advance('1s');
    await failed;
    assert.deepEqual([controller.state, manager.readiness().ready], ['stopped', true]);
  });

  test('a watch of a kind that is not served fails after the syncTimeout, and the controller continues without the watch', async () => {
    reported.clear();
    const clock = new FakeClock();
    await using manager = env.manager({ clock, controllers: { syncTimeout: '1s' } }).add(RackController);
    await manager.start();
    const controller = manager.controller(RackController);
    const failed = assert.rejects(controller.watch(watch(Passing, { map: same })), {
      code: 'NOT_SYNCED',
      message: /after 1 s: controller 'reported-rack' .*Passing/,
    });
    await Promise.race([lacksOnly(manager, 'reported-rack', /Passing/), failed]);
    await clock.advance('1s');
    await failed;
    assert.deepEqual([controller.state, controller.problems], ['working', []]);
    await env.client.create(rack('unharmed'));
    await reported.until('unharmed');
  });
});
