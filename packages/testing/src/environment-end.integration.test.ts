import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { Controller, EventRecorder, type Reconciler, Result } from '@kubewright/runtime';
import { FakeClock } from './fake-clock.js';
import { TestEnvironment } from './test-environment.js';

class BellSpec {
  @Field.int32() rings!: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Bell extends CustomResource(BellSpec) {}

const bell = new Bell({ metadata: { name: 'a', namespace: 'default' }, spec: { rings: 1 } });

@Controller({ for: Bell })
class BellController implements Reconciler<Bell> {
  readonly #events: EventRecorder;
  constructor(events: EventRecorder) {
    this.#events = events;
  }
  async reconcile(object: Bell): Promise<Result> {
    this.#events.normal(object, 'Rung', 'the bell rang');
    return Result.done();
  }
}

/** A controller whose reconcile never ends, even if its manager stops. */
@Controller({ for: Bell })
class UnresponsiveController implements Reconciler<Bell> {
  reconcile(): Promise<Result> {
    return new Promise(() => undefined);
  }
}

/** The real time in milliseconds after which an environment that has not ended is considered blocked. */
const timeout = 20_000;

test('an environment with a fake clock ends even if its events wait for a failing server', {
  timeout,
}, async () => {
  const refused = new Set<string>();
  const env = await TestEnvironment.start({
    kinds: [Bell],
    objects: [bell],
    clock: new FakeClock(),
    faults: {
      onRequest: ({ verb, resource }) => {
        if (resource !== 'events') return undefined;
        refused.add(verb);
        return { kind: 'status', code: 503 };
      },
    },
  });
  await env.run(BellController);
  await env.settled();
  await env[Symbol.asyncDispose]();
  assert.deepEqual([...refused], ['create']);
});

test('an environment with a fake clock ends after the grace period even if a reconcile does not end', {
  timeout,
}, async () => {
  const clock = new FakeClock();
  const env = await TestEnvironment.start({ kinds: [Bell], objects: [bell], clock });
  const manager = await env.run(UnresponsiveController);
  await env[Symbol.asyncDispose]();
  await assert.rejects(manager.stopped, { code: 'GRACE_PERIOD_EXCEEDED' });
  assert.ok(clock.monotonicMs() >= 30_000);
});
