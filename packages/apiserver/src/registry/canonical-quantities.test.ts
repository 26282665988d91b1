import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtInSchema } from '@kubewright/api/built-in';
import { writeCanonicalQuantities } from './canonical-quantities.js';

test('amounts at any depth are written in their canonical form, and nothing else is', () => {
  const schema = builtInSchema('v1', 'Pod');
  assert.ok(schema);
  const container = (memory: unknown, cpu: unknown): object => ({
    name: '4096Mi',
    ports: [{ containerPort: 1000 }],
    resources: { limits: { memory, cpu } },
    livenessProbe: { httpGet: { port: 8080 } },
  });
  const pod = { kind: 'Pod', metadata: { labels: { size: '4096Mi' } }, spec: { containers: [container('4096Mi', 2)] } };
  writeCanonicalQuantities(pod, schema);
  assert.deepEqual(pod, {
    kind: 'Pod',
    metadata: { labels: { size: '4096Mi' } },
    spec: { containers: [container('4Gi', '2')] },
  });
});

test('what is no amount stays for validation to refuse', () => {
  const schema = builtInSchema('v1', 'Pod');
  assert.ok(schema);
  const pod = { spec: { containers: [{ name: 'a', resources: { limits: { memory: 'much' } } }] } };
  writeCanonicalQuantities(pod, schema);
  assert.equal(pod.spec.containers[0]?.resources.limits.memory, 'much');
});
