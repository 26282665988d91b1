import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import type { KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Secret, Service } from '@kubewright/api/core/v1';
import { EndpointSlice } from '@kubewright/api/discovery/v1';
import { createAuthority, issueServing } from '@kubewright/runtime/internal';
import { ClusterProject } from './cluster-projects.js';
import { addWebhooks } from './webhook-project.js';

const NAMESPACE = 'foo-operator-system';
const SERVICE = 'foo-operator-webhook';
const HOST = `${SERVICE}.${NAMESPACE}.svc`;
const SECRET = `Secret ${NAMESPACE}/${SERVICE}-certificates`;
const MUTATING = 'MutatingWebhookConfiguration foo-operator-mutating-webhook-configuration';
const VALIDATING = 'ValidatingWebhookConfiguration foo-operator-validating-webhook-configuration';
const DEFINITION = 'CustomResourceDefinition foos.example.com';
const DAY_MS = 86_400_000;

interface Certificates {
  readonly data: Readonly<Record<string, string>>;
  readonly caBundle: string;
}

/** Creates the data of a Secret with a serving certificate that was issued some days ago, and the CA bundle. */
async function certificates({ days = 1, host = HOST } = {}): Promise<Certificates> {
  const issued = Date.now() - days * DAY_MS;
  const authority = await createAuthority({ nowMs: issued, lifetimeMs: 3650 * DAY_MS });
  const signer = { certificate: new X509Certificate(authority.cert), key: authority.key };
  const serving = await issueServing(signer, { nowMs: issued, lifetimeMs: 90 * DAY_MS, hosts: [host] });
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const caBundle = base64(signer.certificate.toString());
  const data = { 'tls.crt': base64(serving.cert), 'tls.key': base64(serving.key), 'ca.key': base64(authority.key) };
  return { data: { ...data, 'ca.crt': caBundle }, caBundle };
}

/** A cluster without controllers in which the operator is deployed, but does not run. */
class CheckedCluster implements AsyncDisposable {
  readonly cluster: ClusterProject;

  private constructor(cluster: ClusterProject) {
    this.cluster = cluster;
  }
  static async create(): Promise<CheckedCluster> {
    const cluster = await ClusterProject.create({}, { workloads: false });
    await addWebhooks(cluster.project);
    return new CheckedCluster(cluster);
  }

  /** Returns the findings of the check 'webhooks', each as the state and the text of the finding. */
  async findings(): Promise<readonly string[]> {
    const { stdout } = await this.cluster.run(['doctor', '--cluster', '--json']);
    const { findings } = JSON.parse(stdout) as { readonly findings: readonly Record<string, string>[] };
    return findings.filter(({ check }) => check === 'webhooks').map(({ state, found }) => `${state}: ${found}`);
  }
  /** Writes the Secret. */
  async store(data: Readonly<Record<string, string>>, operator = 'foo-operator'): Promise<void> {
    const annotations = { 'kubewright.dev/certificates-of': operator };
    const metadata = { name: `${SERVICE}-certificates`, namespace: NAMESPACE, annotations };
    const { client } = this.cluster.env;
    const found = await client.find(Secret, metadata);
    if (found !== undefined) await client.delete(found);
    await client.create(new Secret({ metadata, data }));
  }
  /** Writes a CA bundle into all objects that call the webhooks. */
  async inject(caBundle: string): Promise<void> {
    const { client } = this.cluster.env;
    const patch = (object: KubeObject, path: string): Promise<unknown> =>
      client.patch(object, { json: [{ op: 'add', path: `${path}/clientConfig/caBundle`, value: caBundle }] });
    const [, mutating = ''] = MUTATING.split(' ');
    const [, validating = ''] = VALIDATING.split(' ');
    await patch(await client.get(MutatingWebhookConfiguration, { name: mutating }), '/webhooks/0');
    await patch(await client.get(ValidatingWebhookConfiguration, { name: validating }), '/webhooks/0');
    await patch(await client.get(CustomResourceDefinition, { name: 'foos.example.com' }), '/spec/conversion/webhook');
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.cluster[Symbol.asyncDispose]();
  }
}

const ENDPOINTS = `wrong: Service ${NAMESPACE}/${SERVICE} has no ready endpoints, so the API server cannot call the webhooks`;
const GENERATED = [MUTATING, VALIDATING].map((each) => `ok: ${each} exists as generated`);
const allOf = (text: (caller: string) => string): readonly string[] => [MUTATING, VALIDATING, DEFINITION].map(text);

describe('kubewright doctor --cluster of an operator with webhooks', () => {
  it('kubewright doctor reports webhooks that are missing, changed, or without certificates or endpoints', async () => {
    await using checked = await CheckedCluster.create();
    const { cluster } = checked;
    assert.deepEqual(await checked.findings(), ['warning: the webhooks of foo-operator are not deployed']);
    await cluster.done(['deploy', '--no-wait']);
    assert.deepEqual(await checked.findings(), [
      ...GENERATED,
      `wrong: ${SECRET} with the serving certificate does not exist`,
      ...allOf((each) => `wrong: ${each} has no CA bundle, so the API server cannot call its webhooks`),
      ENDPOINTS,
    ]);
    const { client } = cluster.env;
    const metadata = { name: 'one', namespace: NAMESPACE, labels: { 'kubernetes.io/service-name': SERVICE } };
    const endpoints = [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'], conditions: { ready: false } }];
    await client.create(new EndpointSlice({ metadata, addressType: 'IPv4', endpoints, ports: [] }));
    assert.equal((await checked.findings()).at(-1), `ok: Service ${NAMESPACE}/${SERVICE} has 1 ready endpoint`);
    const [, name = ''] = VALIDATING.split(' ');
    await client.patch(await client.get(ValidatingWebhookConfiguration, { name }), {
      json: [{ op: 'replace', path: '/webhooks/0/timeoutSeconds', value: 3 }],
    });
    await client.delete(await client.get(MutatingWebhookConfiguration, { name: MUTATING.split(' ')[1] ?? '' }));
    await client.delete(await client.get(Service, { name: SERVICE, namespace: NAMESPACE }));
    const [mutating, validating, ...others] = await checked.findings();
    assert.equal(mutating, `wrong: ${MUTATING} does not exist, so the API server does not call its webhooks`);
    assert.match(validating ?? '', /^wrong: Validating.* exists with a different webhooks.*timeoutSeconds$/);
    assert.match(others.at(-1) ?? '', /^wrong: Service .* does not exist, so the API server cannot call the webhooks$/);
  });

  it('kubewright doctor reports certificates that are not valid, and never prints the Secret', async () => {
    await using checked = await CheckedCluster.create();
    const { cluster } = checked;
    await cluster.done(['deploy', '--no-wait']);
    const valid = await certificates();
    await checked.store(valid.data);
    await checked.inject(valid.caBundle);
    const [end = ''] = /\d{4}-\S+/.exec((await checked.findings())[2] ?? '') ?? [];
    assert.deepEqual(await checked.findings(), [
      ...GENERATED,
      `ok: the serving certificate in ${SECRET} is valid until ${end} (88 days)`,
      ...allOf((each) => `ok: the CA bundle in ${each} verifies the serving certificate`),
      ENDPOINTS,
    ]);
    const cases: readonly (readonly [options: Parameters<typeof certificates>[0], found: RegExp])[] = [
      [{ days: 85 }, /^warning: the serving certificate .* \(4 days\), but should have been renewed by now$/],
      [{ days: 91 }, /^wrong: the serving certificate .* expired at \d{4}-/],
      [{ days: -2 }, /^wrong: the serving certificate .* is not valid yet$/],
      [{ host: 'other.example.com' }, new RegExp(`^wrong: the serving certificate .* is not issued for ${HOST}$`)],
    ];
    for (const [options, found] of cases) {
      const { data } = await certificates(options);
      await checked.store(data);
      const findings = await checked.findings();
      assert.match(findings[2] ?? '', found);
      assert.match(findings[3] ?? '', /^wrong: the CA bundle in .* does not verify the serving certificate, so /);
    }
    await checked.store(valid.data, 'other-operator');
    const foreign = `wrong: ${SECRET} was not created by this operator, so the operator cannot start`;
    assert.equal((await checked.findings())[2], foreign);
    const junk = Buffer.from('marked junk').toString('base64');
    await checked.store({ ...valid.data, 'tls.crt': junk, 'tls.key': junk });
    const { stdout, stderr } = await cluster.run(['doctor', '--cluster', '--verbose']);
    assert.match(stdout, /^wrong +tls\.crt of Secret .* contains no certificate in PEM format$/m);
    assert.match(stdout, /^wrong +tls\.key of Secret .* is not a private key in PEM format$/m);
    for (const secret of ['marked junk', junk, ...Object.values(valid.data)]) {
      assert.ok(!`${stdout}${stderr}`.includes(secret), 'the output contains a value of the Secret');
    }
  });
});
