import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@kubewright/api';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ignoreNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { KeyPair } from '@kubewright/runtime';
import { selfSignedCertificate, type WebhookConfigurations, webhookConfigurations } from '@kubewright/runtime/internal';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { KubeApi } from '../deploy/kube-api.js';
import { describedWebhooks } from '../manifests/webhooks/described-webhooks.js';
import type { InspectedWebhooks } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';

const HOST = '127.0.0.1';

/** The address and the certificate with which an operator serves its webhooks on this machine. */
export interface LocalWebhooks {
  readonly host: string;
  readonly port: number;
  readonly keyPair: KeyPair;
}

/** What a `DevWebhooks` uses. */
export interface DevWebhooksUsing {
  readonly api: KubeApi;
  readonly settings: ProjectSettings;
}

/**
 * Registers the webhooks of an operator in the local API server of `kubewright dev`. The address and the certificate are the same for all
 * processes of the operator, so that a restart changes the registered objects only if the declarations of the webhooks change.
 */
export class DevWebhooks {
  /** The address and the certificate for the processes of the operator. */
  readonly local: LocalWebhooks;
  readonly #api: KubeApi;
  readonly #settings: ProjectSettings;
  #registered: readonly KubeObject[] = [];

  private constructor(local: LocalWebhooks, { api, settings }: DevWebhooksUsing) {
    this.local = local;
    this.#api = api;
    this.#settings = settings;
  }

  /** Selects a free port, and creates a certificate that exists only in memory. */
  static async open(using: DevWebhooksUsing): Promise<DevWebhooks> {
    return new DevWebhooks({ host: HOST, port: await freePort(), keyPair: selfSignedCertificate([HOST]) }, using);
  }

  /** Returns the definitions of the kinds, with the conversion by the operator on this machine. */
  withConversions(
    crds: readonly CustomResourceDefinition[],
    webhooks: InspectedWebhooks | undefined,
  ): readonly CustomResourceDefinition[] {
    const { conversions } = this.#configurations(webhooks);
    return crds.map((crd) => {
      const found = conversions.find(({ definition }) => definition === crd.metadata.name);
      return found === undefined ? crd : { ...crd, spec: { ...crd.spec, conversion: found.conversion } };
    });
  }

  /**
   * Creates, changes or deletes the webhook configurations, so that the API server calls exactly the given admission webhooks. Returns
   * whether an object changed.
   */
  async register(webhooks: InspectedWebhooks | undefined): Promise<boolean> {
    const { mutating, validating } = this.#configurations(webhooks);
    const desired = [mutating, validating].filter((each) => each !== undefined);
    if (deepEqual(desired, this.#registered)) return false;
    await this.#remove(desired);
    for (const configuration of desired) await this.#api.apply(configuration, { force: true });
    this.#registered = desired;
    return true;
  }

  /** Deletes the webhook configurations, including those of an earlier session that was terminated. */
  async unregister(): Promise<void> {
    await this.#remove([]);
    this.#registered = [];
  }

  /** Deletes the webhook configurations of the operator, except the given configurations. */
  async #remove(desired: readonly KubeObject[]): Promise<void> {
    const { mutatingConfiguration, validatingConfiguration } = webhookNames(this.#settings.name);
    for (const [kind, name] of [
      [MutatingWebhookConfiguration, mutatingConfiguration],
      [ValidatingWebhookConfiguration, validatingConfiguration],
    ] as const) {
      if (desired.some(({ metadata }) => metadata.name === name)) continue;
      const found = await this.#api.client.live.find<KubeObject>(kind, { name });
      if (found !== undefined) await ignoreNotFound(this.#api.client.delete(found));
    }
  }

  #configurations(webhooks: InspectedWebhooks | undefined): WebhookConfigurations {
    const { host, port, keyPair } = this.local;
    const { mutatingConfiguration, validatingConfiguration } = webhookNames(this.#settings.name);
    const caBundle = Buffer.from(keyPair.cert).toString('base64');
    return webhookConfigurations(
      webhooks === undefined ? { admission: [], conversions: [] } : describedWebhooks(webhooks),
      (path) => ({ url: `https://${host}:${port}${path}`, caBundle }),
      { mutating: mutatingConfiguration, validating: validatingConfiguration },
    );
  }
}

/** Returns a port of this machine that no process uses. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
