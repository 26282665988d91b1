import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyConfiguration, CustomResource, type Default, Field, Kind } from '@kubewright/api';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { isConflict, isNotFound } from '@kubewright/api/errors';
import { TestEnvironment } from './test-environment.js';

const namespace = 'default';

class SiteSpec {
  @Field.string({ optional: true }) title?: string;
  @Field.int32({ minimum: 0 }) replicas: Default<number> = 2;
}
@Kind({ group: 'apply.example.com', version: 'v1' })
class Site extends CustomResource(SiteSpec) {}

test('apply with an apply configuration owns only the fields of the configuration, not the defaults of the kind', async () => {
  await using env = await TestEnvironment.start({ kinds: [Site] });
  const [scaler, editor] = ['scaler', 'editor'].map((fieldManager) => env.client.with({ fieldManager }));
  const metadata = { name: 'a', namespace };
  await scaler!.apply(applyConfiguration(Site, { metadata, spec: { replicas: 3 } }));
  const whole = new Site({ metadata, spec: { title: 'Home' } });
  await assert.rejects(editor!.apply(whole), (error) => isConflict(error));
  const { spec } = await editor!.apply(applyConfiguration(Site, { metadata, spec: { title: 'Home' } }));
  assert.deepEqual(spec, { title: 'Home', replicas: 3 });
  const scaled = await scaler!.apply(applyConfiguration(Site, { metadata, spec: { replicas: 5 } }));
  assert.deepEqual(scaled.spec, { title: 'Home', replicas: 5 });
});

test('client.delete deletes an object by kind and key, and fails for a missing object only with mustExist', async () => {
  await using env = await TestEnvironment.start();
  const { client } = env;
  const key = { namespace, name: 'a' };
  await client.create(new ConfigMap({ metadata: key }));
  await client.delete(ConfigMap, key, { dryRun: true });
  assert.notEqual(await client.find(ConfigMap, key), undefined);
  await client.delete(ConfigMap, key);
  assert.equal(await client.find(ConfigMap, key), undefined);
  await client.delete(ConfigMap, key);
  await assert.rejects(client.delete(ConfigMap, key, { mustExist: true }), (error) => isNotFound(error));
  await client.with({ namespace }).create(new ConfigMap({ metadata: { name: 'b' } }));
  await client.with({ namespace }).delete(ConfigMap, { name: 'b' });
  assert.equal(await client.find(ConfigMap, { namespace, name: 'b' }), undefined);
});

test('client.find accepts a kind whose TypeScript type is a union', async () => {
  await using env = await TestEnvironment.start();
  await env.client.create(new ConfigMap({ metadata: { name: 'a', namespace }, data: { color: 'blue' } }));
  const find = (kind: typeof ConfigMap | typeof Pod) => env.client.find(kind, { namespace, name: 'a' });
  const found = await find(ConfigMap);
  assert.ok(found?.kind === 'ConfigMap' && found.data?.['color'] === 'blue');
  assert.equal(await find(Pod), undefined);
});
