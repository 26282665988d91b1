import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import { encodedName, keyText, newKeyPair } from '@kubewright/api/certificates';
import { objectsAt, stringAt } from '../registry/objects/json-object.js';
import { ApiServer } from './api-server.js';
import { certificateRequest } from './certificate-request.test.support.js';
import { context, SteppedClock } from './cluster.test.support.js';

const path = 'certificates.k8s.io/v1/certificatesigningrequests';
const admin = { ...context, user: { name: 'admin', groups: ['system:masters'] } };
const clientSigner = 'kubernetes.io/kube-apiserver-client';
const approval = { type: 'Approved', status: 'True', reason: 'Test', message: '' };

describe('certificate signing requests', () => {
  let server: ApiServer;
  before(async () => {
    server = await ApiServer.start({ workloads: ['certificatesigningrequests'] });
  });
  after(() => server.stop());

  const requests = () => server.registry.builtIn(path);
  const quiet = async (): Promise<void> => {
    while (server.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
  };
  const create = (name: string, pem: string, spec: object): void => {
    const request_ = Buffer.from(pem).toString('base64');
    requests().create({ metadata: { name }, spec: { request: request_, ...spec } }, admin);
  };
  const approve = (name: string): void => {
    const change = (live: object) => ({ ...live, status: { conditions: [approval] } });
    requests().update({ name }, change, { ...admin, subresource: 'approval' });
  };
  const certificateOf = (name: string): X509Certificate =>
    new X509Certificate(Buffer.from(stringAt(requests().get({ name }), 'status', 'certificate'), 'base64'));
  const failureOf = (name: string): string =>
    stringAt(
      objectsAt(requests().get({ name }), 'status', 'conditions').find(({ type }) => type === 'Failed'),
      'message',
    );

  test('signs an approved client certificate that authenticates its user', async () => {
    const keys = newKeyPair();
    const pem = certificateRequest(keys, { subject: encodedName('jane', ['group-a', 'group-b']) });
    const usages = ['client auth', 'digital signature', 'key encipherment'];
    create('client', pem, { signerName: clientSigner, usages, expirationSeconds: 3600 });
    await quiet();
    assert.equal(stringAt(requests().get({ name: 'client' }), 'status', 'certificate'), '');
    approve('client');
    await quiet();
    const certificate = certificateOf('client');
    assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    const lifetimeMs = Date.parse(certificate.validTo) - Date.parse(certificate.validFrom);
    assert.equal(lifetimeMs, 3_600_000 + 300_000);
    const body = await whoAmI(server, certificate.toString(), keyText(keys.privateKey));
    assert.match(body, /"username":"jane"/);
  });

  test('signs a request with an RSA key and alternative names for the serving certificate of a kubelet', async () => {
    const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const subject = encodedName('system:node:n', ['system:nodes']);
    const pem = certificateRequest(keys, { subject, hosts: ['n.example.com', '192.0.2.7'] });
    const usages = ['server auth', 'digital signature'];
    create('serving', pem, { signerName: 'kubernetes.io/kubelet-serving', usages });
    approve('serving');
    await quiet();
    const certificate = certificateOf('serving');
    assert.equal(certificate.subjectAltName, 'DNS:n.example.com, IP Address:192.0.2.7');
    assert.equal(certificate.ca, false);
    const years = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / (365 * 24 * 3_600_000);
    assert.equal(years, 1);
  });

  test('refuses requests that break the rules of their signer', async () => {
    const node = encodedName('system:node:n', ['system:nodes']);
    const keys = newKeyPair();
    const kubelet = 'kubernetes.io/kube-apiserver-client-kubelet';
    const cases = [
      [clientSigner, node, [], ['server auth'], 'invalid usage for client certificate: server auth'],
      [clientSigner, node, [], ['digital signature'], 'missing required usage for client certificate: client auth'],
      [kubelet, encodedName('n'), [], ['client auth'], 'subject organization is not system:nodes'],
      [kubelet, node, ['h'], ['client auth'], 'DNS subjectAltNames are not allowed'],
      [kubelet, node, ['192.0.2.7'], ['client auth'], 'IP subjectAltNames are not allowed'],
      [
        kubelet,
        encodedName('n', ['system:nodes']),
        [],
        ['client auth', 'digital signature'],
        'subject common name does not begin with system:node:',
      ],
      [kubelet, node, [], ['client auth'], 'usages did not match [client auth digital signature key encipherment]'],
      ['kubernetes.io/kubelet-serving', node, [], ['server auth'], 'DNS or IP subjectAltName is required'],
    ] as const;
    for (const [at, [signerName, subject, hosts, usages, message]] of cases.entries()) {
      create(`refused-${at}`, certificateRequest(keys, { subject, hosts }), { signerName, usages });
      approve(`refused-${at}`);
      await quiet();
      assert.equal(failureOf(`refused-${at}`), message);
    }
  });

  test('rejects a request whose signature is not valid', () => {
    const pem = certificateRequest(
      { publicKey: newKeyPair().publicKey, privateKey: newKeyPair().privateKey },
      { subject: encodedName('jane') },
    );
    assert.throws(() => {
      create('forged', pem, { signerName: clientSigner, usages: ['client auth'] });
    }, /spec\.request: .*: x509: ECDSA verification failure$/);
  });

  test('approves the request of a kubelet if the requesting user has the permission', async () => {
    const subject = encodedName('system:node:n', ['system:nodes']);
    const spec = {
      signerName: 'kubernetes.io/kube-apiserver-client-kubelet',
      usages: ['client auth', 'digital signature'],
    };
    create('kubelet', certificateRequest(newKeyPair(), { subject }), spec);
    const request_ = Buffer.from(certificateRequest(newKeyPair(), { subject })).toString('base64');
    const stranger = { ...context, user: { name: 'stranger', groups: [] } };
    requests().create({ metadata: { name: 'foreign' }, spec: { request: request_, ...spec } }, stranger);
    await quiet();
    const [condition] = objectsAt(requests().get({ name: 'kubelet' }), 'status', 'conditions');
    assert.deepEqual(
      [condition?.['type'], condition?.['reason'], condition?.['message']],
      ['Approved', 'AutoApproved', 'Auto approving kubelet client certificate after SubjectAccessReview.'],
    );
    assert.ok(certificateOf('kubelet').subject.includes('CN=system:node:n'));
    assert.deepEqual(objectsAt(requests().get({ name: 'foreign' }), 'status', 'conditions'), []);
  });
});

test('the server deletes certificate requests 24 hours after their creation, or 1 hour after their denial', async (t) => {
  const clock = new SteppedClock();
  const server = await ApiServer.start({ workloads: ['certificatesigningrequests'], clock });
  t.after(() => server.stop());
  const requests = server.registry.builtIn(path);
  const request_ = Buffer.from(certificateRequest(newKeyPair(), { subject: encodedName('jane') })).toString('base64');
  const spec = { request: request_, signerName: 'example.com/other', usages: ['client auth'] };
  const denied = { ...approval, type: 'Denied' };
  for (const name of ['pending', 'denied']) requests.create({ metadata: { name }, spec }, admin);
  const deny = (live: object) => ({ ...live, status: { conditions: [denied] } });
  const updated = requests.update({ name: 'denied' }, deny, { ...admin, subresource: 'approval' });
  const [condition] = objectsAt(updated, 'status', 'conditions');
  const now = '2026-01-01T00:00:00Z';
  assert.deepEqual([condition?.['lastUpdateTime'], condition?.['lastTransitionTime']], [now, now]);
  const names = async (): Promise<readonly string[]> => {
    while (server.pending().length > 0) await new Promise((resolve) => setImmediate(resolve));
    return requests.list().items.map(({ metadata }) => metadata.name);
  };
  assert.deepEqual(await names(), ['denied', 'pending']);
  clock.advance(3_600_000);
  assert.deepEqual(await names(), ['pending']);
  clock.advance(23 * 3_600_000);
  assert.deepEqual(await names(), []);
});

/** Sends a SelfSubjectReview with a client certificate, and returns the body of the response. */
function whoAmI(server: ApiServer, cert: string, key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: server.certificateAuthority, cert, key };
    const call = request(`${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`, options, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => (text += part));
      answer.on('end', () => resolve(text));
    });
    call.on('error', reject);
    call.setHeader('content-type', 'application/json');
    call.end('{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}');
  });
}
