import assert from 'node:assert/strict';
import { test } from 'node:test';
import { autoscalerConversion, autoscalerToV2 } from './autoscaler-conversion.js';
import type { ApiObject } from '../../objects/api-object.js';
import { valueAt } from '../../objects/json-object.js';

const metrics = [
  { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
  { type: 'Pods', pods: { metric: { name: 'hits' }, target: { averageValue: '5', type: 'AverageValue' } } },
  {
    type: 'Object',
    object: {
      metric: { name: 'load' },
      describedObject: { kind: 'Service', name: 's', apiVersion: 'v1' },
      target: { value: '10', type: 'Value' },
    },
  },
];
const stored = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'a', annotations: { own: 'kept' } },
  spec: {
    maxReplicas: 3,
    metrics,
    behavior: { scaleUp: { selectPolicy: 'Max', policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] } },
  },
  status: { desiredReplicas: 1, currentMetrics: null },
} as unknown as ApiObject;

test('the conversion to autoscaling/v1 writes values without a v1 field to annotations', () => {
  const old = autoscalerConversion.fromStored(stored);
  assert.equal((old['spec'] as { targetCPUUtilizationPercentage: number }).targetCPUUtilizationPercentage, 50);
  assert.deepEqual(Object.keys(old.metadata.annotations ?? {}).toSorted(), [
    'autoscaling.alpha.kubernetes.io/behavior',
    'autoscaling.alpha.kubernetes.io/metrics',
    'own',
  ]);
  const back = autoscalerConversion.toStored(old);
  assert.deepEqual(back.metadata.annotations, { own: 'kept' });
  assert.deepEqual(structuredClone(back['spec']), {
    ...(stored['spec'] as object),
    metrics: [metrics[1], metrics[2], metrics[0]],
  });
});

test('the conversion to autoscaling/v2 adds a CPU metric to an autoscaler without metrics', () => {
  const object = { ...stored, apiVersion: 'autoscaling/v1', spec: { maxReplicas: 3 } };
  assert.deepEqual(valueAt(autoscalerConversion.toStored(object), 'spec', 'metrics'), [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ]);
});

test('the conversion to autoscaling/v2 drops an annotation that is not valid JSON', () => {
  const annotations = { 'autoscaling.alpha.kubernetes.io/metrics': '{' };
  const object = { ...stored, apiVersion: 'autoscaling/v1', metadata: { name: 'a', annotations }, spec: {} };
  const { metadata } = autoscalerToV2(object);
  assert.deepEqual(metadata, { name: 'a' });
});
