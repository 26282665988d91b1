import { deepFreeze, isMetadataOnly, type KindRef, type KubeObject, type ObjectKey } from '@kubewright/api';
import { isRefusal } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { toMetadataOnly } from '@kubewright/api/metadata';
import { isFullyDeleted } from '../../cache/store/is-fully-deleted.js';
import { PARTIAL_OBJECT } from '../../transport/answer/partial-metadata.js';
import type { Query } from '../../transport/request/request-options.js';
import type { ApiRequest } from '../requests/api-request.js';
import type { ClientContext } from '../requests/client-context.js';
import type { WriteOptions } from '../options/client-options.js';
import type { OpenInformers } from '../reads/open-informers.js';
import { currentScope } from '../scope/reconcile-scope.js';
import { assertNamed, describe, type Target } from '../requests/target.js';
import type { Write } from '../scope/write.js';

const METHODS = { create: 'POST', update: 'PUT', patch: 'PATCH', apply: 'PATCH' } as const;
/** The RBAC verbs of each write. An apply also needs `create`, because it creates missing objects. */
const PERMISSIONS = { create: ['create'], update: ['update'], patch: ['patch'], apply: ['patch', 'create'] } as const;

/** A write of one object, or of a subresource of the object. */
export interface WriteRequest {
  readonly verb: Exclude<Write['verb'], 'delete'>;
  readonly object: KubeObject;
  /** The result of `targetOf` for the object, if the caller knows it. */
  readonly target?: Target;
  readonly body: unknown;
  readonly options?: WriteOptions | undefined;
  readonly contentType?: string;
  readonly subresource?: string;
  readonly query?: Query;
  /** The existing object before an apply. Undefined for an object that was not found, and for other writes. */
  readonly before?: KubeObject | undefined;
}

/** Sends writes, updates the caches so that the next reads return the result, and reports the writes. */
export class Writer {
  readonly #context: ClientContext;
  readonly #informers: OpenInformers;
  constructor(context: ClientContext, informers: OpenInformers) {
    this.#context = context;
    this.#informers = informers;
  }

  /** Returns the kind, the API resource and the schema of an object. Returns a promise only if the target is not known yet. */
  targetOf(object: KubeObject): Target | Promise<Target> {
    return this.#context.targetOfObject(object);
  }

  /** Adds an object to the caches after a read from the API server, in the same way as the result of a write. */
  learnt({ kind }: Target, object: KubeObject): void {
    this.#informers.wrote(kind, object);
  }

  /**
   * Sends the write. Returns the frozen response. If the object has only metadata, the response also has only metadata. Rejects with
   * NAME_REQUIRED if the object has no name, except if the write creates the object.
   */
  async send<Answer extends object>(request: WriteRequest): Promise<Answer> {
    const { object, subresource, verb, options } = request;
    if (verb !== 'create' || subresource !== undefined) assertNamed(verb, object);
    const target = request.target ?? (await this.targetOf(object));
    const isBare = subresource === undefined && isMetadataOnly(object);
    const accept = isBare && !(await this.#isRead(target.kind)) ? PARTIAL_OBJECT : undefined;
    const sent = this.#requestOf(request, target, accept);
    let answer: Answer;
    try {
      answer = deepFreeze(await this.#context.sendForObject<Answer>(sent));
    } catch (error) {
      if (!isRefusal(error)) currentScope()?.onUnanswered?.(object);
      throw error;
    }
    const whole: KubeObject | undefined = isOf(target, answer) ? answer : undefined;
    if (!this.#context.isDryRun(options)) {
      if (whole !== undefined) this.#informers.wrote(target.kind, whole);
      const before = verb === 'patch' ? object : request.before;
      const written = whole ?? object;
      const write = subresource ? { verb, subresource, object: written } : { verb, object: written };
      this.#context.wrote(write, { body: request.body, before });
    }
    if (!isBare) return answer;
    const { apiVersion, kind } = target.info;
    return deepFreeze(toMetadataOnly({ ...(answer as unknown as KubeObject), apiVersion, kind })) as unknown as Answer;
  }

  #requestOf(request: WriteRequest, target: Target, accept: string | undefined): ApiRequest {
    const { object, subresource, verb, options, contentType } = request;
    const at = this.#keyIn(target, object);
    const query = this.#context.writeQuery(options);
    const key = at.name === undefined ? { namespace: at.namespace, name: nameOf(object) } : at;
    return {
      method: METHODS[verb],
      target,
      at,
      subresource,
      query: request.query === undefined ? query : { ...query, ...request.query },
      body: request.body,
      contentType,
      accept,
      verbs: PERMISSIONS[verb],
      attempted: `${verb} ${subresource ? `the ${subresource} of ` : ''}${describe(target.info.kind, key)}`,
    };
  }

  /** Sends a DELETE request. If the object still exists with a deletion timestamp, reads continue to return the object. */
  async delete(object: KubeObject, body: JsonBody, options: Pick<WriteOptions, 'dryRun'>): Promise<void> {
    assertNamed('delete', object);
    const target = await this.targetOf(object);
    const at = this.#keyIn(target, object);
    const isDryRun = this.#context.isDryRun(options);
    const answer = deepFreeze(
      await this.#context.sendForObject<unknown>({
        method: 'DELETE',
        target,
        at,
        body: isDryRun ? { ...body, dryRun: ['All'] } : body,
        verbs: ['delete'],
        attempted: `delete ${describe(target.info.kind, at)}`,
      }),
    );
    if (isDryRun) return;
    if (remains(answer)) this.#informers.wrote(target.kind, answer);
    else await this.#informers.deleted(target.kind, at, uidIn(answer));
    this.#context.wrote({ verb: 'delete', object });
  }

  /** Whether informers of the kind are open. The server must then return the whole object, so that the caches can store it. */
  async #isRead(kind: KindRef): Promise<boolean> {
    const { cache } = await this.#context.backend();
    return (cache?.informersOf(kind).length ?? 0) > 0;
  }

  #keyIn(target: Target, { metadata: { name, namespace } }: KubeObject): ObjectKey {
    const within = this.#context.namespaceFor(target, namespace);
    return within === undefined ? { name } : { name, namespace: within };
  }
}

/** The request body of a deletion. */
type JsonBody = Readonly<Record<string, unknown>>;

/** Whether a response is the object itself. The response for a subresource may have another kind, and a review has no name. */
function isOf({ info }: Target, answer: Partial<KubeObject>): answer is KubeObject {
  const { apiVersion, kind, metadata } = answer;
  return apiVersion === info.apiVersion && kind === info.kind && Boolean(metadata?.name);
}

/**
 * Whether the object in the response to a deletion still exists. For some kinds, the server returns an object that it has already removed.
 * The object still exists only if finalizers or a grace period delay the removal.
 */
function remains(answer: unknown): answer is KubeObject {
  if (!isJsonObject(answer) || answer.kind === 'Status' || !isJsonObject(answer.metadata)) return false;
  return answer.metadata.deletionTimestamp !== undefined && !isFullyDeleted(answer as unknown as KubeObject);
}

/** Returns the uid of the deleted object from the response to a deletion. If the response is a Status, the uid is in the details. */
function uidIn(answer: unknown): string | undefined {
  if (!isJsonObject(answer)) return undefined;
  const of = answer.kind === 'Status' ? answer.details : answer.metadata;
  return isJsonObject(of) && typeof of.uid === 'string' ? of.uid : undefined;
}

/** Returns the name of an object for messages. For an object with `generateName`, returns the prefix and '…'. */
function nameOf({ metadata }: KubeObject): string {
  const { name, generateName } = metadata as { readonly name?: string; readonly generateName?: string };
  return name ?? `${generateName ?? ''}…`;
}
