import type { KindRef, KubeObject } from '@kubewright/api';
import { isConflict, isNotFound, KubewrightError } from '@kubewright/api/errors';
import { kindOf } from '@kubewright/api/metadata';
import { listAnswerOf } from '../../transport/answer/list-answer.js';
import { objectAnswerOf } from '../../transport/answer/object-answer.js';
import type { ApiReader } from '../reads/api-reader.js';
import type { CachedReader } from '../reads/cached-reader.js';
import { isSuccess } from '../requests/checked-answer.js';
import type { ClientContext } from '../requests/client-context.js';
import type { DeleteAllOptions, DeleteOptions } from '../options/client-options.js';
import { selectionQuery } from '../reads/list-query.js';
import type { OpenInformers } from '../reads/open-informers.js';
import { describe } from '../requests/target.js';
import type { Writer } from './writer.js';

/** The maximum number of concurrent requests when `deleteAll` sends one request per object. */
const CONCURRENCY = 16;

export interface DeleterOptions {
  readonly context: ClientContext;
  readonly writer: Writer;
  readonly informers: OpenInformers;
  readonly reader: ApiReader;
  /** Finds the objects if the selection uses an index. */
  readonly cached: CachedReader;
}

/** Deletes one object, or all selected objects. */
export class Deleter {
  readonly #using: DeleterOptions;
  constructor(using: DeleterOptions) {
    this.#using = using;
  }

  /**
   * Deletes one object. If the object does not exist or was recreated with another uid, throws an error only if `mustExist` is set. Throws
   * VERSION_REQUIRED if `sameVersion` is set and the object has no resourceVersion.
   */
  async delete(object: KubeObject, options: DeleteOptions): Promise<void> {
    const { uid, resourceVersion } = object.metadata;
    const onlyThis = (options.sameUid ?? true) && uid !== undefined;
    if (options.sameVersion && resourceVersion === undefined) {
      throw new KubewrightError(
        'VERSION_REQUIRED',
        `cannot delete ${describe(object.kind, object.metadata)} with sameVersion: it has no resourceVersion; pass the object as returned by the server`,
      );
    }
    const preconditions = { ...(onlyThis && { uid }), ...(options.sameVersion && { resourceVersion }) };
    const body = { ...deleteBody(options), ...(Object.keys(preconditions).length > 0 && { preconditions }) };
    try {
      await this.#using.writer.delete(object, body, options);
    } catch (error) {
      if (options.mustExist) throw error;
      if (isNotFound(error)) return;
      if (!onlyThis || !isConflict(error) || (await this.#isThere(object))) throw error;
    }
  }

  /**
   * Whether the server still has an object with this uid. A conflict of a deletion does not show whether the object still exists or was
   * recreated with the same name.
   */
  async #isThere(object: KubeObject): Promise<boolean> {
    const { kind } = await this.#using.context.targetOfObject(object);
    const now = await this.#using.reader.readIfExists(kind, object.metadata);
    return now?.metadata.uid === object.metadata.uid;
  }

  /**
   * Deletes all selected objects. If the selection uses an index, or if it covers all namespaces of a namespaced kind, lists the objects
   * and sends one request per object. Otherwise, sends one request for all objects. Throws INVALID_OPTION for a selection with a limit.
   */
  async deleteAll<T extends KubeObject>(kind: KindRef<T>, options: DeleteAllOptions<NoInfer<T>>): Promise<void> {
    refuseLimit(kind, options);
    const { context, reader, cached } = this.#using;
    const target = await context.targetOf(kind);
    const namespace = context.namespaceFor(target, options.namespace);
    const { labels, fields, index } = options;
    if (index === undefined && (namespace !== undefined || !target.info.namespaced)) {
      return this.#deleteCollection(kind, namespace, options);
    }
    const selection = { namespace, ...(labels && { labels }), ...(fields && { fields }), ...(index && { index }) };
    const selected = await (index === undefined ? reader.readAll(kind, selection) : cached.list(kind, selection));
    const { propagation, gracePeriodSeconds, dryRun } = options;
    const how: DeleteOptions = {
      ...(propagation && { propagation }),
      ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
      ...(dryRun !== undefined && { dryRun }),
    };
    for (let from = 0; from < selected.length; from += CONCURRENCY) {
      await Promise.all(selected.slice(from, from + CONCURRENCY).map((object) => this.delete(object, how)));
    }
  }

  async #deleteCollection(
    kind: KindRef,
    namespace: string | undefined,
    options: DeleteAllOptions<never>,
  ): Promise<void> {
    const { context, informers } = this.#using;
    const target = await context.targetOf(kind);
    const isDryRun = context.isDryRun(options);
    const attempted = `delete all ${target.info.plural}`;
    const answer = await context.send<unknown>({
      method: 'DELETE',
      target,
      at: { namespace },
      query: { ...selectionQuery(options) },
      body: { ...deleteBody(options), ...(isDryRun && { dryRun: ['All'] }) },
      verbs: ['deletecollection'],
      attempted,
    });
    const isStatus = answer === undefined || isSuccess(answer);
    const items = isStatus ? [] : listAnswerOf(answer, { resource: target.info, metadataOnly: false, attempted }).items;
    const expected = { resource: target.info, attempted, namespace, what: 'an object' };
    const deleted = items.map((item) => objectAnswerOf(item, expected));
    if (isDryRun) return;
    for (const object of deleted) {
      if (isDeletedImmediately(object, options)) await informers.deleted(kind, object.metadata, object.metadata.uid);
      context.wrote({ verb: 'delete', object });
    }
  }
}

/** Throws INVALID_OPTION for a selection with a limit, because the API server would delete all selected objects. */
function refuseLimit(kind: KindRef, options: object): void {
  if (!('limit' in options) || options.limit === undefined) return;
  throw new KubewrightError(
    'INVALID_OPTION',
    `cannot delete all ${kindOf(kind).kind} objects with a limit: the API server would delete all selected objects; list the objects and delete each`,
  );
}

function deleteBody({ propagation, gracePeriodSeconds }: DeleteOptions): Readonly<Record<string, unknown>> {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    ...(propagation && { propagationPolicy: propagation }),
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
  };
}

/**
 * Whether the server removes the object immediately when it accepts the deletion. Returns false if finalizers, graceful termination of a
 * Pod or Namespace, or a propagation policy other than Background delay the removal. The response to the deletion does not show this.
 */
function isDeletedImmediately(object: KubeObject, { propagation }: DeleteOptions): boolean {
  const waits = (object.metadata.finalizers?.length ?? 0) > 0 || object.kind === 'Pod' || object.kind === 'Namespace';
  return !waits && (propagation === undefined || propagation === 'Background');
}
