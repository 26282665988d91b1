import { applied, configMap, configMaps, create, json, keys, list, patch, thing, things } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const post = (path: string, body: object): LimitRequest => ({
  method: 'POST',
  path,
  type: json,
  body: JSON.stringify(body),
});
const mergePatch = 'application/merge-patch+json';
const strictPatch = (body: object): LimitRequest => ({
  ...patch(mergePatch, body),
  path: `${configMaps}/a?fieldValidation=Strict`,
});
const pods = '/api/v1/namespaces/default/pods';
const quotas = '/api/v1/namespaces/default/resourcequotas';
const pod = (spec: object) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
});
const quota = (spec: object) => ({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'a' }, spec });
const empty = list(64_000, () => ({}));
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a' },
  spec: { maxReplicas: 1, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' }, metrics: empty },
};
const texts = list(60_000, () => 'x');
const numbers = Object.fromEntries(list(40_000, (at) => [`k${at}`, 1]));

/** Requests with objects that have tens of thousands of errors. */
export const errorsCases: readonly LimitCase[] = [
  { name: 'a list of 60,000 items of a wrong type', request: post(things, thing({ numbers: texts })), status: 422 },
  {
    name: 'a map of 40,000 values of a wrong type',
    request: post(things, thing({ texts: numbers })),
    status: 422,
  },
  { name: 'a set with 60,000 equal items', request: post(things, thing({ set: texts })), status: 422 },
  {
    name: 'a patch that creates 60,000 items of a wrong type',
    before: [post(things, thing({ numbers: [1] }))],
    request: { ...patch(mergePatch, { spec: { numbers: texts } }), path: `${things}/a` },
    status: 422,
  },
  {
    name: 'an apply of 40,000 values of a wrong type',
    request: applied(things, thing({ texts: numbers })),
    status: 500,
  },
  { name: '25,000 invalid labels', request: create(configMap({}, { labels: keys(25_000, '-') })), status: 422 },
  {
    name: '20,000 owner references that are controllers',
    request: create(configMap({}, { ownerReferences: list(20_000, () => ({ controller: true })) })),
    status: 422,
  },
  {
    name: '30,000 empty owner references',
    request: create(configMap({}, { ownerReferences: list(30_000, () => ({})) })),
    status: 422,
  },
  {
    name: 'a strict merge patch with 60,000 unknown fields',
    before: [create(configMap({ a: 'b' }))],
    request: strictPatch(keys(60_000)),
    status: 422,
  },
  {
    name: 'a strict merge patch that removes the apiVersion, with 60,000 unknown fields',
    before: [create(configMap({ a: 'b' }))],
    request: strictPatch({ ...keys(60_000), apiVersion: null }),
    status: 422,
  },
  {
    name: '40,000 unknown fields with strict validation',
    request: post(`${configMaps}?fieldValidation=Strict`, { ...configMap({}), ...keys(40_000) }),
    status: 400,
  },
  {
    name: '30,000 invalid tolerations',
    request: post(pods, pod({ tolerations: list(30_000, () => ({ operator: 'x' })) })),
    status: 422,
  },
  {
    name: '25,000 volumes without a name',
    request: post(pods, pod({ volumes: list(25_000, () => ({})) })),
    status: 422,
  },
  {
    name: '4,000 references to unknown claims in a Pod with 4,000 claims',
    request: post(
      pods,
      pod({
        containers: [{ name: 'a', image: 'a', resources: { claims: list(4000, (at) => ({ name: `x${at}` })) } }],
        resourceClaims: list(4000, (at) => ({ name: `c${at}` })),
      }),
    ),
    status: 422,
  },
  { name: '60,000 unknown scopes of a quota', request: post(quotas, quota({ scopes: texts })), status: 422 },
  {
    name: '64,000 empty taints of a Node',
    request: post('/api/v1/nodes', {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'a' },
      spec: { taints: empty },
    }),
    status: 422,
  },
  {
    name: '64,000 empty topology spread constraints',
    request: post(pods, pod({ topologySpreadConstraints: empty })),
    status: 422,
  },
  {
    name: '64,000 empty pod affinity terms',
    request: post(pods, pod({ affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: empty } } })),
    status: 422,
  },
  {
    name: '64,000 empty volume mounts',
    request: post(pods, pod({ containers: [{ name: 'a', image: 'a', volumeMounts: empty }] })),
    status: 422,
  },
  {
    name: '4,000 volume mounts and 4,000 volume devices',
    request: post(
      pods,
      pod({
        containers: [
          {
            name: 'a',
            image: 'a',
            volumeMounts: list(4000, (at) => ({ name: 'v', mountPath: `/m${at}` })),
            volumeDevices: list(4000, (at) => ({ name: 'x', devicePath: `/d${at}` })),
          },
        ],
        volumes: [{ name: 'v', emptyDir: {} }],
      }),
    ),
    status: 422,
  },
  {
    name: '64,000 empty metrics of an autoscaler',
    request: post('/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers', autoscaler),
    status: 422,
  },
  {
    name: '64,000 empty limits of a LimitRange',
    request: post('/api/v1/namespaces/default/limitranges', {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'a' },
      spec: { limits: empty },
    }),
    status: 422,
  },
  {
    name: '60,000 unknown usages of a CertificateSigningRequest',
    request: post('/apis/certificates.k8s.io/v1/certificatesigningrequests', {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'a' },
      spec: { request: 'YQ==', signerName: 'a.b/c', usages: texts },
    }),
    status: 422,
  },
  {
    name: '60,000 items with the last of the 10,000 values of an enum',
    request: post(things, thing({ chosen: list(60_000, () => 'e9999') })),
    status: 201,
  },
  {
    name: '60,000 items with none of the 10,000 values of an enum',
    request: post(things, thing({ chosen: texts })),
    status: 422,
  },
];
