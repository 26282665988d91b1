import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { ApiServer } from '../api-server.js';
import { RawClient } from '../raw-client.test.support.js';

describe('the identity of a server with a data folder', () => {
  let data: string;
  beforeEach(() => {
    data = mkdtempSync(join(tmpdir(), 'kubewright-identity-'));
  });
  afterEach(() => rmSync(data, { recursive: true }));

  test('keeps the token, the certificate authority and the tokens of service accounts after a restart', async () => {
    const first = await ApiServer.start({ data });
    const { token, certificateAuthority } = first;
    const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} };
    const account = '/api/v1/namespaces/default/serviceaccounts/default';
    await new RawClient(first).eventsUntil(
      '/api/v1/namespaces/default/serviceaccounts?watch=true',
      ({ object }) => object.metadata.name === 'default',
    );
    const issued = await new RawClient(first).post(`${account}/token`, request);
    await first.stop();
    const { token: accountToken } = issued.body['status'] as { readonly token: string };
    await using second = await ApiServer.start({ data });
    assert.equal(second.token, token);
    assert.equal(second.certificateAuthority, certificateAuthority);
    const asAccount = new RawClient(second, { token: accountToken });
    // The user is authenticated, but does not have the permission.
    assert.equal((await asAccount.get('/api/v1/namespaces')).status, 403);
    assert.equal(statSync(join(data, 'identity.json')).mode & 0o777, 0o600);
  });

  test('the server creates a new certificate with a warning after the host changes, and keeps the token', async () => {
    const first = await ApiServer.start({ data });
    await first.stop();
    const warnings: string[] = [];
    await using second = await ApiServer.start({
      data,
      host: 'localhost',
      onWarning: (message) => warnings.push(message),
    });
    assert.equal(second.token, first.token);
    assert.notEqual(second.certificateAuthority, first.certificateAuthority);
    assert.match(
      warnings.join(),
      /^replaced the certificate in .*identity\.json, because it is not valid for localhost; clients need a new kubeconfig$/,
    );
  });

  test('the server reports a damaged identity file and does not overwrite it', async () => {
    writeFileSync(join(data, 'identity.json'), '{"token":');
    await assert.rejects(ApiServer.start({ data }), { code: 'DATA_CORRUPT', message: /identity\.json is damaged/ });
    assert.equal(readFileSync(join(data, 'identity.json'), 'utf8'), '{"token":');
    rmSync(join(data, 'identity.json'));
    await (await ApiServer.start({ data })).stop();
  });
});
