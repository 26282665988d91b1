import type { KindRef } from '@kubewright/api';
import type { Clock } from '@kubewright/api/clock';
import { KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import type { Logger } from '../../log/logger.js';
import type { KindReading } from '../../metrics/metrics.js';
import { abortable } from '../../waiting/abortable.js';
import type { Discovery } from '../../transport/discovery/discovery.js';
import { FollowedKind } from './followed-kind.js';
import { kindName } from '../selection/kind-name.js';

/** Follows whether the API server serves one kind, until it is disposed of. */
export interface KindFollower extends Disposable {
  /** The last answer of the API server. */
  readonly isServed: boolean;
  /** Sends another request to the API server. Call this method when a request fails as if the kind were not served. */
  doubt(): void;
}

/**
 * Follows whether the API server serves the optional kinds of a cluster. While a followed kind is not served, sends requests to the API
 * server with back-off (finally every 10 s to 20 s). A read or write of the kind also sends a request; concurrent reads and writes share
 * one request. All followers of a kind share its last answer.
 */
export class ServedKinds {
  readonly #using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger };
  readonly #followed = new Map<string, FollowedKind>();

  constructor(using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger }) {
    this.#using = using;
  }

  /**
   * Calls `onChange` whenever the answer changes. Resolves after the first answer of the API server. Rejects with the error of the request
   * if the API server does not answer.
   */
  async follow(kind: KindRef, onChange: () => void): Promise<KindFollower> {
    const name = kindName(kind);
    const followed = this.#followed.get(name) ?? new FollowedKind(kind, this.#using);
    this.#followed.set(name, followed);
    const listener = (): void => onChange();
    followed.add(listener);
    const stop = (): void => {
      followed.delete(listener);
      if (followed.isIdle && this.#followed.get(name) === followed) this.#followed.delete(name);
    };
    try {
      await followed.known();
    } catch (error) {
      stop();
      throw error;
    }
    return {
      get isServed() {
        return followed.isServed === true;
      },
      doubt: () => followed.doubt(),
      [Symbol.dispose]: stop,
    };
  }

  /**
   * Returns whether a kind is served. Sends a request to the API server, unless the kind is followed and the last answer was that the kind
   * is served.
   */
  async isServed(kind: KindRef, signal?: AbortSignal): Promise<boolean> {
    const followed = this.#followed.get(kindName(kind));
    if (followed === undefined) return this.#using.discovery.isServed(kind, signal);
    return followed.isServed === true || abortable(followed.ask(), signal);
  }

  /** Returns whether a kind is followed. */
  follows(kind: KindRef): boolean {
    return this.#followed.has(kindName(kind));
  }

  /** Returns whether a kind is followed and the last answer was that the kind is not served. */
  isDormant(kind: KindRef): boolean {
    return this.#followed.get(kindName(kind))?.isServed === false;
  }

  /** Rejects with KIND_NOT_SERVED if a followed kind is not served. */
  async assertServed(kind: KindRef): Promise<void> {
    if (this.isDormant(kind) && !(await this.isServed(kind))) throw kindNotServed(kind);
  }

  /**
   * Rejects with KIND_NOT_SERVED if a followed kind is not served, after a 404 that does not name an object. Always sends a request to the
   * API server. For a subresource, the answer decides, because a served kind can lack the subresource. Otherwise, the 404 decides, because
   * another API server of the cluster may have answered the request: it may not yet know that the kind was installed or removed.
   */
  async assertStillServed(kind: KindRef, { isSubresource }: { readonly isSubresource: boolean }): Promise<void> {
    const followed = this.#followed.get(kindName(kind));
    if (followed === undefined) return;
    const isServed = await followed.ask().catch(() => undefined);
    if (isServed === false || !isSubresource) throw kindNotServed(kind);
  }

  /** Yields the last answer for each followed kind. */
  *readings(): Iterable<KindReading> {
    for (const { kind: ref, isServed } of this.#followed.values()) {
      const { group, version, kind } = kindOf(ref);
      if (isServed !== undefined) yield { group, version, kind, isServed };
    }
  }
}

/** Returns the error for a read or write of an optional kind that the API server does not serve. */
export function kindNotServed(kind: KindRef): KubewrightError {
  const { apiVersion, kind: name } = kindOf(kind);
  return new KubewrightError(
    'KIND_NOT_SERVED',
    `the API server does not serve ${name} of ${apiVersion}: ${definitionOf(kind)} is not installed, or does not serve this version; check client.isServed(${name}) first`,
  );
}

/** Returns the name of the CustomResourceDefinition that defines a kind, for messages. */
export function definitionOf(kind: KindRef): string {
  const { group, kind: name, plural } = kindOf(kind);
  return plural === undefined
    ? `the CustomResourceDefinition of ${name} in the group '${group}'`
    : `the CustomResourceDefinition ${plural}.${group}`;
}
