import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SystemClock } from '@kubewright/api/clock';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import type { JsonObject } from '../../registry/objects/api-object.js';
import { Registry } from '../../registry/registry.js';
import { systemContext } from '../../registry/requests/request-context.js';
import { Store } from '../../storage/store.js';
import { matchedVersion } from './match-rules.js';

const registry = new Registry({ store: new Store(), clock: new SystemClock() });

function requestOn(path: `${string}/${string}/${string}`, subresource?: string): AdmissionRequest {
  const { definition } = registry.builtIn(path);
  const key = { name: 'a', ...(definition.namespaced ? { namespace: 'n' } : {}) };
  const context = systemContext('test', 'update', subresource);
  const operation = 'UPDATE';
  return {
    operation,
    definition,
    kind: definition,
    key,
    name: 'a',
    object: undefined,
    old: undefined,
    context,
    registry,
  };
}

const all: JsonObject = { operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' };

function matches(rule: JsonObject, request: AdmissionRequest, matchPolicy = 'Exact'): string | undefined {
  const found = matchedVersion({ rules: [{ ...all, ...rule }], matchPolicy }, request);
  return found && `${found.kind.apiVersion} ${found.kind.kind}`;
}

const pods = requestOn('/v1/pods');
const status = requestOn('/v1/pods', 'status');
const namespaces = requestOn('/v1/namespaces');

test('a rule matches a resource, its subresources or both', () => {
  const cases: readonly (readonly [string, boolean, boolean])[] = [
    ['*', true, false],
    ['pods', true, false],
    ['*/*', true, true],
    ['pods/*', true, true],
    ['pods/status', false, true],
    ['*/status', false, true],
    ['pods/scale', false, false],
    ['services', false, false],
  ];
  for (const [text, ofPods, ofStatus] of cases) {
    assert.equal(matches({ resources: [text] }, pods) !== undefined, ofPods, text);
    assert.equal(matches({ resources: [text] }, status) !== undefined, ofStatus, text);
  }
});

test('a rule matches operations, groups and versions exactly or by wildcard', () => {
  assert.equal(matches({ operations: ['CREATE', 'UPDATE'] }, pods), 'v1 Pod');
  assert.equal(matches({ operations: ['CREATE', 'CONNECT'] }, pods), undefined);
  assert.equal(matches({ apiGroups: [''] }, pods), 'v1 Pod');
  assert.equal(matches({ apiGroups: ['apps'] }, pods), undefined);
  assert.equal(matches({ apiVersions: ['v2'] }, pods), undefined);
});

test('a rule with the scope Cluster matches Namespaces and Nodes, and a rule with the scope Namespaced matches neither', () => {
  const scopes = ['Namespaced', 'Cluster', '*'].map((scope) =>
    [pods, namespaces, requestOn('/v1/nodes')].map((request) => matches({ scope }, request) !== undefined),
  );
  assert.deepEqual(scopes, [
    [true, false, false],
    [false, true, true],
    [true, true, true],
  ]);
});

test('a rule matches other versions, and the other API group of Events, only with the matchPolicy Equivalent', () => {
  const autoscaler = requestOn('autoscaling/v1/horizontalpodautoscalers');
  assert.equal(matches({ apiVersions: ['v2'] }, autoscaler), undefined);
  assert.equal(matches({ apiVersions: ['v2'] }, autoscaler, 'Equivalent'), 'autoscaling/v2 HorizontalPodAutoscaler');
  assert.equal(
    matches({ apiGroups: ['events.k8s.io'] }, requestOn('/v1/events'), 'Equivalent'),
    'events.k8s.io/v1 Event',
  );
  assert.equal(matches({}, autoscaler, 'Equivalent'), 'autoscaling/v1 HorizontalPodAutoscaler');
});
