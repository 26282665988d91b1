import assert from 'node:assert/strict';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { cp, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Condition, dynamicKind, isConditionTrue, type KubeObject } from '@kubewright/api';
import { Secret } from '@kubewright/api/core/v1';
import { TestEnvironment } from '@kubewright/testing';
import { ReservedPorts } from '@kubewright/testing/internal';
import { type Manifest, PublicOperator } from './public-operator.js';

interface CertManagerObject extends KubeObject {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status?: { readonly conditions?: readonly Condition[]; readonly revision?: number };
}
const Issuer = dynamicKind<CertManagerObject>('cert-manager.io/v1', 'Issuer');
const Certificate = dynamicKind<CertManagerObject>('cert-manager.io/v1', 'Certificate');
const CertificateRequest = dynamicKind<CertManagerObject>('cert-manager.io/v1', 'CertificateRequest');

const programs = process.env['KUBEWRIGHT_CERT_MANAGER'] ?? '';
const helm = process.env['KUBEWRIGHT_HELM'] ?? '';
const skip =
  programs === ''
    ? 'cert-manager is not built; use npm run build:operators'
    : helm === '' && 'Helm is not built; use npm run test:control-plane';
const namespace = 'cert-manager';
const wait = { timeout: '10m' } as const;
const privateKey = { algorithm: 'ECDSA', size: 256 };

test('cert-manager issues certificates of its own authority, and issues them again, on the embedded API server', {
  skip,
}, async () => {
  await using env = await TestEnvironment.start({ server: 'embedded', workloads: true });
  await using ports = await ReservedPorts.take(1);
  await using operator = await PublicOperator.of(env);
  await startCertManager(operator, ports.ports[0] ?? 0);

  const metadataOf = (name: string) => ({ name, namespace: 'default' });
  const issuer = (name: string, spec: Readonly<Record<string, unknown>>): Promise<CertManagerObject> =>
    env.client.create(new Issuer({ metadata: metadataOf(name), spec }));
  const certificate = (name: string, issuedBy: string, spec: object): Promise<CertManagerObject> => {
    const issuerRef = { name: issuedBy };
    return env.client.create(
      new Certificate({ metadata: metadataOf(name), spec: { secretName: name, issuerRef, privateKey, ...spec } }),
    );
  };
  const ready = async (kind: typeof Issuer, name: string): Promise<void> => {
    await env.cluster.cache.until(kind, metadataOf(name), (object) => isConditionTrue(object, 'Ready'), wait);
  };
  const issued = async (name: string): Promise<Readonly<Record<string, string>>> => {
    const { data = {} } = await env.client.live.get(Secret, metadataOf(name));
    return Object.fromEntries(
      Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]),
    );
  };

  // The webhook listens, and cainjector sets its authority, later than the request.
  await operator.eventually(() => issuer('self-signed', { selfSigned: {} }));
  await ready(Issuer, 'self-signed');
  await certificate('authority', 'self-signed', { isCA: true, commonName: 'authority' });
  await ready(Certificate, 'authority');
  await issuer('authority', { ca: { secretName: 'authority' } });
  await ready(Issuer, 'authority');
  await certificate('web', 'authority', { dnsNames: ['web.example.com'] });
  await ready(Certificate, 'web');

  const authority = new X509Certificate((await issued('authority'))['tls.crt'] ?? '');
  const first = await issued('web');
  assertIssued(first, authority);
  // The webhook writes the user of each request to its spec.
  for (const { spec } of await env.client.live.list(CertificateRequest, { namespace: 'default' })) {
    assert.equal(spec['username'], 'system:serviceaccount:cert-manager:cert-manager');
  }

  await env.client.delete(await env.client.live.get(Secret, metadataOf('web')));
  const isAgain = (now: CertManagerObject): boolean => isConditionTrue(now, 'Ready') && now.status?.revision === 2;
  await env.cluster.cache.until(Certificate, metadataOf('web'), isAgain, wait);
  const second = await issued('web');
  assertIssued(second, authority);
  assert.notEqual(second['tls.crt'], first['tls.crt']);

  await assert.rejects(
    certificate('invalid', 'authority', {}),
    /webhook\.cert-manager\.io.*at least one of commonName, dnsNames/,
  );
});

function assertIssued(secret: Readonly<Record<string, string>>, authority: X509Certificate): void {
  const leaf = new X509Certificate(secret['tls.crt'] ?? '');
  assert.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
  assert.ok(leaf.checkPrivateKey(createPrivateKey(secret['tls.key'] ?? '')));
  assert.equal(leaf.checkHost('web.example.com'), 'web.example.com');
  assert.equal(new X509Certificate(secret['ca.crt'] ?? '').fingerprint256, authority.fingerprint256);
}

/** Installs cert-manager from its chart, and starts its three programs, with webhooks on a port of this machine. */
async function startCertManager(operator: PublicOperator, port: number): Promise<void> {
  // A release of cert-manager assembles its chart in the same way.
  const chart = join(operator.folder, 'chart');
  await cp(join(programs, 'deploy', 'charts', 'cert-manager'), chart, { recursive: true });
  await rename(join(chart, 'Chart.template.yaml'), join(chart, 'Chart.yaml'));
  const filter = (path: string): boolean => !path.endsWith('.md');
  await cp(join(programs, 'deploy', 'crds'), join(chart, 'templates'), { recursive: true, filter });
  const values = [`webhook.url.host=localhost:${port}`, 'startupapicheck.enabled=false'];
  const manifests = await operator.templated(join(helm, 'helm'), chart, { namespace, values });
  const own: Manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
  // The programs run on this machine instead of in Pods.
  await operator.apply([own, ...manifests.filter(({ kind }) => kind !== 'Deployment')]);

  const start = (program: string, name: string, args: readonly string[]): Promise<void> =>
    operator.start(join(programs, program), { namespace, name }, (kubeconfig) => [
      `--kubeconfig=${kubeconfig}`,
      ...args,
    ]);
  const leaderElection = '--leader-election-namespace=kube-system';
  await start('cainjector', 'cert-manager-cainjector', [leaderElection]);
  await start('webhook', 'cert-manager-webhook', [
    `--secure-port=${port}`,
    '--healthz-port=0',
    `--dynamic-serving-ca-secret-namespace=${namespace}`,
    '--dynamic-serving-ca-secret-name=cert-manager-webhook-ca',
    '--dynamic-serving-dns-names=localhost',
  ]);
  await start('controller', 'cert-manager', [
    leaderElection,
    `--cluster-resource-namespace=${namespace}`,
    '--metrics-listen-address=127.0.0.1:0',
  ]);
}
