import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import type { TestEnvironment } from '@kubewright/testing';
import { ReservedPorts } from '@kubewright/testing/internal';

/** The fields of webhook configurations, definitions and Services that this module reads and writes. */
interface WithWebhooks extends KubeObject {
  readonly webhooks?: readonly Webhook[];
  readonly spec?: { readonly conversion?: { readonly strategy?: string; readonly webhook?: Webhook } };
}
interface Webhook {
  readonly clientConfig?: { readonly caBundle?: string; readonly service?: { readonly name: string } };
}

/**
 * The webhooks of an example whose program runs outside of a Pod: the Service of the webhooks is an alias of this machine, and the program
 * finds the files of a service account in a temporary folder. The program creates and injects the certificates as in a cluster.
 */
export class LocalWebhooks implements AsyncDisposable {
  /** The objects to apply. */
  readonly objects: readonly KubeObject[];
  /** The environment variables of the program. */
  readonly variables: Readonly<Record<string, string>>;
  readonly #calling: readonly WithWebhooks[];
  readonly #ports: ReservedPorts;
  readonly #folder: string;

  private constructor(given: readonly KubeObject[], reserved: { ports: ReservedPorts; folder: string }) {
    this.#ports = reserved.ports;
    this.#folder = reserved.folder;
    const [port = 0] = reserved.ports.ports;
    this.#calling = given.filter((object) => webhooksOf(object).length > 0).map((object) => onPort(object, port));
    const services = new Set(this.#calling.flatMap(webhooksOf).map(({ clientConfig }) => clientConfig?.service?.name));
    const name = [...services][0]?.replace(/-webhook$/, '') ?? '';
    this.objects = given
      .map((object) => (object.kind === 'Service' && services.has(object.metadata.name) ? alias(object, port) : object))
      .map((object) => this.#calling.find((each) => isSame(each, object)) ?? object);
    this.variables =
      this.#calling.length === 0
        ? {}
        : {
            KUBEWRIGHT_WEBHOOKS: `127.0.0.1:${port}`,
            KUBEWRIGHT_WEBHOOKS_NAME: name,
            NODE_OPTIONS: `--import=${new URL('service-account-folder.js', import.meta.url).href}`,
            TEST_SERVICE_ACCOUNT: reserved.folder,
          };
  }

  /** Prepares the webhooks in the objects of an example. `namespace` is the namespace of the Deployment of the example. */
  static async of(objects: readonly KubeObject[], namespace: string): Promise<LocalWebhooks> {
    const folder = await mkdtemp(join(tmpdir(), 'kubewright-webhooks-'));
    await writeFile(join(folder, 'namespace'), namespace);
    return new LocalWebhooks(objects, { ports: await ReservedPorts.take(1), folder });
  }

  /** Applies the definitions that have a conversion webhook. The test environment installed the definitions with the original port. */
  async applyDefinitions({ client }: TestEnvironment): Promise<void> {
    for (const object of this.#calling) if (object.kind === 'CustomResourceDefinition') await client.apply(object);
  }

  /** Waits until the program has injected its CA bundle into all objects. */
  async untilInjected(env: TestEnvironment): Promise<void> {
    for (const object of this.#calling) {
      await env.until(object, (now) =>
        webhooksOf(now).every(({ clientConfig }) => (clientConfig?.caBundle ?? '') !== ''),
      );
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#ports[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true });
  }
}

function webhooksOf({ kind, webhooks, spec }: WithWebhooks): readonly Webhook[] {
  if (kind.endsWith('WebhookConfiguration')) return webhooks ?? [];
  const webhook = kind === 'CustomResourceDefinition' ? spec?.conversion?.webhook : undefined;
  return webhook === undefined ? [] : [webhook];
}
/** Returns the object with the given port in every reference to a webhook Service. */
function onPort(object: WithWebhooks, port: number): WithWebhooks {
  return JSON.parse(JSON.stringify(object), (key, value: unknown) =>
    key === 'service' && typeof value === 'object' ? { ...value, port } : value,
  ) as WithWebhooks;
}
/** Returns a Service whose DNS name is an alias of this machine. */
function alias({ apiVersion, kind, metadata }: KubeObject, port: number): KubeObject {
  const spec = { type: 'ExternalName', externalName: 'localhost', ports: [{ name: 'webhooks', port }] };
  return { apiVersion, kind, metadata, spec } as KubeObject;
}
function isSame(a: KubeObject, b: KubeObject): boolean {
  return a.kind === b.kind && a.metadata.name === b.metadata.name;
}
