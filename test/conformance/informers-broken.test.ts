import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CustomResource, Field, Kind, metadataOnly } from '@kubewright/api';
import { type Cluster, isInvalid } from '@kubewright/runtime';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';
import { connectTo, namesOf } from './cached-cluster.js';

class LooseSpec {
  @Field.string({ optional: true }) size?: string;
}
/** The kind Crate with its first schema, in which `size` is a string. */
@Kind({ group: 'broken.example.com', version: 'v1', kind: 'Crate' })
class LooseCrate extends CustomResource(LooseSpec) {}

class StrictSpec {
  @Field.int32({ minimum: 1 }) declare size: number;
}
/** The kind Crate with its second schema, which objects of the first schema do not match. */
@Kind({ group: 'broken.example.com', version: 'v1', kind: 'Crate' })
class Crate extends CustomResource(StrictSpec) {}

const namespace = 'default';

describe('stored objects that do not match the schema of their kind', () => {
  let env: TestEnvironment;
  let cluster: Cluster;
  /** Creates a valid object. Repeats the call until the server uses the new schema. */
  async function createOnceServed(): Promise<void> {
    const even = new Crate({ metadata: { name: 'even', namespace, labels: { fine: 'yes' } }, spec: { size: 2 } });
    for (;;) {
      try {
        await env.client.create(even);
        return;
      } catch (error) {
        if (!isInvalid(error)) throw error;
      }
    }
  }
  before(async () => {
    env = await startEnvironment({ kinds: [LooseCrate] });
    await env.client.create(new LooseCrate({ metadata: { name: 'odd', namespace }, spec: { size: 'large' } }));
    await env.install({ kinds: [Crate] });
    await createOnceServed();
    cluster = await connectTo(env);
  });
  after(async () => {
    await cluster[Symbol.asyncDispose]();
    await env[Symbol.asyncDispose]();
  });

  test('[CG-247] an invalid object does not hide the other objects, and its metadata can be read, changed, and watched', async () => {
    for (const client of [cluster.client, cluster.client.live]) {
      assert.deepEqual(namesOf(await client.list(Crate)), ['even', 'odd']);
      const odd = await client.get(Crate, { name: 'odd', namespace });
      assert.equal(odd.metadata.name, 'odd');
      assert.equal(String(odd.spec.size), 'large', 'the client returns the stored value');
      assert.equal((await client.get(metadataOnly(Crate), { name: 'odd', namespace })).metadata.uid, odd.metadata.uid);
    }
    await using informer = await cluster.cache.informer(Crate);
    const labelled = informer.until({ name: 'odd', namespace }, ({ metadata }) => metadata.labels?.checked === 'yes', {
      timeout: '20s',
    });
    const odd = await env.client.live.get(metadataOnly(LooseCrate), { name: 'odd', namespace });
    await env.client.patch(odd, ({ metadata }) => {
      metadata.labels = { checked: 'yes' };
    });
    assert.equal(String((await labelled).spec.size), 'large');
    assert.deepEqual(namesOf(informer.list({ labels: { fine: 'yes' } })), ['even']);
  });
});
