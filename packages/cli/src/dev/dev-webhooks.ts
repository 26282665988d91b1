import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '@kubewright/api';
import type { WebhookClientConfig } from '@kubewright/api/admissionregistration/v1';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@kubewright/api/admissionregistration/v1';
import type { CustomResourceDefinition } from '@kubewright/api/apiextensions/v1';
import { ignoreNotFound } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import { selfSignedCertificate, type WebhookConfigurations, webhookConfigurations } from '@kubewright/runtime/internal';
import { webhookNames } from '@kubewright/runtime/permissions';
import type { KubeApi } from '../deploy/kube-api.js';
import { describedWebhooks } from '../manifests/webhooks/described-webhooks.js';
import type { InspectedProject, InspectedWebhooks } from '../project/inspected-project.js';
import type { ProjectSettings } from '../project/project-settings.js';
import type { LocalWebhooks } from './local-webhooks.js';
import type { WebhookRegistration } from './webhook-registration.js';

const HOST = '127.0.0.1';

/** The objects with which a `DevWebhooks` is created. */
export interface DevWebhooksUsing {
  readonly api: KubeApi;
  readonly settings: ProjectSettings;
}

/**
 * Registers the webhooks of an operator in the local API server of `kubewright dev`. The address and the certificate are the same for all
 * processes of the operator, so that a restart changes the registered objects only if the declarations of the webhooks change.
 */
export class DevWebhooks implements WebhookRegistration {
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
    return new DevWebhooks({ host: HOST, port: await freePort(HOST), keyPair: selfSignedCertificate([HOST]) }, using);
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

  /** Does nothing, because the local API server can always connect to this process. */
  async prepare(): Promise<void> {}
  /** Does nothing, because the definitions of `withConversions` contain the conversions. */
  async convert(): Promise<void> {}
  /** Creates, changes or deletes the webhook configurations, so that the API server calls exactly the declared admission webhooks. */
  async register({ operator }: InspectedProject): Promise<boolean> {
    const { mutating, validating } = this.#configurations(operator.webhooks);
    const desired = [mutating, validating].filter((each) => each !== undefined);
    if (deepEqual(desired, this.#registered)) return false;
    await this.#remove(desired);
    for (const configuration of desired) await this.#api.apply(configuration, { force: true });
    this.#registered = desired;
    return true;
  }

  /** Keeps the webhooks, because only this session uses the local API server. */
  async suspend(): Promise<boolean> {
    return false;
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
    const { mutatingConfiguration, validatingConfiguration } = webhookNames(this.#settings.name);
    return webhookConfigurations(
      webhooks === undefined ? { admission: [], conversions: [] } : describedWebhooks(webhooks),
      clientConfigOf(this.local, `https://${HOST}:${this.local.port}`),
      { mutating: mutatingConfiguration, validating: validatingConfiguration },
    );
  }
}

/** Returns a function that returns the client configuration for an HTTP path. `url` is the URL of the webhook server without a path. */
export function clientConfigOf({ keyPair }: LocalWebhooks, url: string): (path: string) => WebhookClientConfig {
  const caBundle = Buffer.from(keyPair.cert).toString('base64');
  return (path) => ({ url: `${url}${path}`, caBundle });
}

/**
 * Returns a port that no process uses on the address `host` of this machine. If `host` is undefined, no process uses the port on any
 * address.
 */
export async function freePort(host: string | undefined): Promise<number> {
  const server = createServer().listen({ port: 0, ...(host !== undefined && { host }) });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
