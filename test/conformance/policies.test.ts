import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, type Default, Field, Kind, Policy } from '@kubewright/api';
import { MutatingAdmissionPolicy, ValidatingAdmissionPolicy } from '@kubewright/api/admissionregistration/v1';
import { ConfigMap, Pod } from '@kubewright/api/core/v1';
import { Controller, isForbidden, isInvalid, type Reconciler, Result } from '@kubewright/runtime';
import { startEnvironment } from '../server/start-environment.js';

class BatchSpec {
  @Field.string() schedule!: string;
  @Field.string({ optional: true }) zone?: string;
  @Field.int32() replicas: Default<number> = 1;
}
class BatchStatus {
  @Field.string({ optional: true }) seen?: string;
}
@Kind({ group: 'policies.example.com', version: 'v1' })
class Batch extends CustomResource(BatchSpec, BatchStatus) {}
class LimitsSpec {
  @Field.int32() maxReplicas!: number;
}
@Kind({ group: 'policies.example.com', version: 'v1' })
class Limits extends CustomResource(LimitsSpec) {}

@Policy({
  for: Batch,
  operations: ['create', 'update', 'delete'],
  variables: { name: 'oldObject == null ? object.metadata.name : oldObject.metadata.name' },
  validations: [
    { rule: 'variables.name.size() <= 10', message: 'the name must have at most 10 characters' },
    {
      rule: "request.operation != 'DELETE' || variables.name != 'kept'",
      messageExpression: "'batch ' + variables.name + ' is kept'",
      reason: 'Forbidden',
    },
  ],
})
class BatchNames {}

@Policy({
  for: Batch,
  validations: [
    {
      rule: 'object.spec.replicas <= params.spec.maxReplicas',
      messageExpression: "'at most ' + string(params.spec.maxReplicas) + ' replicas'",
    },
  ],
  params: Limits,
  bindings: [{ params: { name: 'limits' } }],
})
class BatchLimits {}

@Policy({
  for: Batch,
  matchConditions: [{ name: 'no-zone', expression: '!has(object.spec.zone)' }],
  mutations: [
    { apply: "Object{spec: Object.spec{zone: 'Etc/UTC'}}" },
    { patch: "[JSONPatch{op: 'add', path: '/spec/schedule', value: object.spec.schedule + ' ' + object.spec.zone}]" },
  ],
})
class BatchDefaults {}

@Controller({ for: Batch })
class BatchController implements Reconciler<Batch> {
  async reconcile(): Promise<Result> {
    return Promise.resolve(Result.done());
  }
}

const kinds = [Batch, Limits];
const batch = (name: string, spec: { readonly replicas?: number; readonly zone?: string } = {}): Batch =>
  new Batch({ metadata: { name, namespace: 'default' }, spec: { schedule: '@daily', ...spec } });
const limits = new Limits({ metadata: { name: 'limits', namespace: 'default' }, spec: { maxReplicas: 3 } });

test('the API server enforces the policies of a manager from its start to its stop', async () => {
  await using env = await startEnvironment({ kinds, objects: [limits], rbac: 'derived' });
  const manager = await env.run(BatchController, BatchNames, BatchLimits, BatchDefaults);
  const created = await env.client.create(batch('a'));
  assert.deepEqual([created.spec.zone, created.spec.schedule], ['Etc/UTC', '@daily Etc/UTC']);
  const unchanged = await env.client.create(batch('b', { zone: 'Europe/Paris' }));
  assert.equal(unchanged.spec.schedule, '@daily');

  await assert.rejects(env.client.create(batch('long-batch-name')), (error) => {
    assert.ok(isInvalid(error));
    assert.match(error.message, /denied request: the name must have at most 10 characters/);
    return true;
  });
  await assert.rejects(env.client.create(batch('c', { replicas: 4 })), /denied request: at most 3 replicas/);
  await env.client.patch(limits, { merge: { spec: { maxReplicas: 5 } } });
  await env.client.create(batch('kept'));
  await assert.rejects(env.client.delete(batch('kept')), (error) => {
    assert.ok(isForbidden(error));
    assert.match(error.message, /denied request: batch kept is kept/);
    return true;
  });

  assert.deepEqual(env.permissions().missing, []);
  await manager.stop();
  assert.deepEqual(await env.client.live.list(ValidatingAdmissionPolicy), []);
  assert.deepEqual(await env.client.live.list(MutatingAdmissionPolicy), []);
});

test('a binding without its parameters rejects requests, unless the binding allows missing parameters', async () => {
  await using env = await startEnvironment({ kinds });
  const manager = env.manager().add(BatchLimits);
  await manager.start();
  await assert.rejects(env.client.create(batch('a')), /no params found for policy binding/);
  await manager.stop();
  const lenient = env.manager().enforce({
    name: 'lenient',
    for: Batch,
    validations: [{ rule: 'object.spec.replicas <= params.spec.maxReplicas' }],
    params: Limits,
    bindings: [{ params: { name: 'limits', onMissing: 'Allow' } }],
  });
  await lenient.start();
  await env.client.create(batch('a'));
});

test('a policy for ConfigMaps applies without any controller, and a binding with the action Warn does not reject requests', async () => {
  await using env = await startEnvironment();
  const manager = env.manager().enforce({
    name: 'no-data',
    for: ConfigMap,
    validations: [{ rule: 'has(object.data)', message: 'a config map needs data' }],
    bindings: [
      { name: 'strict', objectSelector: { matchLabels: { strict: 'yes' } } },
      { name: 'others', actions: ['Warn'], objectSelector: { matchLabels: { strict: 'no' } } },
    ],
  });
  await manager.start();
  const configMap = (strict: string): ConfigMap =>
    new ConfigMap({ metadata: { name: `strict-${strict}`, namespace: 'default', labels: { strict } } });
  await assert.rejects(env.client.create(configMap('yes')), /a config map needs data/);
  await env.client.create(configMap('no'));
});

test('a manager does not start if its policy reads a field that does not exist', async () => {
  await using env = await startEnvironment({ kinds });
  const misspelled = { name: 'misspelled', for: Batch, validations: [{ rule: "object.spec.scedule != ''" }] };
  await assert.rejects(env.manager().enforce(misspelled).start(), (error: Error & { readonly cause?: Error }) => {
    assert.match(
      `${error.message} ${error.cause?.message}`,
      /the policy of manager\.enforce is not valid: validations\[0\]\.rule: undefined field 'scedule' \(at column 12; did you mean 'schedule'\?\)/,
    );
    return true;
  });
  const subresource = { name: 'evictions', for: Pod, subresource: 'eviction', operations: ['create'] } as const;
  const reads = env.manager().enforce({ ...subresource, validations: [{ rule: 'has(object.spec)' }] });
  await assert.rejects(reads.start());
});
