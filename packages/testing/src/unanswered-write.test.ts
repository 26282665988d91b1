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
  @Field.int32({ optional: true }) unit?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
class Meter extends CustomResource(MeterSpec, MeterStatus) {}

/** Writes the desired state into the status. */
class Levelling {
  desired: MeterStatus = { level: 1, unit: 1 };
  runs = 0;
  async reconcile(client: Client, meter: Meter): Promise<Result> {
    this.runs++;
    await client.patchStatus(meter, this.desired);
    return Result.done();
  }
}

/**
 * Checks that the status becomes `next` after the server executes a write of `lost` without a response. The watch reports the write a
 * minute later, so the next reconcile compares the old state with `next`.
 */
async function convergesAfterLostWrite(lost: MeterStatus, next: MeterStatus): Promise<void> {
  const clock = new FakeClock();
  const controller = new Levelling();
  let losing = false;
  await using server = await ApiServer.start({
    clock,
    faults: {
      onRequest: ({ verb, subresource }) => {
        if (!losing || verb !== 'patch' || subresource !== 'status' || controller.desired === next) return undefined;
        controller.desired = next;
        return { kind: 'cut', after: 'write' };
      },
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
  const statusIs = async ({ level, unit }: MeterStatus, step: '0s' | '1s' = '1s'): Promise<void> => {
    for (let count = 0; count < 600; count++) {
      const { status } = await live.get(Meter, meter.metadata);
      if (status?.level === level && status?.unit === unit) return;
      await clock.advance(step);
    }
    assert.fail(`the status has not reached level ${level}, unit ${unit} after 600 steps of ${step}`);
  };
  await statusIs(controller.desired);
  await starting;
  while (manager.pending().length > 0) await clock.advance('1s');

  losing = true;
  controller.desired = lost;
  const { runs } = controller;
  manager.controller('levelling').enqueue(meter.metadata);
  // The clock does not advance, because the next reconcile then replaces this status.
  await statusIs(lost, '0s');
  while (controller.runs < runs + 2) await clock.advance('10ms');
  losing = false;
  assert.notDeepEqual((await live.get(Meter, meter.metadata)).status, next, 'the second run did not patch all fields');
  await statusIs(next);
}

test('corrects a status after a write without a response, if the next reconcile finds no difference in the cache', () =>
  convergesAfterLostWrite({ level: 2, unit: 1 }, { level: 1, unit: 1 }));

test('corrects a status after a write without a response, if the patch of the next reconcile omits the changed field', () =>
  convergesAfterLostWrite({ level: 2, unit: 1 }, { level: 1, unit: 2 }));
