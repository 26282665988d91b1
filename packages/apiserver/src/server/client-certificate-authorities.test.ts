import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import type * as X509 from '@peculiar/x509';
import { ApiServer } from './api-server.js';
import { loadX509 } from './certificates/load-x509.test.support.js';

interface Issued {
  readonly certificate: X509.X509Certificate;
  readonly keys: webcrypto.CryptoKeyPair;
}
interface Issuing {
  /** The issuer. @default the certificate itself */
  readonly issuer?: Issued;
  /** Whether the certificate belongs to a certificate authority. @default false */
  readonly authority?: boolean;
  /** The extended key usages. @default no extension */
  readonly usages?: readonly ('serverAuth' | 'clientAuth')[];
  /** @default one minute */
  readonly secondsUntilExpiry?: number;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
let x509: Awaited<ReturnType<typeof loadX509>>;
let serials = 1;

async function issue(subject: string, options: Issuing = {}): Promise<Issued> {
  const { issuer, authority = false, usages, secondsUntilExpiry = 60 } = options;
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: `0${serials++}`,
    subject,
    issuer: issuer?.certificate.subject ?? subject,
    notBefore: new Date(Date.now() - 120_000),
    notAfter: new Date(Date.now() + secondsUntilExpiry * 1000),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: (issuer?.keys ?? keys).privateKey,
    extensions: [
      ...(authority ? [new x509.BasicConstraintsExtension(true, undefined, true)] : []),
      ...(usages ? [new x509.ExtendedKeyUsageExtension(usages.map((usage) => x509.ExtendedKeyUsage[usage]))] : []),
    ],
  });
  return { certificate, keys };
}

/** Returns the user info, or the status code of the response if the server does not accept the certificate. */
async function whoami(server: ApiServer, client: Issued, ...intermediates: readonly Issued[]): Promise<unknown> {
  const exported = await webcrypto.subtle.exportKey('pkcs8', client.keys.privateKey);
  const key = x509.PemConverter.encode(exported, 'PRIVATE KEY');
  const cert = [client, ...intermediates].map(({ certificate }) => certificate.toString('pem')).join('\n');
  const url = `${server.url}/apis/authentication.k8s.io/v1/selfsubjectreviews`;
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', ca: server.certificateAuthority, cert, key, agent: false };
    const sent = request(url, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => {
        const { status } = JSON.parse(text) as { status: { readonly userInfo?: Readonly<Record<string, unknown>> } };
        resolve(response.statusCode === 201 ? status.userInfo : response.statusCode);
      });
    });
    sent.once('error', reject);
    sent.end('{}');
  });
}

describe('other authorities of client certificates', () => {
  let root: Issued;
  let second: Issued;
  let server: ApiServer;
  before(async () => {
    x509 = await loadX509();
    root = await issue('CN=company', { authority: true });
    second = await issue('CN=second', { authority: true });
    const clientCertificateAuthorities = [root, second]
      .map(({ certificate }) => certificate.toString('pem'))
      .join('\n');
    server = await ApiServer.start({ clientCertificateAuthorities });
  });
  after(() => server.stop());

  test('a client certificate of another authority authenticates its user', async () => {
    for (const issuer of [root, second]) {
      const { username, groups } = (await whoami(
        server,
        await issue('CN=ann,O=painters,O=poets', { issuer, usages: ['clientAuth'] }),
      )) as Readonly<Record<string, unknown>>;
      assert.deepEqual([username, groups], ['ann', ['painters', 'poets', 'system:authenticated']]);
    }
  });

  test('the server accepts a client certificate without extended key usages, but not a certificate for servers', async () => {
    const unrestricted = await whoami(server, await issue('CN=ann', { issuer: root }));
    assert.equal((unrestricted as { readonly username: string }).username, 'ann');
    assert.equal(await whoami(server, await issue('CN=ann', { issuer: root, usages: ['serverAuth'] })), 401);
  });

  test('the server accepts a client certificate of an intermediate authority if the client sends the intermediate certificate', async () => {
    const issuer = await issue('CN=department', { issuer: root, authority: true });
    const client = await issue('CN=ann', { issuer, usages: ['clientAuth'] });
    assert.equal(((await whoami(server, client, issuer)) as { readonly username: string }).username, 'ann');
    assert.equal(await whoami(server, client), 401);
  });

  test('the server rejects a client certificate whose issuer is not an authority, is for servers only, or is expired', async () => {
    const client = await issue('CN=bob', { issuer: root, usages: ['clientAuth'] });
    const forServers = await issue('CN=servers', { issuer: root, authority: true, usages: ['serverAuth'] });
    const expired = await issue('CN=old', { issuer: root, authority: true, secondsUntilExpiry: -1 });
    for (const issuer of [client, forServers, expired]) {
      assert.equal(await whoami(server, await issue('CN=ann', { issuer, usages: ['clientAuth'] }), issuer), 401);
    }
  });

  test('the server rejects an expired client certificate, and a certificate of an authority with the same name and another key', async () => {
    assert.equal(await whoami(server, await issue('CN=ann', { issuer: root, secondsUntilExpiry: -1 })), 401);
    const issuer = await issue('CN=company', { authority: true });
    assert.equal(await whoami(server, await issue('CN=ann', { issuer, usages: ['clientAuth'] }), issuer), 401);
  });

  test('a server with other authorities also accepts the client certificates that it issues itself', async () => {
    const { certificate, key } = await server.clientCertificate({ name: 'ann' });
    const keys = { privateKey: await webcrypto.subtle.importKey('pkcs8', der(key), algorithm, true, ['sign']) };
    const client = { certificate: new x509.X509Certificate(certificate), keys } as Issued;
    assert.equal(((await whoami(server, client)) as { readonly username: string }).username, 'ann');
  });

  test('the start of the server rejects authorities that are not valid', async () => {
    const client = (await issue('CN=ann', { issuer: root })).certificate.toString('pem');
    for (const [given, message] of [
      ['company', /no certificate found; use certificates in PEM format/],
      ['-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----', /certificate 1 is not valid/],
      [`${root.certificate.toString('pem')}\n${client}`, /certificate 2 is not a CA certificate/],
    ] as const) {
      const starting = ApiServer.start({ clientCertificateAuthorities: given });
      await assert.rejects(starting, (error: Error & { code?: string }) => {
        assert.equal(error.code, 'INVALID_OPTION');
        assert.match(error.message, message);
        return true;
      });
    }
  });
});

function der(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}
