import type { KindRef } from '@kubewright/api';
import { isNotFound, KubewrightError } from '@kubewright/api/errors';
import { type KindInfo, kindOf } from '@kubewright/api/metadata';
import type { ResourceInfo } from './resource-path.js';
import type { Transport } from './transport.js';

/** What `/apis/<group>/<version>` lists. */
interface ResourceList {
  readonly resources?: readonly { readonly name: string; readonly kind: string; readonly namespaced: boolean }[];
}

/**
 * Where the objects of a kind are served. Classes and built-ins say so themselves; kinds known only by name are looked up once, and
 * again only after a miss.
 */
export class Discovery {
  readonly #transport: Transport;
  readonly #lists = new Map<string, Promise<ResourceList | undefined>>();

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Throws KIND_NOT_SERVED when the API server does not know the kind. */
  async resolve(ref: KindRef): Promise<ResourceInfo> {
    const info = kindOf(ref);
    const { group, version, apiVersion, kind, builtIn } = info;
    if (info.plural !== undefined && info.namespaced !== undefined) {
      return { group, version, apiVersion, kind, plural: info.plural, namespaced: info.namespaced, builtIn };
    }
    const remembered = this.#lists.has(apiVersion);
    const isIt = (resource: { readonly name: string; readonly kind: string }): boolean =>
      resource.kind === kind && !resource.name.includes('/');
    let found = (await this.#resources(info))?.resources?.find(isIt);
    if (found === undefined) {
      this.#lists.delete(apiVersion);
      // The kind may be newer than what is remembered of its group.
      if (remembered) found = (await this.#resources(info))?.resources?.find(isIt);
    }
    if (found === undefined) {
      this.#lists.delete(apiVersion);
      throw new KubewrightError(
        'KIND_NOT_SERVED',
        `the API server does not serve ${kind} of ${apiVersion}: is its CustomResourceDefinition installed?`,
      );
    }
    return { group, version, apiVersion, kind, plural: found.name, namespaced: found.namespaced, builtIn };
  }

  #resources(info: KindInfo): Promise<ResourceList | undefined> {
    const known = this.#lists.get(info.apiVersion);
    if (known !== undefined) return known;
    const asked = this.#ask(info);
    this.#lists.set(info.apiVersion, asked);
    asked.catch(() => this.#lists.delete(info.apiVersion));
    return asked;
  }

  async #ask(info: KindInfo): Promise<ResourceList | undefined> {
    const path = info.group === '' ? `/api/${info.version}` : `/apis/${info.apiVersion}`;
    try {
      return await this.#transport.request<ResourceList>({
        method: 'GET',
        path,
        attempted: `discover ${info.apiVersion}`,
      });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
