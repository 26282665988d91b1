import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { ApiServer } from '@kubewright/apiserver';
import { type Client, connect, Manager, Result } from '@kubewright/runtime';
import { SilentLogger } from '@kubewright/runtime/internal';
import { FakeClock } from './fake-clock.js';

class MeterSpec {
  @Field.string() name!: string;
}
class MeterStatus {
  @Field.int32({ optional: true }) level?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Meter extends CustomResource(MeterSpec, MeterStatus) {}

/** Writes the level of the world into the status. */
class Levelling {
  level = 1;
  runs = 0;
  async reconcile(client: Client, meter: Meter): Promise<Result> {
    this.runs++;
    await client.patchStatus(meter, { level: this.level });
    return Result.done();
  }
}

test('a status that was written without an answer is put right, though the cache has it right meanwhile', async () => {
  const clock = new FakeClock();
  const controller = new Levelling();
  let losing = false;
  await using server = await ApiServer.start({
    clock,
    faults: {
      // The server executes the write but does not answer. Before the next reconcile starts, the level has returned to its previous value.
      onRequest: ({ verb, subresource }) => {
        if (!losing || verb !== 'patch' || subresource !== 'status') return undefined;
        controller.level = 1;
        return { kind: 'cut', after: 'write' };
      },
      // The watch reports the change much later.
      onWatchEvent: ({ resource }) => (losing && resource === 'meters' ? { kind: 'delay', ms: 60_000 } : undefined),
    },
  });
  const connection = { server: server.url, ca: server.certificateAuthority, token: server.token };
  await using cluster = await connect({ connection });
  const { live } = cluster.client;
  await cluster.client.create(crdFor(Meter));
  await using manager = new Manager({ connection, clock, logger: new SilentLogger(), signals: false, settings: false });
  manager.control({ for: Meter, name: 'levelling' }, (meter) => controller.reconcile(manager.client, meter));
  const starting = manager.start();
  const meter = await cluster.client.create(
    new Meter({ metadata: { name: 'a', namespace: 'default' }, spec: { name: 'x' } }),
  );
  const levelIs = async (level: number): Promise<void> => {
    for (let second = 0; second < 600; second++) {
      if ((await live.get(Meter, meter.metadata)).status?.level === level) return;
      await clock.advance('1s');
    }
    assert.fail(`the level has not become ${level} in ten minutes`);
  };
  await levelIs(1);
  await starting;
  while (manager.pending().length > 0) await clock.advance('1s');

  losing = true;
  controller.level = 2;
  const { runs } = controller;
  manager.controller('levelling').enqueue(meter.metadata);
  await levelIs(2);
  losing = false;
  while (controller.runs < runs + 2) await clock.advance('10ms');
  assert.equal((await live.get(Meter, meter.metadata)).status?.level, 2, 'the second run found the cache right');
  await levelIs(1);
});
