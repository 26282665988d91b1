import { certificateRequests } from '../contract/certificate-requests.js';
import { applied, configMap, configMaps, create, json, keys, list, patch, thing, things } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const requests = '/apis/certificates.k8s.io/v1/certificatesigningrequests';
const reviews = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';

const send = (method: string, path: string, body: object): LimitRequest => ({
  method,
  path,
  type: json,
  body: JSON.stringify(body),
});
/** Returns an object with `count` long keys. The JSON of the object has at most 3 MiB. */
const longKeys = (count: number, value: unknown) =>
  Object.fromEntries(
    list(count, (at) => [`k${at}`.padEnd(Math.min(60, Math.floor(2_900_000 / count) - 7), 'x'), value]),
  );
const many = 60_000;

const labels = { a: 'b' };
const deployment = send('POST', deployments, {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'a' },
  spec: {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
  },
});
const scale = `${deployments}/a/scale`;
const patchScale = (type: string, body: object, query = ''): LimitRequest => ({
  method: 'PATCH',
  path: `${scale}${query}`,
  type,
  body: JSON.stringify(body),
});
const scaleOf = (metadata: object) => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name: 'a', namespace: 'default', ...metadata },
  spec: { replicas: 3 },
});
const putScale = (metadata: object): LimitRequest => send('PUT', scale, scaleOf(metadata));

const pods = '/api/v1/namespaces/default/pods';
const pod = send('POST', pods, {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'a', image: 'a' }] },
});
const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };

const wrongSelector = { requirements: list(8000, () => ({ key: '', operator: 'In' })) };
const review = (metadata: object, attributes: object = {}) => ({
  apiVersion: 'authorization.k8s.io/v1',
  kind: 'SubjectAccessReview',
  metadata,
  spec: { user: 'a', resourceAttributes: { verb: 'get', resource: 'pods', ...attributes } },
});

const signing = {
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name: 'a' },
  spec: { signerName: 'a.b/c', usages: ['client auth'], request: certificateRequests.other },
};
const approved = list(15_000, () => ({ type: 'Approved', status: 'True', reason: 'a' }));

const wrong = configMap(longKeys(many, 1));
const finalizers = { finalizers: list(20_000, (at) => `a.b/c${at}`) };

/** Requests to subresources and reviews, and other requests whose error messages contain the object. */
export const subresourceCases: readonly LimitCase[] = [
  { name: 'a map of 60,000 values of a wrong type in a built-in kind', request: create(wrong), status: 400 },
  {
    name: 'a merge patch with 60,000 values of a wrong type in a built-in kind',
    before: [create(configMap({ a: 'b' }))],
    request: patch(mergePatch, { data: wrong.data }),
    status: 422,
  },
  {
    name: 'a JSON patch with 60,000 values of a wrong type in a built-in kind',
    before: [create(configMap({ a: 'b' }))],
    request: patch('application/json-patch+json', [{ op: 'replace', path: '/data', value: wrong.data }]),
    status: 422,
  },
  {
    name: 'an apply of 60,000 values of a wrong type in a built-in kind',
    request: applied(configMaps, wrong),
    status: 500,
  },
  {
    name: 'a merge patch with 60,000 labels of a wrong type to a Scale',
    before: [deployment],
    request: patchScale(mergePatch, { metadata: { labels: longKeys(many, 1) } }),
    status: 422,
  },
  {
    name: 'a strict merge patch with 60,000 unknown fields to a Scale',
    before: [deployment],
    request: patchScale(mergePatch, longKeys(many, 'v'), '?fieldValidation=Strict'),
    status: 422,
  },
  {
    name: 'a strategic merge patch with 60,000 labels to a Scale',
    before: [deployment],
    request: patchScale(strategicPatch, { metadata: { labels: longKeys(many, 'v') } }),
    status: 200,
  },
  {
    name: 'a strategic merge patch with 60,000 unknown fields to a Scale',
    before: [deployment],
    request: patchScale(strategicPatch, longKeys(many, 'v')),
    status: 200,
  },
  {
    name: 'a Scale with 60,000 labels',
    before: [deployment],
    request: putScale({ labels: longKeys(many, 'v') }),
    status: 200,
  },
  {
    name: 'a Scale with 60,000 invalid labels',
    before: [deployment],
    request: putScale({ labels: longKeys(many, '-') }),
    status: 422,
  },
  {
    name: 'a Scale with 60,000 empty owner references',
    before: [deployment],
    request: putScale({ ownerReferences: list(many, () => ({})) }),
    status: 422,
  },
  {
    name: 'an apply of a Scale with 60,000 unknown fields',
    before: [deployment],
    request: {
      ...applied(deployments, { ...scaleOf({}), ...longKeys(many, 'v') }),
      path: `${scale}?fieldManager=a&force=true`,
    },
    status: 500,
  },
  {
    name: 'a SubjectAccessReview with 60,000 labels',
    request: send('POST', reviews, review({ labels: longKeys(many, 'v') })),
    status: 422,
  },
  {
    name: 'a SubjectAccessReview with 16,000 invalid requirements',
    request: send('POST', reviews, review({}, { fieldSelector: wrongSelector, labelSelector: wrongSelector })),
    status: 422,
  },
  ...['', '?fieldValidation=Strict'].map((query) => ({
    name: `an eviction with 60,000 unknown fields${query === '' ? '' : ' and strict validation'}`,
    before: [pod],
    request: send('POST', `${pods}/a/eviction${query}`, { ...eviction, ...longKeys(many, 'v') }),
    status: query === '' ? 201 : 400,
  })),
  {
    name: 'an eviction with 60,000 labels',
    before: [pod],
    request: send('POST', `${pods}/a/eviction`, { ...eviction, metadata: { name: 'a', labels: longKeys(many, 'v') } }),
    status: 201,
  },
  {
    name: '15,000 approvals in the status of a CertificateSigningRequest',
    before: [send('POST', requests, signing)],
    request: send('PUT', `${requests}/a/status`, { ...signing, status: { conditions: approved } }),
    status: 422,
  },
  {
    name: 'a deletion of a ConfigMap with 30,000 keys and a finalizer',
    before: [create(configMap(keys(30_000), { finalizers: ['a.b/c'] }))],
    request: { method: 'DELETE', path: `${configMaps}/a` },
    status: 200,
  },
  {
    name: 'a deletion of a custom object with 30,000 fields and a finalizer',
    before: [
      send('POST', things, { ...thing({ open: keys(30_000) }), metadata: { name: 'a', finalizers: ['a.b/c'] } }),
    ],
    request: { method: 'DELETE', path: `${things}/a` },
    status: 200,
  },
  {
    name: 'a deletion of an object with 20,000 finalizers',
    before: [create(configMap({}, finalizers))],
    request: { method: 'DELETE', path: `${configMaps}/a` },
    status: 200,
  },
];

const released = JSON.stringify({ metadata: { finalizers: null } });

/** Requests that delete the objects of a case. */
export const clearSubresources: readonly LimitRequest[] = [
  { method: 'PATCH', path: `${things}/a`, type: mergePatch, body: released },
  ...[deployments, requests, `${pods}?gracePeriodSeconds=0`].map((path) => ({ method: 'DELETE', path })),
];
