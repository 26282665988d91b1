import assert from 'node:assert/strict';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { type Client, connect } from '@kubewright/runtime';
import { RunningCommand } from './running-command.js';
import { FooV1, FooV2, projectWithWebhooks } from './webhook-project.js';

describe('webhooks of a project', () => {
  it('kubewright generate writes the manifests of the webhooks that kubewright add has added', async () => {
    await using project = await projectWithWebhooks();
    const { exitCode, stdout } = await project.run(['generate']);
    assert.equal(exitCode, 0);
    assert.match(stdout, /^wrote config\/webhook\/manifests\.yaml$/m);
    const manifests = await project.read('config/webhook/manifests.yaml');
    assert.match(manifests, /path: \/mutate-example-com-v1-foo\n/);
    assert.match(manifests, /path: \/validate-example-com-v1-foo\n/);
    assert.match(manifests, /matchConditions:\n {2}- name: not-free\n/);
    const crd = await project.read('config/crd/bases/example.com_foos.yaml');
    assert.match(crd, /conversion:\n {4}strategy: Webhook\n/);
    assert.match(await project.read('config/manager/manager.yaml'), /- name: KUBEWRIGHT_WEBHOOKS_NAME\n/);
    assert.equal((await project.run(['generate', '--check'])).exitCode, 0);
    await project.edit('src/webhooks/foo-validator.ts', "!= 'free'", '!=');
    const refused = await project.run(['generate']);
    assert.equal(refused.exitCode, 3);
    assert.match(
      refused.stderr,
      /^error: cannot generate the webhook of class FooValidator: matchConditions\[0\]\.expression: /m,
    );
  });

  it('kubewright dev serves the webhooks, and registers them again after a save', async () => {
    await using project = await projectWithWebhooks();
    await using dev = new RunningCommand(project.start(['dev']));
    await dev.until(
      /^the API server calls the webhooks of the operator: defaulting of Foo; validation of Foo; conversion of Foo$/,
    );
    await dev.until(/^running after/);
    await using cluster = await connect({ kubeconfig: join(project.root, '.kubewright', 'kubeconfig') });
    const { client } = cluster;
    const metadata = { name: 'one', namespace: 'default' };
    await client.create(new FooV1({ metadata, spec: { count: 2 } }));
    assert.equal((await client.live.get(FooV2, metadata)).spec.count, 20);
    assert.equal((await client.live.get(FooV1, metadata)).metadata.labels?.['team'], 'none');
    await assert.rejects(client.create(new FooV1({ metadata: { ...metadata, name: 'two' }, spec: { count: 6 } })), {
      status: 422,
      message: /Foo\.example\.com "two" is invalid: spec\.count: Invalid value: 6: must be at most 5/,
    });
    await client.create(new FooV1({ metadata: { ...metadata, name: 'free' }, spec: { count: 6 } }));
    const valid = await validate(client, { count: 5 });
    assert.equal(valid.allowed, true);
    const invalid = await validate(client, { count: 6 });
    assert.equal(invalid.allowed, false);
    assert.match(invalid.status?.message ?? '', /spec\.count: Invalid value: 6: must be at most 5/);

    await project.edit('src/webhooks/foo-converter.ts', 'spec.count * 10', 'spec.count * 100');
    await dev.until(/^running after/);
    assert.equal((await client.live.get(FooV2, metadata)).spec.count, 200);

    await project.edit('src/main.ts', 'manager.add(FooValidator);', '');
    await dev.until(/^the API server calls the webhooks of the operator: defaulting of Foo; conversion of Foo$/);
    assert.deepEqual(await client.live.list(ValidatingWebhookConfiguration), []);
  });

  it('kubewright dev explains which requests the API server rejects after the operator has crashed', async () => {
    await using project = await projectWithWebhooks();
    const method = 'validate({ spec }: Foo): readonly Violation[] {';
    await project.edit(
      'src/webhooks/foo-validator.ts',
      method,
      `${method}\n    if (spec.count === 4) process.exit(1);`,
    );
    await using dev = new RunningCommand(project.start(['dev']));
    await dev.until(/^running after/);
    await using cluster = await connect({ kubeconfig: join(project.root, '.kubewright', 'kubeconfig') });
    await assert.rejects(validate(cluster.client, { count: 4 }));
    await dev.until(/^error: the operator exited with code 1$/);
    await dev.until(
      /^until the operator runs again, the API server rejects CREATE, UPDATE of Foo: the failurePolicy of its webhooks is Fail$/,
    );
    await dev.until(/^until the operator runs again, the API server cannot convert Foo between v1, v2$/);
  });
});

/** The response of an admission webhook. */
interface Reviewed {
  readonly allowed: boolean;
  readonly status?: { readonly message?: string };
}

/** Calls the registered validating webhook as an API server does: with its URL and its CA bundle. */
async function validate(client: Client, spec: object): Promise<Reviewed> {
  const [configuration] = await client.live.list(ValidatingWebhookConfiguration);
  const { url = '', caBundle = '' } = configuration?.webhooks?.[0]?.clientConfig ?? {};
  const resource = { group: 'example.com', version: 'v1', resource: 'foos' };
  const kind = { group: 'example.com', version: 'v1', kind: 'Foo' };
  const object = { apiVersion: 'example.com/v1', kind: 'Foo', metadata: { name: 'one', namespace: 'default' }, spec };
  const userInfo = { username: 'user', groups: [] };
  const review = {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { uid: '1', kind, resource, name: 'one', namespace: 'default', operation: 'CREATE', userInfo, object },
  };
  const answer = await new Promise<string>((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        ca: Buffer.from(caBundle, 'base64').toString(),
        headers: { 'content-type': 'application/json' },
      },
      (response) => void text(response).then(resolve, reject),
    );
    sent.once('error', reject);
    sent.end(JSON.stringify(review));
  });
  return (JSON.parse(answer) as { readonly response: Reviewed }).response;
}
