import type { KindRef, KubeObject, ObjectKey } from '@kubewright/api';
import type { Query } from '../transport/request-options.js';
import { resourcePath } from '../transport/resource-path.js';
import type { ClientContext } from './client-context.js';
import { deepFreeze } from '@kubewright/api';
import { isJsonObject } from './json-value.js';
import type { OpenInformers } from './open-informers.js';
import { describe, objectPath, type Target } from './target.js';
import type { Write } from './write.js';

/** A write of one object. */
export interface WriteRequest {
  readonly verb: Write['verb'];
  readonly method: 'POST' | 'PUT' | 'PATCH';
  readonly object: KubeObject;
  readonly body: unknown;
  readonly contentType?: string;
  readonly subresource?: string;
  readonly query?: Query;
}

/** Sends writes, lets the next reads see them, and tells who wants to know. */
export class Writer {
  readonly #context: ClientContext;
  readonly #informers: OpenInformers;
  constructor(context: ClientContext, informers: OpenInformers) {
    this.#context = context;
    this.#informers = informers;
  }

  /** Where an object is, or would be. */
  targetOf(object: KubeObject): Promise<Target> {
    return this.#context.targetOfObject(object);
  }

  /** Lets the next reads see an object that the server has told of, as if it had been written. */
  async learnt({ kind }: Target, object: KubeObject): Promise<void> {
    await this.#informers.wrote(kind, object);
  }

  /** Resolves with the answer, frozen. */
  async send<T extends KubeObject>(request: WriteRequest): Promise<T> {
    const { object, subresource } = request;
    const target = await this.targetOf(object);
    const { transport } = await this.#context.backend();
    const key = keyIn(target, object);
    const path = objectPath(target.info, key, subresource);
    const answer = deepFreeze(
      await transport.request<T>({
        method: request.method,
        path: request.method === 'POST' ? resourcePath(target.info, { namespace: key.namespace }) : path,
        query: { fieldManager: this.#context.fieldManager, ...request.query },
        body: request.body,
        ...(request.contentType && { contentType: request.contentType }),
        signal: this.#context.signal,
        attempted: `${request.verb} ${subresource ? `the ${subresource} of ` : ''}${describe(target.info.kind, key)}`,
      }),
    );
    await this.#informers.wrote(target.kind, answer);
    this.#context.wrote({ verb: request.verb, object: answer, ...(subresource && { subresource }) });
    return answer;
  }

  /** Sends a DELETE. The object may live on with a deletion timestamp; reads then go on to give it. */
  async delete(object: KubeObject, body: unknown): Promise<void> {
    const target = await this.targetOf(object);
    const { transport } = await this.#context.backend();
    const key = keyIn(target, object);
    const answer = await transport.request<unknown>({
      method: 'DELETE',
      path: objectPath(target.info, key),
      body,
      signal: this.#context.signal,
      attempted: `delete ${describe(target.info.kind, key)}`,
    });
    await this.#afterDelete(target.kind, key, deepFreeze(answer));
    this.#context.wrote({ verb: 'delete', object });
  }

  async #afterDelete(kind: KindRef, key: ObjectKey, answer: unknown): Promise<void> {
    if (livesOn(answer)) await this.#informers.wrote(kind, answer);
    else await this.#informers.deleted(kind, key);
  }
}

function keyIn(target: Target, { metadata: { name, namespace } }: KubeObject): ObjectKey {
  return target.info.namespaced ? { name, namespace } : { name };
}

/** Some kinds answer a finished deletion with the object, too: it waits for something only with finalizers or a grace period. */
function livesOn(answer: unknown): answer is KubeObject {
  if (!isJsonObject(answer) || answer.kind === 'Status' || !isJsonObject(answer.metadata)) return false;
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds: grace } = answer.metadata;
  if (deletionTimestamp === undefined) return false;
  return (Array.isArray(finalizers) && finalizers.length > 0) || (typeof grace === 'number' && grace > 0);
}
