import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Service } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { CommandContext } from '../command/command-context.js';
import { missingConversionService, warnOfMissingConversion } from './conversion-services.js';
import { KubeApi } from './kube-api.js';
import { removeOldConfigurations, untilInjected } from './webhook-configurations.js';

const settings = {
  name: 'web-operator',
  image: 'web-operator:v1',
  namespace: 'web-operator-system',
  namespaced: false,
};
const labels = { 'app.kubernetes.io/managed-by': 'kubewright', 'app.kubernetes.io/name': 'web-operator' };
const name = 'web-operator-validating-webhook-configuration';
const configuration = (more: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> } = {}) =>
  new ValidatingWebhookConfiguration({
    metadata: { name, labels, ...more },
    webhooks: [
      {
        name: 'validate.example.com',
        admissionReviewVersions: ['v1'],
        clientConfig: { service: { name: 'web-operator-webhook', namespace: 'web-operator-system' } },
        rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['websites'] }],
        sideEffects: 'None',
      },
    ],
  });

/** Returns the context of a command, and the functions that return its output. */
function recordedContext() {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const context = new CommandContext({
    cwd: '/',
    env: { NO_COLOR: '1' },
    stdout: { write: (text) => stdout.push(text) },
    stderr: { write: (text) => stderr.push(text) },
  });
  return { context, stdout: () => stdout.join(''), stderr: () => stderr.join('') };
}

test('removeOldConfigurations deletes a configuration that the operator no longer has, except in a dry run', async () => {
  await using env = await TestEnvironment.start({ objects: [configuration()] });
  await using api = new KubeApi(env.connection, () => undefined);
  const { context, stdout } = recordedContext();
  assert.deepEqual(
    await removeOldConfigurations(context, api, { settings, objects: [configuration()], dryRun: false }),
    [],
  );
  const expected = [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      name,
      outcome: 'deleted',
    },
  ];
  for (const dryRun of [true, false]) {
    assert.notEqual(await env.client.find(ValidatingWebhookConfiguration, { name }), undefined);
    assert.deepEqual(await removeOldConfigurations(context, api, { settings, objects: [], dryRun }), expected);
  }
  assert.equal(await env.client.find(ValidatingWebhookConfiguration, { name }), undefined);
  assert.equal(
    stdout(),
    `would delete ValidatingWebhookConfiguration ${name}\ndeleted ValidatingWebhookConfiguration ${name}\n`,
  );
});

test('removeOldConfigurations keeps a configuration without the labels of the operator', async () => {
  await using env = await TestEnvironment.start({ objects: [configuration({ labels: {} })] });
  await using api = new KubeApi(env.connection, () => undefined);
  const { context } = recordedContext();
  assert.deepEqual(await removeOldConfigurations(context, api, { settings, objects: [], dryRun: false }), []);
  assert.notEqual(await env.client.find(ValidatingWebhookConfiguration, { name }), undefined);
});

test('untilInjected waits for the CA bundle, ignores other configurations, and states what to check after the time limit', async () => {
  await using env = await TestEnvironment.start({ objects: [configuration(), configuration({ name: 'other' })] });
  await using api = new KubeApi(env.connection, () => undefined);
  const { signal } = new AbortController();
  const objects = [configuration(), configuration({ name: 'other' })];
  await assert.rejects(untilInjected(api, { settings, objects, limitMs: 1, signal }), {
    code: 'NOT_AVAILABLE',
    message: `ValidatingWebhookConfiguration ${name} is not available: its webhooks have no CA bundle after 0.001 s; check the log of the operator, or of the component that injects the CA bundle`,
  });
  const waiting = untilInjected(api, { settings, objects, limitMs: 60_000, signal });
  const found = await env.client.get(ValidatingWebhookConfiguration, { name });
  const caBundle = Buffer.from(env.connection.ca ?? '').toString('base64');
  await env.client.patch(found, { json: [{ op: 'add', path: '/webhooks/0/clientConfig/caBundle', value: caBundle }] });
  await waiting;
});

test('warnOfMissingConversion names the definition, the Service, and the version that does not need a conversion', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  const service = { name: 'web-operator-webhook', namespace: 'default' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = new CustomResourceDefinition({
    metadata: { name: 'websites.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Website', plural: 'websites' },
      versions: [
        { name: 'v1', served: true, storage: false, schema },
        { name: 'v2', served: true, storage: true, schema },
      ],
      conversion: { strategy: 'Webhook', webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] } },
    },
  });
  const { context, stderr } = recordedContext();
  await warnOfMissingConversion(context, api, [definition]);
  assert.equal(
    stderr(),
    "warning: websites.example.com is converted between its versions by Service default/web-operator-webhook, which does not exist: the API server rejects requests for objects in versions other than v2 until 'kubewright deploy' creates the Service\n",
  );
  await env.client.create(new Service({ metadata: service, spec: { ports: [{ port: 443 }] } }));
  assert.equal(await missingConversionService(api, definition), undefined);
  const { conversion: _, ...spec } = definition.spec;
  assert.equal(await missingConversionService(api, { ...definition, spec }), undefined);
});
