import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { type Condition, dynamicKind, isConditionTrue, type KubeObject } from '@kubewright/api';
import { StatefulSet } from '@kubewright/api/apps/v1';
import { Secret, Service } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { manifestsOf, PublicOperator } from './public-operator.js';

interface Prometheus extends KubeObject {
  readonly spec: { readonly replicas: number; readonly serviceMonitorSelector: object };
  readonly status?: { readonly conditions?: readonly Condition[]; readonly availableReplicas?: number };
}
const Prometheus = dynamicKind<Prometheus>('monitoring.coreos.com/v1', 'Prometheus');
const ServiceMonitor = dynamicKind('monitoring.coreos.com/v1', 'ServiceMonitor');

const programs = process.env['KUBEWRIGHT_PROMETHEUS_OPERATOR'] ?? '';
const skip = programs === '' ? 'prometheus-operator is not built; use npm run build:operators' : false;
const wait = { timeout: '10m' } as const;
const namespace = 'default';

test('prometheus-operator runs, scales and configures Prometheus on the embedded API server', { skip }, async () => {
  await using env = await TestEnvironment.start({ server: 'embedded', workloads: true });
  await using operator = await PublicOperator.of(env);
  await operator.apply(await manifestsOf(join(programs, 'example', 'prometheus-operator-crd')));
  const permissions = await manifestsOf(join(programs, 'example', 'rbac', 'prometheus-operator'));
  // The program runs on this machine instead of in a Pod.
  await operator.apply(permissions.filter(({ kind }) => kind !== 'Deployment'));
  await operator.start(join(programs, 'prometheus-operator'), { namespace, name: 'prometheus-operator' }, () => [
    '--web.listen-address=127.0.0.1:0',
    '--kubelet-service=kube-system/kubelet',
    '--kubelet-endpointslice=true',
  ]);

  const metadata = { name: 'main', namespace };
  const created = await env.client.create(
    new Prometheus({ metadata, spec: { replicas: 2, serviceMonitorSelector: { matchLabels: { team: 'a' } } } }),
  );
  const available = (replicas: number): Promise<Prometheus> =>
    env.cluster.cache.until(
      Prometheus,
      metadata,
      (now) =>
        isConditionTrue(now, 'Available') &&
        isConditionTrue(now, 'Reconciled') &&
        now.status?.availableReplicas === replicas,
      wait,
    );
  await available(2);
  const set = await env.client.live.get(StatefulSet, { namespace, name: 'prometheus-main' });
  assert.equal(set.status?.readyReplicas, 2);
  assert.equal(set.metadata.ownerReferences?.[0]?.uid, created.metadata.uid);
  const governing = await env.client.live.get(Service, { namespace, name: 'prometheus-operated' });
  assert.equal(governing.spec?.clusterIP, 'None');

  const spec = { selector: { matchLabels: { app: 'web' } }, endpoints: [{ port: 'http', interval: '15s' }] };
  await env.client.create(new ServiceMonitor({ metadata: { ...metadata, name: 'web', labels: { team: 'a' } }, spec }));
  await env.cluster.cache.until(
    Secret,
    { namespace, name: 'prometheus-main' },
    ({ data }) => configurationIn(data).includes('job_name: serviceMonitor/default/web/0'),
    wait,
  );

  await env.client.patch(created, (draft) => {
    draft.spec.replicas = 3;
  });
  await available(3);
});

/** Returns the compressed configuration of Prometheus in the data of a Secret. */
function configurationIn(data: Readonly<Record<string, string>> = {}): string {
  const compressed = data['prometheus.yaml.gz'];
  return compressed === undefined ? '' : gunzipSync(Buffer.from(compressed, 'base64')).toString();
}
