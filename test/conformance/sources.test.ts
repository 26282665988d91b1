import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { dynamicKind, type KindRef, metadataOnly } from '@kubewright/api';
import { ConfigMap } from '@kubewright/api/core/v1';
import { Channel, type ClusterOptions, connect, kindSource, Result, sourceOf } from '@kubewright/runtime';
import { FakeClock, type TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { RecordingLogger } from './cached-cluster.js';
import { kinds, lacksOnly, namespace, Rack, rack, Reported } from './watched-kinds.js';

describe('sources of a controller', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds });
  });
  after(() => env[Symbol.asyncDispose]());

  /** Connects to the same server again. The manager treats the connection as another cluster. */
  const other = (options: ClusterOptions = {}) =>
    connect({ connection: env.connection, logger: new RecordingLogger(), ...options });

  const named = dynamicKind<ConfigMap>('v1', 'ConfigMap');
  const ways: readonly [string, KindRef][] = [
    ['class', ConfigMap],
    ['name', named],
    ['metadata', metadataOnly(ConfigMap)],
  ];
  for (const [way, kind] of ways) {
    test(`[SR-01, SR-02, SR-03, SR-15, SR-22] a source for a kind of another cluster (referred to by ${way}) reports created, changed, and deleted objects`, async () => {
      await using cluster = await other();
      const reported = new Reported();
      const name = `of-${way}`;
      const source = kindSource(kind, {
        cache: cluster.cache,
        fields: { 'metadata.name': name },
        map: ({ metadata }, { change }) => {
          const old = change.type === 'modified' ? `${change.old.metadata.labels?.['state']} -> ` : '';
          reported.add(`${change.type} ${old}${metadata.labels?.['state']}`);
          return [{ namespace, name }];
        },
      });
      assert.match(source.name, /^kind source: ConfigMap( \(metadata\))?$/);
      const racks = new Reported();
      const manager = env.manager();
      manager.control({ for: Rack, name: `rack-${way}`, sources: [source] }, async ({ metadata }, { causes }) => {
        for (const cause of causes) racks.add(`${metadata.name} ${cause.source ?? cause.kind}`);
        return Result.done();
      });
      await manager.start();
      await env.client.create(rack(name));
      await racks.until(`${name} added`);
      const map = await env.client.create(new ConfigMap({ metadata: { name, namespace, labels: { state: 'new' } } }));
      await reported.until('added new');
      await racks.until(`${name} ${source.name}: ConfigMap ${namespace}/${name} added`);
      await env.client.patch(map, ({ metadata }) => {
        metadata.labels = { state: 'changed' };
      });
      await reported.until('modified new -> changed', 'modified new -> new');
      await env.client.delete(map);
      await reported.until('deleted changed');
      await racks.until(`${name} ${source.name}: ConfigMap ${namespace}/${name} deleted`);
      await manager.stop();
    });
  }

  test('a source reports existing objects before the start of the manager resolves', async () => {
    await using cluster = await other();
    await env.client.create(new ConfigMap({ metadata: { name: 'there', namespace, labels: { app: 'there' } } }));
    const reported = new Reported();
    const manager = env.manager();
    const source = kindSource(ConfigMap, {
      cache: cluster.cache,
      labels: { app: 'there' },
      map: ({ metadata }) => {
        reported.add(metadata.name);
        return [{ namespace, name: 'of-what-is-there' }];
      },
    });
    manager.control({ for: Rack, name: 'there', sources: [source] }, async () => Result.done());
    await manager.start();
    assert.deepEqual(reported.all, ['there']);
    await manager.stop();
  });

  test('[SR-07] a source whose list the server rejects prevents the start of the controller, and the error contains the reason', async () => {
    await using cluster = await other({ connection: { ...env.connection, impersonate: { user: 'nobody' } } });
    const source = kindSource(ConfigMap, { cache: cluster.cache, map: () => [] });
    await assert.rejects(startWith(source, /is not synced yet: ./), {
      code: 'NOT_SYNCED',
      message: /source 'kind source: ConfigMap' of controller 'waiting' is not synced yet: .*forbidden/is,
    });
  });

  test('[SR-08] a source of a kind that is not served prevents the start of the controller, and the error names the kind', async () => {
    await using cluster = await other();
    const source = kindSource(dynamicKind('nobody.example.com/v1', 'Phantom'), { cache: cluster.cache, map: () => [] });
    await assert.rejects(startWith(source, /is not synced yet: ./), {
      code: 'NOT_SYNCED',
      message: /source 'kind source: Phantom' of controller 'waiting' is not synced yet: .*Phantom/,
    });
  });

  /** Starts a manager with the source. Advances the clock past the syncTimeout as soon as the controller waits only for `missing`. */
  async function startWith(source: ReturnType<typeof kindSource>, missing: RegExp): Promise<void> {
    const clock = new FakeClock();
    const manager = env.manager({ clock, syncTimeout: '1s' });
    manager.control({ for: Rack, name: 'waiting', sources: [source] }, async () =>
      assert.fail('nothing is reconciled'),
    );
    try {
      const started = manager.start();
      await Promise.race([lacksOnly(manager, 'waiting', missing), started]);
      await clock.advance('1s');
      await started;
    } finally {
      await manager.stop();
    }
  }

  test('[SR-10, SR-12] a controller reconciles keys that a channel received before and after the start; stop ends the source of the channel', async () => {
    const channel = new Channel();
    for (const name of ['early', 'late']) await env.client.create(rack(name));
    await channel.send({ namespace, name: 'early', priority: 10 });
    const reported = new Reported();
    const manager = env.manager();
    manager.control(
      { for: Rack, name: 'channel', sources: [sourceOf('channel', channel)] },
      async (object, { causes }) => {
        for (const { source = 'itself' } of causes) reported.add(`${object.metadata.name} by ${source}`);
        return Result.done();
      },
    );
    await manager.start();
    await reported.until('early by channel', 'late by itself');
    assert.equal(
      reported.all.find((text) => text.startsWith('early')),
      reported.all[0],
    );
    await channel.send({ namespace, name: 'late' });
    await reported.until('late by channel');
    await manager.stop();
    await channel.send({ namespace, name: 'early' });
    assert.equal(channel.size, 1, 'the stopped source no longer reads the channel');
  });
});
