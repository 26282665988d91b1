import { describe } from 'node:test';
import { keys, list } from './case-bodies.js';
import { type ControllerCase, post, testControllerCase } from './controller-case.js';
import type { LimitRequest } from './limit-case.js';

const core = '/api/v1/namespaces/default';
const apps = '/apis/apps/v1/namespaces/default';
const batch = '/apis/batch/v1/namespaces/default';
const discovery = '/apis/discovery.k8s.io/v1/namespaces/default';
const annotations = keys(30_000);
/** More objects than the server can hold. A controller must not create all of them at the same time. */
const countless = 1_000_000;
const labels = { a: 'b' };
const selector = { matchLabels: labels };
const containers = (count: number) => list(count, (at) => ({ name: `c${at}`, image: 'a' }));

const workload = (kind: string, apiVersion: string, metadata: object, spec: object) => ({
  apiVersion,
  kind,
  metadata: { name: 'large', ...metadata },
  spec,
});
const template = (metadata: object = {}, spec: object = {}) => ({
  metadata: { labels, ...metadata },
  spec: { containers: containers(1), ...spec },
});
const deployment = (spec: object, metadata: object = {}): LimitRequest =>
  post(`${apps}/deployments`, workload('Deployment', 'apps/v1', metadata, { selector, template: template(), ...spec }));
const statefulSet = (spec: object): LimitRequest =>
  post(
    `${apps}/statefulsets`,
    workload('StatefulSet', 'apps/v1', {}, { selector, serviceName: 'a', template: template(), ...spec }),
  );
const job = (spec: object, metadata: object = {}): LimitRequest =>
  post(
    `${batch}/jobs`,
    workload('Job', 'batch/v1', metadata, { template: template({}, { restartPolicy: 'Never' }), ...spec }),
  );
const cronJob = (jobTemplate: object, metadata: object = {}): LimitRequest =>
  post(`${batch}/cronjobs`, workload('CronJob', 'batch/v1', metadata, { schedule: '@every 1s', jobTemplate }));
const daemonSet = (metadata: object): LimitRequest =>
  post(`${apps}/daemonsets`, workload('DaemonSet', 'apps/v1', {}, { selector, template: template(metadata) }));
const pod = (metadata: object, spec: object): LimitRequest =>
  post(`${core}/pods`, workload('Pod', 'v1', metadata, spec));
const service = (spec: object, metadata: object = {}): LimitRequest =>
  post(`${core}/services`, workload('Service', 'v1', metadata, { selector: labels, ports: [{ port: 80 }], ...spec }));
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const terms = list(9000, () => ({ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }));
const everything = '';

const cases: readonly ControllerCase[] = [
  {
    name: 'a rollout of a Deployment with 30,000 annotations',
    request: deployment({}, { annotations }),
    path: `${apps}/deployments`,
    written: '"readyReplicas":1',
  },
  {
    name: 'a rollout of Pods with 30,000 annotations',
    request: deployment({ replicas: 3, template: template({ annotations }) }),
    path: `${apps}/deployments`,
    written: '"readyReplicas":3',
  },
  {
    name: 'a Deployment of 1,000,000 Pods',
    request: deployment({ replicas: countless }),
    path: `${apps}/deployments`,
    written: '"readyReplicas"',
  },
  {
    name: 'Pods with 9,000 terms of anti-affinity',
    request: deployment({
      replicas: 20,
      template: template(
        {},
        {
          affinity: {
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: list(9000, () => ({
                topologyKey: 'kubernetes.io/hostname',
                labelSelector: { matchLabels: { c: 'd' } },
              })),
            },
          },
        },
      ),
    }),
    path: `${apps}/deployments`,
    written: '"readyReplicas":20',
  },
  {
    name: 'Pods with 9,000 terms of node affinity',
    request: deployment({
      replicas: 3,
      template: template(
        {},
        {
          affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } },
        },
      ),
    }),
    path: `${core}/pods`,
    selector: everything,
    written: '"reason":"Unschedulable"',
  },
  {
    name: 'Pods with 15,000 tolerations',
    request: deployment({
      replicas: 5,
      template: template({}, { tolerations: list(15_000, (at) => ({ key: `k${at}`, operator: 'Exists' })) }),
    }),
    path: `${apps}/deployments`,
    written: '"readyReplicas":5',
  },
  {
    name: 'a StatefulSet whose Pods have 30,000 annotations',
    request: statefulSet({ template: template({ annotations }) }),
    path: `${apps}/statefulsets`,
    written: '"readyReplicas":1',
  },
  {
    name: 'a StatefulSet with 2,000 claims',
    request: statefulSet({
      volumeClaimTemplates: list(2000, (at) => ({ metadata: { name: `v${at}` }, spec: claim })),
    }),
    path: `${apps}/statefulsets`,
    written: '"readyReplicas":1',
  },
  {
    name: 'a StatefulSet that creates 1,000,000 Pods in parallel',
    request: statefulSet({ replicas: countless, podManagementPolicy: 'Parallel' }),
    path: `${core}/pods`,
    selector: 'fieldSelector=metadata.name%3Dlarge-2000',
    written: '"type":"ADDED"',
  },
  {
    name: 'a DaemonSet whose Pods have 30,000 annotations',
    request: daemonSet({ annotations }),
    path: `${apps}/daemonsets`,
    written: '"numberReady":1',
  },
  {
    name: 'a Job with 30,000 annotations',
    request: job({}, { annotations }),
    path: `${batch}/jobs`,
    written: '"succeeded":1',
  },
  {
    name: 'a Job whose Pods have 30,000 annotations',
    request: job({ template: template({ annotations }, { restartPolicy: 'Never' }) }),
    path: `${batch}/jobs`,
    written: '"succeeded":1',
  },
  {
    name: 'a Job of 1,000,000 Pods',
    request: job({ parallelism: countless, completions: countless }),
    path: `${batch}/jobs`,
    written: '"succeeded"',
  },
  {
    name: 'a Job of 100,000 Pods with indexes',
    request: job({ parallelism: 100_000, completions: 100_000, completionMode: 'Indexed' }),
    path: `${batch}/jobs`,
    written: '"succeeded"',
  },
  {
    name: 'a CronJob with 30,000 annotations',
    request: cronJob({ spec: { template: template({}, { restartPolicy: 'Never' }) } }, { annotations }),
    path: `${batch}/cronjobs`,
    written: '"lastSuccessfulTime"',
  },
  {
    name: 'a CronJob whose Jobs have 30,000 annotations',
    request: cronJob({ metadata: { annotations }, spec: { template: template({}, { restartPolicy: 'Never' }) } }),
    path: `${batch}/cronjobs`,
    written: '"lastSuccessfulTime"',
  },
  {
    name: 'a Pod with 2,000 containers',
    request: pod({}, { containers: containers(2000) }),
    path: `${core}/pods`,
    written: '"phase":"Running"',
  },
  {
    name: 'a Pod with 30,000 annotations',
    request: pod({ annotations }, { containers: containers(1) }),
    path: `${core}/pods`,
    written: '"phase":"Running"',
  },
  {
    name: 'a Service with 30,000 labels',
    request: service({}, { labels: keys(30_000) }),
    path: `${discovery}/endpointslices`,
    selector: everything,
    written: '"generateName":"large-"',
  },
  {
    name: 'a Service of 5,000 ports and 20 Pods',
    before: () => [deployment({ replicas: 20 })],
    request: service({ ports: list(5000, (at) => ({ name: `p${at}`, port: at + 1 })) }),
    path: `${core}/endpoints`,
    written: '"name":"large"',
  },
  {
    name: 'a claim with 30,000 labels',
    request: post(
      `${core}/persistentvolumeclaims`,
      workload('PersistentVolumeClaim', 'v1', { labels: keys(30_000) }, claim),
    ),
    path: `${core}/persistentvolumeclaims`,
    written: '"phase":"Bound"',
  },
  {
    name: 'a claim in a cluster whose volume has 9,000 terms of node affinity',
    before: () => [
      post(
        '/api/v1/persistentvolumes',
        workload(
          'PersistentVolume',
          'v1',
          {},
          {
            capacity: { storage: '1Gi' },
            accessModes: ['ReadWriteOnce'],
            hostPath: { path: '/a' },
            storageClassName: 'standard',
            nodeAffinity: { required: { nodeSelectorTerms: terms } },
          },
        ),
      ),
    ],
    request: post(`${core}/persistentvolumeclaims`, workload('PersistentVolumeClaim', 'v1', {}, claim)),
    path: `${core}/persistentvolumeclaims`,
    written: '"phase":"Bound"',
  },
  {
    name: 'a Node with 20,000 taints',
    before: () => [deployment({ replicas: 20 })],
    request: post(
      '/api/v1/nodes',
      workload('Node', 'v1', {}, { taints: list(20_000, (at) => ({ key: `k${at}`, effect: 'NoExecute' })) }),
    ),
    path: '/api/v1/nodes',
    written: '"type":"ADDED"',
  },
];

describe('the longest time for which the controllers of workloads block other requests', () => {
  for (const controllerCase of cases) testControllerCase(controllerCase, { workloads: true });
});
