import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { dynamicKind, type KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { Deployment } from '@kubewright/api/apps/v1';
import { SystemClock } from '@kubewright/api/clock';
import { Secret, Service } from '@kubewright/api/core/v1';
import { Manager, Metrics } from '@kubewright/runtime';
import { ManagedCertificates, SilentLogger, Transport } from '@kubewright/runtime/internal';
import { ClusterProject } from './cluster-projects.js';
import { RunningCommand } from './running-command.js';
import { addWebhooks } from './webhook-project.js';

const NAME = 'foo-operator';
const NAMESPACE = 'foo-operator-system';
const SERVICE = { name: `${NAME}-webhook`, namespace: NAMESPACE };
const SECRET = { name: `${NAME}-webhook-certificates`, namespace: NAMESPACE };
const MUTATING = { name: `${NAME}-mutating-webhook-configuration` };
const VALIDATING = { name: `${NAME}-validating-webhook-configuration` };
const CONFIGURATIONS = new Set(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']);
const DEFINITION = { name: 'foos.example.com' };

interface Foo extends KubeObject {
  readonly spec: { readonly count: number };
}
type FooClass = new (init: object) => Foo;
const [FooV1, FooV2] = ['v1', 'v2'].map((version) => dynamicKind(`example.com/${version}`, 'Foo')) as unknown as [
  FooClass,
  FooClass,
];
const foo = (name: string, count: number): Foo =>
  new FooV1({ metadata: { name, namespace: 'default' }, spec: { count } });

/** The webhooks of the deployed operator. They run in this process, because a process outside of a Pod has no namespace for its Secret. */
class Operator implements AsyncDisposable {
  readonly port: number;
  readonly #manager: Manager;
  readonly #transport: Transport;

  private constructor(manager: Manager, transport: Transport) {
    this.port = manager.status().endpoints['webhooks']?.port ?? assert.fail('the webhook server is not listening');
    this.#manager = manager;
    this.#transport = transport;
  }
  static async start({ env, project }: ClusterProject): Promise<Operator> {
    const transport = new Transport(env.connection);
    const injected = {
      mutatingConfiguration: MUTATING.name,
      validatingConfiguration: VALIDATING.name,
      customResourceDefinitions: [DEFINITION.name],
    };
    const certificates = new ManagedCertificates(
      { name: NAME, namespace: NAMESPACE, injectInto: () => injected },
      {
        transport: () => Promise.resolve(transport),
        clock: new SystemClock(),
        logger: new SilentLogger(),
        metrics: new Metrics(),
      },
    );
    const manager = new Manager({
      connection: env.connection,
      settings: false,
      signals: false,
      logger: new SilentLogger(),
      webhooks: { host: '127.0.0.1', port: 0, name: NAME, certificates },
    });
    for (const part of ['Defaulter', 'Validator', 'Converter']) {
      const path = join(project.root, 'dist', 'webhooks', `foo-${part.toLowerCase()}.js`);
      const exports = (await import(pathToFileURL(path).href)) as Readonly<Record<string, new () => never>>;
      manager.add(exports[`Foo${part}`] ?? assert.fail(`there is no Foo${part}`));
    }
    await manager.start();
    return new Operator(manager, transport);
  }
  async stop(): Promise<void> {
    await this.#manager.stop();
    await this.#transport.close();
  }
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** Lets the API server, which runs on this machine, reach the webhooks through their Service. */
async function route({ env: { client } }: ClusterProject, port: number): Promise<void> {
  const service = await client.get(Service, SERVICE);
  await client.patch(service, {
    merge: { spec: { type: 'ExternalName', externalName: 'localhost', clusterIP: null } },
  });
  const patch = (object: KubeObject, path: string): Promise<unknown> =>
    client.patch(object, { json: [{ op: 'add', path: `${path}/clientConfig/service/port`, value: port }] });
  await patch(await client.get(MutatingWebhookConfiguration, MUTATING), '/webhooks/0');
  await patch(await client.get(ValidatingWebhookConfiguration, VALIDATING), '/webhooks/0');
  await patch(await client.get(CustomResourceDefinition, DEFINITION), '/spec/conversion/webhook');
}

/** Sets the status of the operator's Deployment as if its Pod were available. */
async function makeAvailable({ env: { client } }: ClusterProject): Promise<void> {
  const deployment = await client.get(Deployment, { name: `${NAME}-controller-manager`, namespace: NAMESPACE });
  const now = new Date().toISOString();
  const times = { lastUpdateTime: now, lastTransitionTime: now };
  const available = { type: 'Available', status: 'True', ...times } as const;
  const progressed = { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', ...times } as const;
  await client.patchStatus(deployment, {
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
    observedGeneration: deployment.metadata.generation,
    conditions: [available, progressed],
  });
}

describe('kubewright deploy and undeploy of an operator with webhooks and a conversion', () => {
  it('deploy applies the webhook configurations last, and undeploy deletes them first', async () => {
    await using cluster = await ClusterProject.create({}, { workloads: false });
    await addWebhooks(cluster.project);
    const { client } = cluster.env;
    await cluster.done(['install']);
    const before = await client.create(foo('before', 1));
    const calls = async (): Promise<readonly unknown[]> => [
      await client.find(MutatingWebhookConfiguration, MUTATING),
      await client.find(ValidatingWebhookConfiguration, VALIDATING),
    ];

    await using deploy = new RunningCommand(
      cluster.project.startHere(['deploy', '--timeout', '10m'], cluster.variables),
    );
    await deploy.until(/^ {2}Deployment foo-operator-system\/foo-operator-controller-manager: 0 of 1 available$/);
    assert.deepEqual(await calls(), [undefined, undefined], 'no configuration exists before the operator is available');
    await client.create(foo('during', 9));
    await using operator = await Operator.start(cluster);
    await makeAvailable(cluster);
    await deploy.until(/^foo-operator is available$/);
    assert.equal(await deploy.closed, 0);
    const applied = deploy.lines.flatMap((line) => /^created (\S+)/.exec(line)?.[1] ?? []);
    assert.deepEqual(new Set(applied.slice(-2)), CONFIGURATIONS);
    const validating = await client.get(ValidatingWebhookConfiguration, VALIDATING);
    assert.notEqual(validating.webhooks?.[0]?.clientConfig.caBundle ?? '', '', 'deploy waits for the CA bundle');
    assert.match(await cluster.done(['deploy']), /^nothing changed: /m);

    await route(cluster, operator.port);
    await assert.rejects(client.create(foo('bad', 6)), { status: 422, message: /spec\.count: .*must be at most 5/ });
    const good = await client.create(foo('good', 2));
    assert.equal(good.metadata.labels?.['team'], 'none');
    assert.equal((await client.get(FooV2, good.metadata)).spec.count, 20);

    await operator.stop();
    await assert.rejects(client.create(foo('late', 2)), { status: 500, message: /failed calling webhook/ });
    const { exitCode, stdout, stderr } = await cluster.run(['undeploy']);
    assert.equal(exitCode, 0, stderr);
    const deleted = [...stdout.matchAll(/^deleted (\S+) (\S+)/gm)].map(([, kind]) => kind);
    assert.deepEqual(new Set(deleted.slice(0, 2)), CONFIGURATIONS);
    assert.ok(deleted.includes('Deployment') && deleted.includes('Secret') && deleted.includes('Service'), stdout);
    assert.match(stderr, /^warning: foos\.example\.com is converted .* by Service .*, which does not exist: /m);
    assert.deepEqual(await calls(), [undefined, undefined]);
    assert.equal(await client.find(Secret, SECRET), undefined);

    await client.create(foo('after', 9));
    const changed = await client.patch(await client.get(FooV1, before.metadata), { merge: { spec: { count: 7 } } });
    assert.equal(changed.spec.count, 7);
    for (const name of ['before', 'during', 'good', 'after']) {
      await client.delete(await client.get(FooV1, { name, namespace: 'default' }));
    }
    assert.deepEqual(await client.list(FooV1, { namespace: 'default' }), []);
    assert.match(await cluster.done(['uninstall']), /^deleted CustomResourceDefinition foos\.example\.com$/m);
  });
});
