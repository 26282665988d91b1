import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiObject } from '../../registry/objects/api-object.js';
import { at, type Cluster, context, startCluster } from '../../server/cluster.test.support.js';
import { conditionOf } from '../objects/pod-state.js';

const apiServices = 'apiregistration.k8s.io/v1/apiservices';
const name = 'v1.example.com';

function conditionIn(cluster: Cluster, path: `${string}/${string}/${string}`, object: string, type: string) {
  const condition = conditionOf(cluster.resource(path).get({ name: object }), type);
  return [condition?.['status'], condition?.['reason'], condition?.['message']];
}

test('a FlowSchema reports whether its PriorityLevelConfiguration exists', async (t) => {
  const cluster = startCluster(t);
  const path = 'flowcontrol.apiserver.k8s.io/v1/flowschemas';
  const levels = cluster.resource('flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations');
  cluster
    .resource(path)
    .create({ metadata: { name: 'flow' }, spec: { priorityLevelConfiguration: { name: 'l' } } }, context);
  await cluster.quiet();
  const about = 'This FlowSchema references the PriorityLevelConfiguration object named "l"';
  const missing = ['True', 'NotFound', `${about} but there is no such object`];
  assert.deepEqual(conditionIn(cluster, path, 'flow', 'Dangling'), missing);
  const spec = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } };
  levels.create({ metadata: { name: 'l' }, spec }, context);
  await cluster.quiet();
  assert.deepEqual(conditionIn(cluster, path, 'flow', 'Dangling'), ['False', 'Found', `${about} and it exists`]);
  levels.delete({ name: 'l' }, {}, context);
  await cluster.quiet();
  assert.deepEqual(conditionIn(cluster, path, 'flow', 'Dangling'), missing);
});

test('an APIService reports why its Service cannot be used', async (t) => {
  const cluster = startCluster(t, { workloads: ['services'] });
  const services = cluster.resource('/v1/services');
  const spec = {
    group: 'example.com',
    version: 'v1',
    groupPriorityMinimum: 10,
    versionPriority: 10,
    service: { namespace: 'default', name: 'web' },
  };
  cluster.resource(apiServices).create({ metadata: { name }, spec }, context);
  const available = async (): Promise<readonly unknown[]> => {
    await cluster.quiet();
    return conditionIn(cluster, apiServices, name, 'Available');
  };
  const where = 'service/web in "default"';
  assert.deepEqual(await available(), ['False', 'ServiceNotFound', `${where} is not present`]);
  services.create({ metadata: at('web'), spec: { ports: [{ port: 80 }] } }, context);
  assert.deepEqual(await available(), ['False', 'ServicePortError', `${where} is not listening on port 443`]);
  const ports = (port: number) => (live: ApiObject) => ({
    ...live,
    spec: { ...(live['spec'] as object), ports: [{ name: 'https', port, protocol: 'TCP', targetPort: port }] },
  });
  services.update(at('web'), ports(443), context);
  assert.deepEqual(await available(), ['False', 'EndpointsNotFound', `cannot find endpointslices for ${where}`]);
  const select = (live: ApiObject) => ({ ...live, spec: { ...(live['spec'] as object), selector: { app: 'web' } } });
  services.update(at('web'), select, context);
  const message = `endpointslices for ${where} have no addresses with port name "https"`;
  assert.deepEqual(await available(), ['False', 'MissingEndpoints', message]);
  const local = (live: ApiObject) => {
    const { service: _, ...rest } = live['spec'] as Record<string, unknown>;
    return { ...live, spec: rest };
  };
  cluster.resource(apiServices).update({ name }, local, context);
  assert.deepEqual(await available(), ['True', 'Local', 'Local APIServices are always available']);
});
