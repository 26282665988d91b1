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

/** Follows one kind until it is disposed of. */
export interface KindFollower extends Disposable {
  /** Whether the API server serves the kind, according to its last response. */
  readonly isServed: boolean;
  /** Checks again whether the kind is served. Call this method if a request fails in a way that suggests that the kind is not served. */
  doubt(): void;
}

/**
 * Tracks which optional kinds the API server serves. While a followed kind is not served, checks with requests whether the server serves
 * the kind now. The interval between the requests increases until it is between 10 s and 20 s. Reads and writes of the kind also send this
 * request. Concurrent calls share one request. All followers of a kind share the last response.
 */
export class ServedKinds {
  readonly #using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger };
  readonly #followed = new Map<string, FollowedKind>();

  constructor(using: { readonly discovery: Discovery; readonly clock: Clock; readonly logger: Logger }) {
    this.#using = using;
  }

  /**
   * Starts to follow a kind. Calls `onChange` each time the API server starts or stops serving the kind. Resolves after the first response.
   * Rejects with the error of the request if the API server does not respond.
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
   * Returns whether the API server serves a kind. Sends no request if the kind is followed and was served according to the last response.
   */
  async isServed(kind: KindRef, signal?: AbortSignal): Promise<boolean> {
    const followed = this.#followed.get(kindName(kind));
    if (followed === undefined) return this.#using.discovery.isServed(kind, signal);
    return followed.isServed === true || abortable(followed.refresh(), signal);
  }

  /** Returns whether a kind is followed. */
  follows(kind: KindRef): boolean {
    return this.#followed.has(kindName(kind));
  }

  /** Returns whether a kind is followed and was not served according to the last response. */
  isDormant(kind: KindRef): boolean {
    return this.#followed.get(kindName(kind))?.isServed === false;
  }

  /** Rejects with KIND_NOT_SERVED if a followed kind is not served. */
  async assertServed(kind: KindRef): Promise<void> {
    if (this.isDormant(kind) && !(await this.isServed(kind))) throw kindNotServed(kind);
  }

  /**
   * Checks again whether a followed kind is served, after a request failed with a 404 that does not name an object. Rejects with
   * KIND_NOT_SERVED in two cases: the new response is that the kind is not served, or the failed request was not for a subresource.
   *
   * A 404 for a subresource may only mean that the kind has no such subresource. Otherwise, the 404 is sufficient, even if the new response
   * differs. The new response may be from another API server of the cluster that does not know about the change yet.
   */
  async assertStillServed(kind: KindRef, { isSubresource }: { readonly isSubresource: boolean }): Promise<void> {
    const followed = this.#followed.get(kindName(kind));
    if (followed === undefined) return;
    const isServed = await followed.refresh().catch(() => undefined);
    if (isServed === false || !isSubresource) throw kindNotServed(kind);
  }

  /** Yields whether each followed kind is served, according to the last response. Omits kinds before the first response. */
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

/** Returns a description of the CustomResourceDefinition that defines a kind, for messages. */
export function definitionOf(kind: KindRef): string {
  const { group, kind: name, plural } = kindOf(kind);
  return plural === undefined
    ? `the CustomResourceDefinition of ${name} in the group '${group}'`
    : `the CustomResourceDefinition ${plural}.${group}`;
}
