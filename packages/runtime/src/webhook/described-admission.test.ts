import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dynamicKind } from '@kubewright/api';
import { Pod } from '@kubewright/api/core/v1';
import type { AdmissionType } from '@kubewright/api/metadata';
import { webhookConfigurations } from '../rbac/webhook-configurations.js';
import { describedAdmission } from './described-admission.js';

const CronJob = dynamicKind('batch.example.com/v1', 'CronJob');
const names = { mutating: 'my-mutating', validating: 'my-validating' };

function described(type: AdmissionType, options: object, { mutate = true, validate = true } = {}) {
  return describedAdmission({ type, options: options as never }, { mutate, validate }, 'class Test');
}

test('describes a defaulter and a validator with all defaults', () => {
  const defaults = {
    declaredBy: 'class Test',
    kind: CronJob,
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: 10,
    matchPolicy: 'Equivalent',
    matchConditions: [],
  };
  assert.deepEqual(described('defaulter', { for: CronJob }), [
    {
      ...defaults,
      type: 'mutating',
      name: 'mutate.cronjob.v1.batch.example.com',
      path: '/mutate-batch-example-com-v1-cronjob',
      reinvocationPolicy: 'Never',
    },
  ]);
  assert.deepEqual(described('validator', { for: CronJob }), [
    {
      ...defaults,
      type: 'validating',
      name: 'validate.cronjob.v1.batch.example.com',
      path: '/validate-batch-example-com-v1-cronjob',
    },
  ]);
});

test('describes a mutating and a validating webhook if an admission class defines both methods', () => {
  const both = described('admission', { for: Pod, subresource: 'resize', operations: ['update', 'delete'] });
  assert.deepEqual(
    both.map(({ name, path, operations }) => ({ name, path, operations })),
    [
      { name: 'mutate.resize.pod.v1.core', path: '/mutate--v1-pod-resize', operations: ['UPDATE'] },
      { name: 'validate.resize.pod.v1.core', path: '/validate--v1-pod-resize', operations: ['UPDATE', 'DELETE'] },
    ],
  );
  const named = described('admission', { for: Pod, name: 'pods.example.com', path: '/pods' });
  assert.deepEqual(
    named.map(({ name, path }) => `${name} ${path}`),
    ['mutate.pods.example.com /pods/mutate', 'validate.pods.example.com /pods/validate'],
  );
  const single = described('admission', { for: Pod, name: 'pods.example.com', path: '/pods' }, { mutate: false });
  assert.deepEqual(
    single.map(({ type, name, path }) => `${type} ${name} ${path}`),
    ['validating pods.example.com /pods'],
  );
});

test('rejects a mutate method if delete is the only operation', () => {
  assert.throws(() => described('admission', { for: Pod, operations: ['delete'] }, { validate: false }), {
    code: 'INVALID_WEBHOOK',
    message: /class Test: mutate is not called on delete; define validate instead, or add another operation/,
  });
});

test('creates webhook configurations and conversions from a description', () => {
  const admission = [
    ...described('validator', {
      for: Pod,
      operations: ['delete'],
      namespaceSelector: { matchLabels: { tier: 'web' } },
      objectSelector: { matchLabels: { app: 'shop' } },
      matchConditions: [{ name: 'humans', expression: '!request.userInfo.username.startsWith("system:")' }],
    }),
    ...described('defaulter', { for: CronJob, failurePolicy: 'Ignore', reinvocationPolicy: 'IfNeeded' }),
  ];
  const conversions = [
    { hub: CronJob, spokes: [dynamicKind('batch.example.com/v1beta1', 'CronJob')], path: '/convert' },
  ];
  const result = webhookConfigurations(
    { admission, conversions },
    (path) => ({ url: `https://127.0.0.1:9443${path}` }),
    {
      ...names,
      exceptNamespaces: ['system'],
    },
  );
  const except = { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['system'] };
  assert.deepEqual(result.mutating, {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: 'my-mutating' },
    webhooks: [
      {
        name: 'mutate.cronjob.v1.batch.example.com',
        admissionReviewVersions: ['v1'],
        clientConfig: { url: 'https://127.0.0.1:9443/mutate-batch-example-com-v1-cronjob' },
        rules: [
          {
            apiGroups: ['batch.example.com'],
            apiVersions: ['v1'],
            operations: ['CREATE', 'UPDATE'],
            resources: ['cronjobs'],
          },
        ],
        failurePolicy: 'Ignore',
        matchPolicy: 'Equivalent',
        namespaceSelector: { matchExpressions: [except] },
        sideEffects: 'None',
        timeoutSeconds: 10,
        reinvocationPolicy: 'IfNeeded',
      },
    ],
  });
  assert.deepEqual(result.validating?.webhooks, [
    {
      name: 'validate.pod.v1.core',
      admissionReviewVersions: ['v1'],
      clientConfig: { url: 'https://127.0.0.1:9443/validate--v1-pod' },
      rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'] }],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: { matchLabels: { tier: 'web' }, matchExpressions: [except] },
      objectSelector: { matchLabels: { app: 'shop' } },
      matchConditions: [{ name: 'humans', expression: '!request.userInfo.username.startsWith("system:")' }],
      sideEffects: 'None',
      timeoutSeconds: 10,
    },
  ]);
  assert.deepEqual(result.conversions, [
    {
      definition: 'cronjobs.batch.example.com',
      conversion: {
        strategy: 'Webhook',
        webhook: { clientConfig: { url: 'https://127.0.0.1:9443/convert' }, conversionReviewVersions: ['v1'] },
      },
    },
  ]);
});

test('creates no configuration without webhooks, and no namespace selector if the webhook needs none', () => {
  const url = (path: string) => ({ url: `https://127.0.0.1${path}` });
  assert.deepEqual(webhookConfigurations({ admission: [], conversions: [] }, url, names), {
    mutating: undefined,
    validating: undefined,
    conversions: [],
  });
  const admission = described('admission', { for: Pod, subresource: 'eviction' }, { mutate: false });
  const [webhook] = webhookConfigurations({ admission, conversions: [] }, url, names).validating?.webhooks ?? [];
  assert.deepEqual(webhook?.rules?.[0]?.resources, ['pods/eviction']);
  assert.equal('namespaceSelector' in (webhook ?? {}), false);
});
