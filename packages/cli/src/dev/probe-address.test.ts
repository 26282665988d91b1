import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { ConfigMap } from '@kubewright/api/core/v1';
import { selfSignedCertificate } from '@kubewright/runtime/internal';
import { TestEnvironment } from '@kubewright/testing';
import { KubeApi } from '../deploy/kube-api.js';
import { freePort } from './dev-webhooks.js';
import { probeAddress, type ProbeAddressOptions } from './probe-address.js';
import { hostAndPort, listenAddress } from './webhook-address.js';

const hasIpv6 = Object.values(networkInterfaces()).some((all) => (all ?? []).some(({ address }) => address === '::1'));

/** Returns the options of a probe at a host. `certified` is the host in the certificate. */
async function optionsFor(host: string, certified = host): Promise<ProbeAddressOptions> {
  const listen = await listenAddress(host);
  const port = await freePort(listen);
  return {
    local: { host: listen, port, keyPair: selfSignedCertificate([certified]) },
    url: `https://${hostAndPort({ host, port })}`,
    session: { id: '0a1b2c3d', lease: 'default/probed' },
    name: 'probed',
    namespace: 'default',
    signal: new AbortController().signal,
  };
}

for (const [host, isAvailable] of [
  ['127.0.0.1', true],
  ['localhost', true],
  ['::1', hasIpv6],
] as const) {
  test(`the API server calls webhooks at ${host}`, { skip: isAvailable ? false : 'no IPv6' }, async () => {
    await using env = await TestEnvironment.start();
    await using api = new KubeApi(env.connection, () => undefined);
    await probeAddress(api, await optionsFor(host));
    assert.deepEqual(await env.client.live.list(ValidatingWebhookConfiguration), []);
    assert.deepEqual(
      await env.client.live.list(ConfigMap, { namespace: 'default', labels: 'kubewright.dev/webhook-probe' }),
      [],
    );
  });
}

test('probeAddress reports a closed port, and removes the webhook of the probe', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  const options = await optionsFor('127.0.0.1');
  const url = `https://127.0.0.1:${await freePort('127.0.0.1')}`;
  await assert.rejects(
    probeAddress(api, { ...options, url }),
    ({ code, message }: Error & { readonly code?: string }) => {
      assert.equal(code, 'WEBHOOKS_UNREACHABLE');
      assert.ok(
        message.includes(`cannot call webhooks at ${url}: Internal error occurred: failed calling webhook`),
        message,
      );
      return /connect.*refused/i.test(message);
    },
  );
  assert.deepEqual(await env.client.live.list(ValidatingWebhookConfiguration), []);
});

test('probeAddress reports a server with another certificate at the address', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  await assert.rejects(probeAddress(api, await optionsFor('127.0.0.1', 'example.com')), {
    code: 'WEBHOOKS_UNREACHABLE',
    message: /x509: /,
  });
});

test('probeAddress reports a port that is already in use', async () => {
  await using env = await TestEnvironment.start();
  await using api = new KubeApi(env.connection, () => undefined);
  const options = await optionsFor('127.0.0.1');
  const port = Number(new URL(env.connection.server).port);
  await assert.rejects(probeAddress(api, { ...options, local: { ...options.local, port } }), {
    code: 'ADDRESS_IN_USE',
  });
});
