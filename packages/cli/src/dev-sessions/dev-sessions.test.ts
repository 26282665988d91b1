import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Lease } from '@kubewright/api/coordination/v1';
import { type Client, InMemoryCertificates } from '@kubewright/runtime';
import { TestEnvironment } from '@kubewright/testing';
import { CommandContext } from '../command/command-context.js';
import { KubeApi } from '../deploy/kube-api.js';
import { widgetDefinition } from '../test-support/widget-definition.js';
import { findSessions, removeSession } from './found-sessions.js';
import { objectsToApply } from './objects-to-apply.js';
import { hasExpiredSessions, removeExpiredSessions } from './remove-expired-sessions.js';
import { isConvertedBy, replaceConversion, restoreConversion, withSessionConversions } from './replaced-conversion.js';
import { isExpired, SessionLease } from './session-lease.js';
import { CONVERSION_ANNOTATION, type SessionKey, sessionMetadata } from './session-objects.js';

const DEFINITION = 'widgets.example.com';
const INJECTION = 'cert-manager.io/inject-ca-from';
const caBundle = Buffer.from(new InMemoryCertificates().caBundle).toString('base64');
const service = { name: 'widget-webhook', namespace: 'widgets', path: '/convert', port: 443 };
const DEPLOYED = {
  strategy: 'Webhook',
  webhook: { clientConfig: { service, caBundle }, conversionReviewVersions: ['v1'] },
};
const session: SessionKey = { id: '0a1b2c3d', lease: 'default/widget-operator-dev-0a1b2c3d' };
const byUrl = (url: string) => ({
  definition: DEFINITION,
  conversion: {
    strategy: 'Webhook',
    webhook: { clientConfig: { url, caBundle }, conversionReviewVersions: ['v1'] },
  },
});
const mine = byUrl('https://127.0.0.1:1/convert');

/** A cluster with a deployed operator that converts widgets. */
async function deployed(): Promise<TestEnvironment> {
  const widgets = widgetDefinition({}, {}, {});
  const metadata = { name: DEFINITION, annotations: { [INJECTION]: 'widgets/certificate', other: 'kept' } };
  return TestEnvironment.start({
    objects: [new CustomResourceDefinition({ metadata, spec: { ...widgets.spec, conversion: DEPLOYED } })],
  });
}
const definitionOf = (client: Client) => client.live.get(CustomResourceDefinition, { name: DEFINITION });

/** Returns the context of a command, and a function that returns its output. */
function recordedContext() {
  const lines: string[] = [];
  const stream = { write: (text: string) => lines.push(text) };
  const context = new CommandContext({ cwd: '/', env: { NO_COLOR: '1' }, stdout: stream, stderr: stream });
  return { context, printed: () => lines.join('') };
}

/** Creates the webhook configuration of a session. */
function configuration(client: Client, { key, name }: SessionLease): Promise<ValidatingWebhookConfiguration> {
  const rules = [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }];
  const webhook = { name: 'a.example.com', admissionReviewVersions: ['v1'], rules, sideEffects: 'None' };
  return client.create(
    new ValidatingWebhookConfiguration({
      metadata: { name: `${name}-validating`, ...sessionMetadata(key) },
      webhooks: [{ ...webhook, clientConfig: { url: 'https://127.0.0.1:1/' }, failurePolicy: 'Ignore' }],
    }),
  );
}

test('a session replaces the conversion and the CA injection of a definition, and restores both', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  const before = await definitionOf(env.client);
  const replaced = await replaceConversion(api, mine, session);
  assert.deepEqual(replaced, { type: 'replaced', previous: before.spec.conversion });
  assert.deepEqual(await replaceConversion(api, mine, session), { type: 'unchanged' });
  const during = await definitionOf(env.client);
  assert.deepEqual(during.spec.conversion, mine.conversion);
  assert.deepEqual(
    [during.metadata.annotations?.[INJECTION], during.metadata.annotations?.['other']],
    [undefined, 'kept'],
  );
  assert.ok(await isConvertedBy(api, mine, session));

  const later = byUrl('https://127.0.0.1:2/convert');
  assert.equal(await restoreConversion(api, DEFINITION, 'default/another'), 'absent');
  assert.deepEqual((await definitionOf(env.client)).spec.conversion, mine.conversion);
  assert.equal(await isConvertedBy(api, later, session), false);

  assert.equal(await restoreConversion(api, DEFINITION, session.lease), 'restored');
  const after = await definitionOf(env.client);
  assert.deepEqual(after.spec, before.spec);
  assert.deepEqual(after.metadata.annotations, before.metadata.annotations);
  assert.deepEqual(after.metadata.labels ?? {}, {});
  assert.equal(await restoreConversion(api, DEFINITION, session.lease), 'absent');
  assert.equal(await restoreConversion(api, 'gadgets.example.com', session.lease), 'absent');
});

test('a session restores a definition that had no conversion', async () => {
  await using env = await TestEnvironment.start({
    objects: [new CustomResourceDefinition(widgetDefinition({}))],
  });
  await using api = new KubeApi(env.connection, () => undefined);
  const before = await definitionOf(env.client);
  await replaceConversion(api, mine, session);
  assert.equal(await restoreConversion(api, DEFINITION, session.lease), 'restored');
  assert.deepEqual((await definitionOf(env.client)).spec, before.spec);
});

test('a session does not replace the conversion of another session', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  await replaceConversion(api, mine, session);
  const other = { id: 'ffffffff', lease: 'default/widget-operator-dev-ffffffff' };
  assert.deepEqual(await replaceConversion(api, byUrl('https://127.0.0.1:3/'), other), {
    type: 'held',
    lease: session.lease,
  });
  assert.deepEqual((await definitionOf(env.client)).spec.conversion, mine.conversion);
  const declared = {
    ...widgetDefinition({}),
    kind: 'CustomResourceDefinition',
    spec: { ...widgetDefinition({}).spec, conversion: DEPLOYED },
  };
  const [kept] = await withSessionConversions(api, [declared]);
  assert.deepEqual(kept?.spec.conversion, mine.conversion);
});

test('a session does not overwrite a conversion that another client has set in the meantime', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  await replaceConversion(api, mine, session);
  const theirs = { strategy: 'None', webhook: null };
  await env.client.patch(await definitionOf(env.client), { merge: { spec: { conversion: theirs } } });
  assert.equal(await isConvertedBy(api, mine, session), false);
  assert.equal(await restoreConversion(api, DEFINITION, session.lease), 'kept');
  const { spec, metadata } = await definitionOf(env.client);
  assert.deepEqual(spec.conversion, { strategy: 'None' });
  assert.equal(metadata.annotations?.[CONVERSION_ANNOTATION], undefined);
  assert.equal(metadata.annotations?.[INJECTION], 'widgets/certificate');
});

for (const junk of [
  '',
  '{',
  '[]',
  '{"url":1}',
  '{"url":"https://127.0.0.1:1/convert","conversion":{},"annotations":{"a":1}}',
]) {
  test(`restoreConversion keeps the conversion if the annotation with the previous conversion is '${junk}'`, async () => {
    await using env = await deployed();
    await using api = new KubeApi(env.connection, () => undefined);
    await replaceConversion(api, mine, session);
    const merge = { metadata: { annotations: { [CONVERSION_ANNOTATION]: junk } } };
    await env.client.patch(await definitionOf(env.client), { merge });
    assert.equal(await restoreConversion(api, DEFINITION, session.lease), 'kept');
    assert.deepEqual((await definitionOf(env.client)).spec.conversion, mine.conversion);
  });
}

test('removeExpiredSessions removes only sessions without a valid Lease, and changes nothing in a dry run', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  const [live, expired, lost] = [
    await SessionLease.create(api, 'widget-operator'),
    await SessionLease.create(api, 'widget-operator'),
    await SessionLease.create(api, 'other-operator'),
  ];
  const objects = [
    await configuration(env.client, live),
    await configuration(env.client, expired),
    await configuration(env.client, lost),
  ];
  const [ofLive, ofExpired, ofLost] = objects.map(({ metadata }) => metadata.name);
  await replaceConversion(api, mine, expired.key);
  const lease = await env.client.live.get(Lease, expired);
  await env.client.patch(lease, { merge: { spec: { renewTime: '2000-01-01T00:00:00.000000Z' } } });
  await lost.remove();
  assert.ok(await hasExpiredSessions(api));

  const { context, printed } = recordedContext();
  const planned = await removeExpiredSessions(context, api, { dryRun: true });
  assert.deepEqual([planned.removed, planned.live.map((each) => each.lease)], [2, [live.key.lease]]);
  assert.match(
    printed(),
    /^would restore the conversion of widgets\.example\.com: 'kubewright dev' of .+@.+ \(Lease default\/widget/m,
  );
  assert.equal((await env.client.live.list(ValidatingWebhookConfiguration)).length, 3);

  assert.equal((await removeExpiredSessions(context, api)).removed, 2);
  assert.match(printed(), new RegExp(`^deleted ValidatingWebhookConfiguration ${ofExpired}: `, 'm'));
  assert.match(
    printed(),
    new RegExp(`^deleted ValidatingWebhookConfiguration ${ofLost}: 'kubewright dev' \\(Lease `, 'm'),
  );
  const left = await env.client.live.list(ValidatingWebhookConfiguration);
  assert.deepEqual(
    left.map(({ metadata }) => metadata.name),
    [ofLive],
  );
  assert.equal((await definitionOf(env.client)).spec.conversion?.webhook?.clientConfig?.service?.name, service.name);
  assert.deepEqual(
    (await env.client.live.list(Lease)).map(({ metadata }) => metadata.name),
    [live.name],
  );
  assert.equal(await expired.renew(), false);
  assert.equal(await live.renew(), true);
  assert.equal(await hasExpiredSessions(api), false);
});

test('removeSession does not remove a session that has renewed its Lease since findSessions', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  const lease = await SessionLease.create(api, 'widget-operator');
  await configuration(env.client, lease);
  await replaceConversion(api, mine, lease.key);
  const [found] = await findSessions(api);
  assert.ok(found);
  const merge = { spec: { renewTime: '2000-01-01T00:00:00.000000Z' } };
  await env.client.patch(await env.client.live.get(Lease, lease), { merge });
  assert.equal(await removeSession(api, found), undefined);
  assert.equal((await env.client.live.list(ValidatingWebhookConfiguration)).length, 1);
  assert.deepEqual((await definitionOf(env.client)).spec.conversion, mine.conversion);
});

test('objectsToApply rejects a definition that a session converts, and in a dry run keeps the conversion of an expired session', async () => {
  await using env = await deployed();
  await using api = new KubeApi(env.connection, () => undefined);
  const lease = await SessionLease.create(api, 'widget-operator');
  await replaceConversion(api, mine, lease.key);
  const { context } = recordedContext();
  const widgets = new CustomResourceDefinition({ ...widgetDefinition({}), metadata: { name: DEFINITION } });
  await assert.rejects(objectsToApply(context, api, { objects: [widgets], dryRun: true }), {
    code: 'APPLY_CONFLICT',
    message: /^cannot apply widgets\.example\.com: 'kubewright dev' of .+ converts its objects \(Lease default\/widget/,
  });
  const merge = { spec: { renewTime: '2000-01-01T00:00:00.000000Z' } };
  await env.client.patch(await env.client.live.get(Lease, lease), { merge });
  const [planned] = await objectsToApply(context, api, { objects: [widgets], dryRun: true });
  assert.deepEqual(planned?.spec.conversion, mine.conversion);
  const [applied] = await objectsToApply(context, api, { objects: [widgets], dryRun: false });
  assert.deepEqual(applied, widgets);
  assert.equal((await definitionOf(env.client)).spec.conversion?.webhook?.clientConfig?.service?.name, service.name);
});

test('a Lease expires after its duration, measured with the clock of the API server', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  const created = await SessionLease.create(api, 'widget-operator');
  const lease = await env.client.live.get(Lease, created);
  const renewed = Date.parse(lease.spec.renewTime ?? '');
  const duration = (lease.spec.leaseDurationSeconds ?? 0) * 1000;
  assert.equal(isExpired(lease, renewed + duration), false);
  assert.equal(isExpired(lease, renewed + duration + 1), true);
  assert.equal(isExpired({ ...lease, spec: {} }, Date.parse(lease.metadata.creationTimestamp)), false);
});
