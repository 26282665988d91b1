import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KubeObject } from '@kubewright/api';
import type { Deployment } from '@kubewright/api/apps/v1';
import { Event, ServiceAccount } from '@kubewright/api/core/v1';
import { covers, type Permission, permissionsIn, permissionText } from '@kubewright/api/rbac';
import type { ClusterRole, ClusterRoleBinding, Role } from '@kubewright/api/rbac/v1';
import { installManifest } from '@kubewright/cli';
import { TestEnvironment } from '@kubewright/testing';
import { parseAllDocuments } from 'yaml';
import { SELDOM_USED } from '../generated/rbac/seldom-used.js';
import { type ExampleServer, startExampleServer } from './example-server.js';
import { LocalWebhooks } from './local-webhooks.js';
import { OperatorProcess, type OperatorProcessOptions } from './operator-process.js';
import { RecordingProxy } from './recording-proxy.js';
import { HANG_LIMIT_MS } from '../server/hang-limit.js';

const examples = fileURLToPath(new URL('../../../examples/', import.meta.url));

/** Lease settings that outlast a restart of the API server on a slow machine. A program that loses its Lease exits. */
const LONG_LEASE = {
  KUBEWRIGHT_LEADER_ELECTION_DURATION: '20m',
  KUBEWRIGHT_LEADER_ELECTION_RENEW_DEADLINE: '15m',
};

/** Options of a running example. */
export interface RunningExampleOptions {
  /** Additional environment variables, such as the address of an external system. @default none */
  readonly variables?: Readonly<Record<string, string>>;
}

/**
 * An example that runs as it would in a cluster: with the CRDs and roles from config/, and with its program in a separate process that uses
 * the ServiceAccount of the example.
 */
export class RunningExample implements AsyncDisposable {
  /** A test environment with administrator permissions, for the test itself. */
  readonly env: TestEnvironment;
  /** The objects in config/samples. */
  readonly samples: readonly KubeObject[];
  readonly #server: ExampleServer;
  readonly #proxy: RecordingProxy;
  readonly #webhooks: LocalWebhooks;
  readonly #operator: OperatorProcess;
  readonly #options: OperatorProcessOptions;
  readonly #granted: readonly Permission[];
  readonly #kubeconfig: string | undefined;

  private constructor(parts: Parts & { readonly operator: OperatorProcess }) {
    this.env = parts.env;
    this.samples = parts.samples;
    this.#server = parts.server;
    this.#proxy = parts.proxy;
    this.#webhooks = parts.webhooks;
    this.#operator = parts.operator;
    this.#options = parts.options;
    this.#granted = parts.granted;
    this.#kubeconfig = parts.kubeconfig;
  }

  /** Deploys the example in a folder to a new server, and resolves when its program runs. */
  static async start(name: string, { variables = {} }: RunningExampleOptions = {}): Promise<RunningExample> {
    const server = await startExampleServer();
    const kubeconfig = process.env['KUBECONFIG'];
    process.env['KUBECONFIG'] = server.kubeconfig;
    const env = await TestEnvironment.start({ server: 'existing' });
    const objects = objectsIn(installManifest(await filesBelow(join(examples, name), 'config')));
    const deployment = objects.find((object): object is Deployment => object.kind === 'Deployment');
    assert.ok(deployment, `config of ${name} has no Deployment`);
    const webhooks = await LocalWebhooks.of(objects, deployment.metadata.namespace ?? '');
    for (const object of webhooks.objects) if (object !== deployment) await env.client.apply(object);
    await env.install({ crds: [join(examples, name, 'config/crd/bases')] });
    await webhooks.applyDefinitions(env);
    const { token, namespace } = await accountOf(deployment, env);
    const proxy = await RecordingProxy.open(env.connection);
    const options: OperatorProcessOptions = {
      connection: { ...proxy.connection, token, namespace },
      variables: {
        KUBEWRIGHT_LEADER_ELECTION_NAMESPACE: namespace,
        ...LONG_LEASE,
        ...webhooks.variables,
        ...variables,
      },
    };
    const operator = await OperatorProcess.start(`${name}/dist/main.js`, env, options);
    await webhooks.untilInjected(env);
    const texts = await filesBelow(join(examples, name), 'config/samples');
    const samples = [...texts.values()].flatMap(objectsIn);
    return new RunningExample({
      server,
      env,
      proxy,
      webhooks,
      operator,
      options,
      samples,
      granted: grantedIn(objects),
      kubeconfig,
    });
  }

  /** Runs another program of the example with the same options. @param program path such as `ecs-binding/dist/direct.js` */
  run(program: string): Promise<OperatorProcess> {
    return OperatorProcess.start(program, this.env, this.#options);
  }

  /** Waits until an object matches. */
  until<T extends KubeObject>(object: T, isSo: (now: T) => boolean): Promise<T> {
    return this.env.until(object, isSo);
  }

  /** Waits for an Event with the given reason about an object, and returns the message of the Event. */
  async reported({ metadata: { name, namespace = 'default' } }: KubeObject, reason: string): Promise<string> {
    await using informer = await this.env.cluster.cache.informer(Event, { namespace });
    for await (const { object } of informer.changes({ signal: AbortSignal.timeout(HANG_LIMIT_MS) })) {
      if (object.reason === reason && object.involvedObject.name === name) return object.message ?? '';
    }
    throw new Error(`no Event with the reason ${reason} for ${name} within ${HANG_LIMIT_MS / 1000} s`);
  }

  /** Waits until the output of the program matches. */
  untilPrinted(pattern: RegExp): Promise<void> {
    return this.#operator.until(pattern);
  }

  /** The standard output of the program so far. */
  get output(): string {
    return this.#operator.output;
  }

  /** Kills the API server, as in a power failure. */
  killServer(): Promise<void> {
    return this.#server.kill();
  }

  /** Starts the API server again with the same data. */
  startServer(): Promise<void> {
    return this.#server.start();
  }

  /** Stops the program with SIGTERM, as the kubelet does. Asserts that the program exits with 0. */
  async stop(): Promise<void> {
    const { code, err } = await this.#operator.terminate();
    assert.equal(code, 0, err);
  }

  /** Describes the granted permissions that no request has used so far, except the permissions in SELDOM_USED. */
  unusedPermissions(): readonly string[] {
    const unused = this.#granted.filter((permission) => !this.#proxy.used.some((used) => covers(permission, used)));
    return unused.map(permissionText).filter((text) => !SELDOM_USED.some(([pattern]) => pattern.test(text)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#operator[Symbol.asyncDispose]();
    await this.#proxy[Symbol.asyncDispose]();
    await this.#webhooks[Symbol.asyncDispose]();
    await this.env[Symbol.asyncDispose]();
    await this.#server[Symbol.asyncDispose]();
    if (this.#kubeconfig === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = this.#kubeconfig;
  }
}

interface Parts {
  readonly env: TestEnvironment;
  readonly samples: readonly KubeObject[];
  readonly server: ExampleServer;
  readonly proxy: RecordingProxy;
  readonly webhooks: LocalWebhooks;
  readonly options: OperatorProcessOptions;
  readonly granted: readonly Permission[];
  readonly kubeconfig: string | undefined;
}

/** Returns a token and the namespace of the ServiceAccount that the Pods of a Deployment use. */
async function accountOf({ metadata, spec }: Deployment, { client }: TestEnvironment) {
  const { namespace = '' } = metadata;
  const name = spec.template.spec?.serviceAccountName ?? '';
  const account = new ServiceAccount({ metadata: { name, namespace } });
  const { status } = await client.subresource(account, 'token').create({ spec: { audiences: [] } });
  return { token: status?.token ?? '', namespace };
}

/** Returns the permissions that the role bindings of an example grant. The example has only one ServiceAccount. */
function grantedIn(objects: readonly KubeObject[]): readonly Permission[] {
  const bindings = objects.filter((object): object is ClusterRoleBinding => object.kind.endsWith('RoleBinding'));
  return bindings.flatMap(({ roleRef, metadata: { namespace } }) => {
    const role = objects.find(
      (object): object is Role | ClusterRole =>
        object.kind === roleRef.kind &&
        object.metadata.name === roleRef.name &&
        (object.kind === 'ClusterRole' || object.metadata.namespace === namespace),
    );
    const permissions = permissionsIn(role?.rules ?? []);
    return permissions.map((permission) =>
      'url' in permission || namespace === undefined ? permission : { ...permission, namespace },
    );
  });
}

async function filesBelow(root: string, folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = paths.map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')] as const);
  return new Map(await Promise.all(files));
}
function objectsIn(text: string): readonly KubeObject[] {
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
}
