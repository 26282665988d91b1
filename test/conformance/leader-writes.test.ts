import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { SystemClock } from '@kubewright/api/clock';
import { ConfigMap } from '@kubewright/api/core/v1';
import { isNotFound } from '@kubewright/api/errors';
import { Client, Controller, type Reconciler, Result } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { chosenServer } from '../server/chosen-server.js';

class LampSpec {
  @Field.string() color!: string;
}
@Kind({ group: 'leading.example.com', version: 'v1' })
class Lamp extends CustomResource(LampSpec) {}

/** The clock of a process that can be held up, as by a long computation or a machine that stands still. */
class HeldUpClock extends SystemClock {
  heldUpMs = 0;

  override monotonicMs(): number {
    return super.monotonicMs() + this.heldUpMs;
  }
}

let env: TestEnvironment;
before(async () => {
  env = await TestEnvironment.start({ server: chosenServer(), kinds: [Lamp] });
});
after(() => env[Symbol.asyncDispose]());

/** Runs one reconcile that is held up for a time in its middle; resolves with how its writes after that went. */
async function heldUp(name: string, forMs: number, leaderOnly: boolean): Promise<readonly string[]> {
  const clock = new HeldUpClock();
  const manager = env.manager({ clock, leaderElection: { name, namespace: 'default' } });
  const outcomes = new Promise<readonly string[]>((resolve) => {
    @Controller({ for: Lamp, name, leaderOnly })
    class LampReconciler implements Reconciler<Lamp> {
      readonly #client: Client;
      constructor(client: Client) {
        this.#client = client;
      }
      async reconcile(lamp: Lamp): Promise<Result> {
        if (lamp.metadata.name !== name) return Result.done();
        clock.heldUpMs = forMs;
        resolve(await Promise.all(writes(this.#client, lamp).map(outcome)));
        return Result.done();
      }
    }
    manager.add(LampReconciler);
  });
  await manager.start();
  await manager.elected;
  await env.client.create(new Lamp({ metadata: { name, namespace: 'default' }, spec: { color: 'red' } }));
  const all = await outcomes;
  await manager.stop();
  return all;
}
function writes(client: Client, lamp: Lamp): readonly Promise<unknown>[] {
  const { name } = lamp.metadata;
  return [
    client.create(new ConfigMap({ metadata: { name, namespace: 'default' } })),
    client.patch(lamp, (draft) => {
      draft.spec.color = 'green';
    }),
    client.apply(new ConfigMap({ metadata: { name: `${name}-applied`, namespace: 'default' } })),
  ];
}
async function outcome(write: Promise<unknown>): Promise<string> {
  try {
    await write;
    return 'written';
  } catch (error) {
    return (error as { readonly code?: string }).code ?? String(error);
  }
}

test('a reconcile that was held up for longer than its lease writes nothing after it', async () => {
  const [first, ...others] = await heldUp('too-long', 16_000, true);
  assert.equal(first, 'LEADERSHIP_LOST');
  // The first one found out; the manager stops for it, and may be there before the others.
  assert.deepEqual(
    others.filter((code) => code !== 'STOPPED' && code !== 'LEADERSHIP_LOST'),
    [],
  );
  const { spec } = await env.client.live.get(Lamp, { name: 'too-long', namespace: 'default' });
  assert.equal(spec.color, 'red');
  for (const name of ['too-long', 'too-long-applied']) {
    await assert.rejects(env.client.live.get(ConfigMap, { name, namespace: 'default' }), isNotFound);
  }
});

test('a reconcile that was held up for less than its lease goes on', async () => {
  assert.deepEqual(await heldUp('short', 4000, true), ['written', 'written', 'written']);
});

test('a controller that runs on all replicas writes, whoever leads', async () => {
  assert.deepEqual(await heldUp('everywhere', 16_000, false), ['written', 'written', 'written']);
});
