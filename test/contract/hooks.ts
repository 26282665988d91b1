import type { ContractAnswer, ContractApi } from './contract-api.js';
import type { ContractCase } from './contract.js';
import { allow } from './webhook-replies.js';
import { type WebhookReply, WebhookServer } from './webhook-server.js';

/** Fields of an admission webhook, except for its address. All fields have defaults. */
export interface HookFields {
  /** The first label of the name, and the path on the server. @default 'check' */
  readonly name?: string;
  /** @default allows the request */
  readonly reply?: WebhookReply;
  readonly [field: string]: unknown;
}

const kinds = { validating: 'validatingwebhookconfigurations', mutating: 'mutatingwebhookconfigurations' } as const;

/** Returns the path of the configurations of one kind. */
export function configurations(kind: keyof typeof kinds): string {
  return `/apis/admissionregistration.k8s.io/v1/${kinds[kind]}`;
}

/** Returns a case with a server for its webhooks. The case can use the server until the case ends. */
export function hooked(run: (api: ContractApi, hooks: Hooks) => Promise<void>): ContractCase {
  return async (api) => {
    await using server = await WebhookServer.start();
    // Disposed before the server: a webhook that the server cannot reach would reject the deletion of the objects of the case.
    await using hooks = new Hooks(api, server);
    await run(api, hooks);
  };
}

/**
 * Installs the admission webhooks of one case. By default, a webhook receives all operations on the ConfigMaps in the namespace of the
 * case. A case that sets another `namespaceSelector`, or uses kinds without a namespace, must limit its webhooks to its own objects,
 * because other cases use the same server.
 */
export class Hooks implements AsyncDisposable {
  readonly #api: ContractApi;
  /** The paths of the installed configurations, with the IDs of their probes. */
  readonly #installed = new Map<string, string>();
  readonly server: WebhookServer;

  constructor(api: ContractApi, server: WebhookServer) {
    this.#api = api;
    this.server = server;
    api.mask(server.caBundle, '<ca>');
    api.settlesBeforeWrites = true;
  }

  /** Selects the namespace of the case. */
  get ownNamespace(): object {
    return { matchLabels: { 'kubernetes.io/metadata.name': this.#api.namespace } };
  }

  /** Returns a webhook of a configuration, and sets the reply for its path. */
  hook({ name = 'check', reply = allow(), ...fields }: HookFields = {}): object {
    this.server.reply(`/${name}`, reply);
    return {
      name: `${name}.example.com`,
      clientConfig: this.client(`/${name}`),
      rules: [rule()],
      namespaceSelector: this.ownNamespace,
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      timeoutSeconds: 30,
      ...fields,
    };
  }

  /** Returns the clientConfig of a path on the server. */
  client(path: string): object {
    return { url: this.server.url(path), caBundle: this.server.caBundle };
  }

  /** Installs a ValidatingWebhookConfiguration, and returns its path when the server calls its webhooks. */
  validate(...hooks: readonly HookFields[]): Promise<string> {
    return this.install('validating', { hooks });
  }

  /** Installs a MutatingWebhookConfiguration, and returns its path when the server calls its webhooks. */
  mutate(...hooks: readonly HookFields[]): Promise<string> {
    return this.install('mutating', { hooks });
  }

  /** Installs a configuration, and returns its path when the server calls its webhooks. Servers sort configurations by name. */
  async install(
    kind: keyof typeof kinds,
    { hooks, name = 'hooks' }: { readonly hooks: readonly HookFields[]; readonly name?: string },
  ): Promise<string> {
    const metadata = { name: this.#api.name(name) };
    const { id, webhooks } = this.#probed(hooks.length === 0 ? [{}] : hooks);
    const { status, body } = await this.#api.post(configurations(kind), { metadata, webhooks }, { quiet: true });
    if (status !== 201) throw new Error(`the server rejects the configuration: ${JSON.stringify(body)}`);
    const path = `${configurations(kind)}/${metadata.name}`;
    this.#installed.set(path, id);
    await this.#until(id, true);
    return path;
  }

  /** Replaces the webhooks of a configuration, and waits until the server calls the new webhooks. */
  async replace(path: string, ...hooks: readonly HookFields[]): Promise<void> {
    const { body } = await this.#api.get(path, { quiet: true });
    const { id, webhooks } = this.#probed(hooks);
    await this.#api.put(path, { ...body, webhooks }, { quiet: true });
    this.#installed.set(path, id);
    await this.#until(id, true);
  }

  /** Deletes a configuration, and waits until the server no longer calls its webhooks. */
  async remove(path: string): Promise<void> {
    const id = this.#installed.get(path);
    await this.#api.delete(path, undefined, { quiet: true });
    if (id !== undefined) await this.#until(id, false);
    this.#installed.delete(path);
  }

  /** Deletes all installed configurations. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#installed.keys()].map((path) => this.remove(path)));
  }

  /** Adds the requests that the webhooks received to the transcript. Parallel requests must be sorted by path. */
  reviews(
    options: { readonly only?: readonly string[]; readonly sorted?: boolean; readonly headers?: boolean } = {},
  ): void {
    const calls = [...this.server.takeCalls()];
    if (options.sorted === true) calls.sort((a, b) => Number(a.target > b.target) - Number(a.target < b.target));
    for (const { method, target, headers, review } of calls) {
      const { host: _, connection: __, 'content-length': ___, ...shown } = headers;
      this.#api.received(`${method} <webhook>${target}`, review, {
        ...(options.only && { only: options.only }),
        ...(options.headers === true && { headers: shown as Record<string, string> }),
      });
    }
  }

  /**
   * Adds a probe to the webhooks of a configuration. The probe is a webhook that matches only the requests of `#until`. Servers apply all
   * webhooks of a configuration at the same time, so a call of the probe proves that the server uses the configuration.
   */
  #probed(hooks: readonly HookFields[]): { readonly id: string; readonly webhooks: readonly object[] } {
    const id = this.#api.name('probe');
    const probe = this.hook({
      name: `probe/${id}`,
      rules: [rule({ operations: ['CREATE'] })],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'default' } },
      objectSelector: { matchLabels: { probe: id } },
    });
    return { id, webhooks: [{ ...probe, name: 'probe.example.com' }, ...hooks.map((hook) => this.hook(hook))] };
  }

  async #until(id: string, isCalled: boolean): Promise<void> {
    const object = { metadata: { name: id, labels: { probe: id } } };
    const ask = (): Promise<ContractAnswer> =>
      this.#api.post('/api/v1/namespaces/default/configmaps?dryRun=All', object, { quiet: true });
    const isReached = (): boolean => this.server.wasProbed(`/probe/${id}`);
    await this.#api.eventually('the webhook configuration', ask, () => isReached() === isCalled);
  }
}

/** Returns a rule for all operations on ConfigMaps, with other fields. */
export function rule(more: object = {}): object {
  return { operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], ...more };
}

/** Returns a rule for all operations on Widgets of the case. */
export function widgetRule(api: ContractApi, more: object = {}): object {
  return rule({ apiGroups: [api.group], resources: ['widgets'], ...more });
}

/** Returns the path of the ConfigMaps in the namespace of the case, or of one ConfigMap. */
export function configMaps(api: ContractApi, name?: string): string {
  return `/api/v1/namespaces/${api.namespace}/configmaps${name === undefined ? '' : `/${name}`}`;
}

/** Returns a ConfigMap. */
export function configMap(name: string, data: object = { k: 'v' }, metadata: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, data };
}
