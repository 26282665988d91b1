import assert from 'node:assert/strict';
import { createPrivateKey, webcrypto } from 'node:crypto';
import { connect as http2Connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { ApiServer } from './api-server.js';
import { servingCertificate } from './certificates/certificates.js';
import type { ClientCertificate } from './certificates/client-authority.js';
import { loadX509 } from './certificates/load-x509.test.support.js';
import { type Json, RawClient } from './raw-client.test.support.js';
import { newServerKeys } from './certificates/server-keys.js';

const reviews = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

interface Reported {
  readonly status: number;
  readonly body: Json & { readonly status: { readonly userInfo: Readonly<Record<string, unknown>> } };
}

/** Creates a SelfSubjectReview with a client certificate. Returns the status code and the body of the response. */
function whoami(
  server: ApiServer,
  credentials: ClientCertificate,
  headers: Record<string, string> = {},
): Promise<Reported> {
  const { certificate: cert, key } = credentials;
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: server.certificateAuthority, cert, key, headers, agent: false };
    const request = httpsRequest(`${server.url}${reviews}`, options, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Reported['body'] }));
    });
    request.once('error', reject);
    request.end('{}');
  });
}

/** Issues a certificate for the user ann with the given extended key usage. `authorityKey` is the key of the client authority. */
async function certificateFor(usage: 'serverAuth' | 'clientAuth', authorityKey: string): Promise<ClientCertificate> {
  const x509 = await loadX509();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const pkcs8 = createPrivateKey(authorityKey).export({ type: 'pkcs8', format: 'der' });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: '01',
    subject: 'CN=ann',
    issuer: 'CN=kubewright-client-ca',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 60_000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: await webcrypto.subtle.importKey('pkcs8', pkcs8, algorithm, false, ['sign']),
    extensions: [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage[usage]])],
  });
  const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { certificate: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') };
}

describe('access to an embedded API server', () => {
  let server: ApiServer;
  before(async () => {
    server = await ApiServer.start({ tokens: { 'robot-token': { name: 'robot', uid: '7', groups: ['machines'] } } });
  });
  after(() => server.stop());

  test('an additional token authenticates its user', async () => {
    const { body } = await new RawClient(server, { token: 'robot-token' }).send('POST', reviews, { body: {} });
    assert.deepEqual((body['status'] as Reported['body']['status']).userInfo, {
      username: 'robot',
      uid: '7',
      groups: ['machines', 'system:authenticated'],
    });
  });

  test('a client certificate authenticates its user over HTTP/1.1 and HTTP/2', async () => {
    const certificate = await server.clientCertificate({ name: 'ann', groups: ['painters', 'poets'] });
    const { body } = await whoami(server, certificate);
    const { username, groups, extra } = body.status.userInfo;
    assert.deepEqual([username, groups], ['ann', ['painters', 'poets', 'system:authenticated']]);
    assert.match(JSON.stringify(extra), /X509SHA256=[0-9a-f]{64}/);
    const session = http2Connect(server.url, {
      ca: server.certificateAuthority,
      cert: certificate.certificate,
      key: certificate.key,
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const stream = session.request({ ':path': reviews, ':method': 'POST' });
      stream.end('{}');
      let text = '';
      for await (const chunk of stream) text += String(chunk);
      assert.equal((JSON.parse(text) as Reported['body']).status.userInfo['username'], 'ann');
    }
    session.destroy();
  });

  test('rejects a client certificate of another server, but not if the request also has a valid token', async () => {
    await using other = await ApiServer.start();
    const foreign = await other.clientCertificate({ name: 'ann', groups: ['system:masters'] });
    const refused = await whoami(server, foreign);
    assert.deepEqual([refused.status, refused.body['message']], [401, 'Unauthorized']);
    const known = await whoami(server, foreign, { authorization: 'Bearer robot-token' });
    assert.equal(known.body.status.userInfo['username'], 'robot');
  });

  test('rejects an expired client certificate', async () => {
    const expired = await server.clientCertificate({ name: 'ann', expirationSeconds: -1 });
    assert.equal((await whoami(server, expired)).status, 401);
  });

  test('rejects the server certificate as a client certificate', async () => {
    const serving = servingCertificate('127.0.0.1');
    await using serverWithCertificate = await ApiServer.start({ tls: serving });
    const refused = await whoami(serverWithCertificate, serving);
    assert.deepEqual([refused.status, refused.body['message']], [401, 'Unauthorized']);
  });

  test('rejects a certificate that the client authority issued only for servers', async () => {
    const keys = newServerKeys();
    await using issuing = await ApiServer.start({ keys });
    const forServers = await certificateFor('serverAuth', keys.clientCertificates);
    const refused = await whoami(issuing, forServers);
    assert.deepEqual([refused.status, refused.body['message']], [401, 'Unauthorized']);
    const accepted = await whoami(issuing, await certificateFor('clientAuth', keys.clientCertificates));
    assert.equal(accepted.body.status.userInfo['username'], 'ann');
  });

  test('a token from serviceAccountToken has the permissions of the roles of the service account', async () => {
    const admin = new RawClient(server);
    const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
    await admin.post(`${roles}/roles`, {
      metadata: { name: 'reader' },
      rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
    });
    await admin.post(`${roles}/rolebindings`, {
      metadata: { name: 'reader' },
      roleRef: { kind: 'Role', name: 'reader' },
      subjects: [{ kind: 'ServiceAccount', name: 'default' }],
    });
    const token = server.serviceAccountToken({ namespace: 'default', name: 'default' });
    const account = new RawClient(server, { token });
    assert.equal((await account.get('/api/v1/namespaces/default/configmaps')).status, 200);
    assert.equal((await account.get('/api/v1/namespaces/default/secrets')).status, 403);
    assert.ok(server.kubeconfig({ token }).includes(token));
    assert.throws(() => server.serviceAccountToken({ namespace: 'default', name: 'nobody' }), /"nobody" not found/);
  });

  test('a kubeconfig can contain a client certificate', async () => {
    const { certificate, key } = await server.clientCertificate({ name: 'ann' });
    const text = server.kubeconfig({ certificate, key });
    assert.ok(text.includes(Buffer.from(certificate).toString('base64')));
    assert.ok(text.includes(Buffer.from(key).toString('base64')));
    assert.ok(!text.includes('token:'));
  });

  test('a second server with the same keys accepts the client certificates and verifies the tokens of the first server', async () => {
    const keys = newServerKeys();
    const first = await ApiServer.start({ keys });
    const certificate = await first.clientCertificate({ name: 'ann' });
    const uid = (await new RawClient(first).get('/api/v1/namespaces/default/serviceaccounts/default')).body.metadata[
      'uid'
    ];
    const token = first.serviceAccountToken({ namespace: 'default', name: 'default' });
    await first.stop();
    await using second = await ApiServer.start({ keys });
    assert.equal((await whoami(second, certificate)).body.status.userInfo['username'], 'ann');
    // The signing key is the same, but the account was recreated with another UID.
    const review = await new RawClient(second).post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token } });
    assert.match(JSON.stringify(review.body['status']), new RegExp(`does not match claim \\(${String(uid)}\\)`));
  });

  test('impersonates a user with several groups over HTTP/2', async () => {
    const path = new URL(reviews, server.url);
    const session = http2Connect(server.url, { ca: server.certificateAuthority });
    const stream = session.request({
      ':path': path.pathname,
      ':method': 'POST',
      authorization: `Bearer ${server.token}`,
      'impersonate-user': 'ann',
      'impersonate-group': ['painters', 'poets'],
    });
    stream.end('{}');
    let text = '';
    for await (const chunk of stream) text += String(chunk);
    session.destroy();
    const { groups } = (JSON.parse(text) as Reported['body']).status.userInfo;
    assert.deepEqual(groups, ['painters', 'poets', 'system:authenticated']);
  });
});
