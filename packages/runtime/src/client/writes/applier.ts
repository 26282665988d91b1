import type { KubeObject } from '@kubewright/api';
import { isConflict, isNotOwned, isStaleChild } from '@kubewright/api/errors';
import { isJsonObject } from '@kubewright/api/json';
import { appliedAnnotation, appliedConfiguration } from '../bodies/applied-configuration.js';
import type { ClientContext } from '../requests/client-context.js';
import type { ApplyOptions } from '../options/client-options.js';
import { containsApplied } from '../bodies/contains-applied.js';
import { OWNER_LABEL } from '../owners/owner-label.js';
import { assertVersion } from '../bodies/patch.js';
import type { PresentObjects } from './present-objects.js';
import { currentScope } from '../scope/reconcile-scope.js';
import { mayTake, notOwned } from './taken-name.js';
import { assertNamed, type Target } from '../requests/target.js';
import type { Writer } from './writer.js';

export interface ApplierOptions {
  readonly context: ClientContext;
  readonly writer: Writer;
  readonly present: PresentObjects;
  /** Deletes the object if the stored object still has the same uid. */
  readonly remove: (object: KubeObject) => Promise<void>;
}

interface Attempt<T> {
  readonly target: Target;
  readonly desired: T;
  readonly options: ApplyOptions;
  readonly fieldManager: string;
  /** The uid and the resourceVersion that the stored object must have. Set only if `optimistic` is true. */
  readonly only?: Pick<KubeObject['metadata'], 'uid' | 'resourceVersion'> | undefined;
}

/** Applies single objects with server-side apply. */
export class Applier {
  readonly #options: ApplierOptions;
  constructor(options: ApplierOptions) {
    this.#options = options;
  }

  /**
   * Applies the object. Returns the existing object, without sending the apply, if the apply would not change this object. Rejects with
   * NOT_OWNED or STALE_CHILD if the existing object cannot be applied for the owner, with NAME_REQUIRED if the object has no name, and with
   * VERSION_REQUIRED if `optimistic` is set and the object has no resourceVersion.
   */
  async apply<T extends KubeObject>(object: T, options: ApplyOptions & { readonly set?: string }): Promise<T> {
    const { context, writer } = this.#options;
    assertNamed('apply', object);
    if (options.optimistic) assertVersion(object);
    const target = await writer.targetOf(object);
    const { controllerName: controller } = context;
    const { fieldManager = context.fieldManager } = options;
    const desired = appliedConfiguration(object, {
      target,
      controller,
      fieldManager,
      owner: options.owner,
      set: options.set,
    });
    const { uid, resourceVersion } = object.metadata;
    const only = options.optimistic ? { uid, resourceVersion } : undefined;
    const attempt = { target, desired, options, fieldManager, only };
    const present = await this.#options.present.find(target, desired);
    return present === undefined ? this.#create(attempt) : this.#change(attempt, present);
  }

  #live<T extends KubeObject>({ target, desired }: Attempt<T>): Promise<T | undefined> {
    return this.#options.present.live(target, desired);
  }

  async #change<T extends KubeObject>(attempt: Attempt<T>, present: T): Promise<T> {
    const { options, desired, target, fieldManager } = attempt;
    if (!mayTake(present, options)) {
      const newest = await this.#live(attempt);
      if (newest === undefined) return this.#create(attempt);
      if (!mayTake(newest, options)) throw await this.#refusal(newest, options);
    }
    const annotation = appliedAnnotation(fieldManager);
    const isMeant = (attempt.only ?? present.metadata).resourceVersion === present.metadata.resourceVersion;
    const wasApplied = present.metadata.annotations?.[annotation] === desired.metadata.annotations?.[annotation];
    if (
      isMeant &&
      wasApplied &&
      containsApplied({ applied: desired, live: present, schema: target.schema, builtIn: target.builtIn })
    )
      return present;
    const force = options.force ?? options.owner !== undefined;
    return this.#send(attempt, { force, body: only(desired, { uid: present.metadata.uid }), before: present });
  }

  /**
   * Applies an object that was not found. If the call names an owner, applies without force, because another client may create the object
   * at the same time. After a conflict, treats the object as an existing object. If the response shows other field managers and `adopt` is
   * not set, removes the applied fields again and throws NOT_OWNED or STALE_CHILD.
   */
  async #create<T extends KubeObject>(attempt: Attempt<T>): Promise<T> {
    const { options } = attempt;
    if (options.owner === undefined) return this.#send(attempt, { force: options.force ?? false });
    try {
      const answer = await this.#send(attempt, { force: false });
      if (options.adopt || !hasOtherWriters(answer, attempt.fieldManager)) return answer;
      throw await this.#refusal(await this.#withdraw(attempt), options);
    } catch (error) {
      if (!isConflict(error)) throw error;
      const present = await this.#live(attempt);
      if (present === undefined) throw error;
      return this.#change(attempt, present);
    }
  }

  /**
   * Returns the error for an object that cannot be applied. If this controller created the existing object for an earlier owner of the same
   * name, deletes the existing object immediately instead of waiting for the garbage collector. Does not delete the object if the given
   * owner is the earlier one, for example because the cache is behind after a restart.
   */
  async #refusal(present: KubeObject, options: ApplyOptions): Promise<Error> {
    const refusal = notOwned(present, options);
    if (isNotOwned(refusal)) currentScope()?.onTaken?.(present);
    const isOurs = present.metadata.labels?.[OWNER_LABEL] === this.#options.context.controllerName;
    const isRemovable = isStaleChild(refusal) && isOurs && present.metadata.deletionTimestamp === undefined;
    if (isRemovable && (await this.#isCurrent(options.owner))) await this.#options.remove(present);
    return refusal;
  }

  async #isCurrent(owner: KubeObject | undefined): Promise<boolean> {
    if (owner === undefined) return false;
    return this.#options.present.isCurrent(await this.#options.writer.targetOf(owner), owner);
  }

  #send<T extends KubeObject>(
    { target, desired, options, only: meant }: Attempt<T>,
    request: { readonly force: boolean; readonly body?: T; readonly before?: T },
  ): Promise<T> {
    const { force, before } = request;
    const body = only(request.body ?? desired, meant ?? {});
    return this.#options.writer.send<T>({
      verb: 'apply',
      object: body,
      target,
      body,
      options,
      contentType: 'application/apply-patch+yaml',
      query: { force },
      before,
    });
  }

  /**
   * Removes all fields of the previous apply from the object. Applies a configuration without fields, so that the server removes the fields
   * that this field manager owned. Returns the resulting object.
   */
  #withdraw<T extends KubeObject>(attempt: Attempt<T>): Promise<T> {
    const { apiVersion, kind, metadata } = attempt.desired;
    const { name, namespace } = metadata;
    const nothing = { apiVersion, kind, metadata: { name, ...(namespace && { namespace }) } } as unknown as T;
    return this.#send(attempt, { force: false, body: nothing });
  }
}

function hasOtherWriters(object: KubeObject, manager: string): boolean {
  const { managedFields } = object.metadata as { readonly managedFields?: unknown };
  return (
    Array.isArray(managedFields) && managedFields.some((entry) => isJsonObject(entry) && entry.manager !== manager)
  );
}

/**
 * Adds the given uid and resourceVersion, if any, to a configuration. The server rejects this configuration if the stored object has other
 * values.
 */
function only<T extends KubeObject>(desired: T, of: Partial<KubeObject['metadata']>): T {
  return { ...desired, metadata: { ...desired.metadata, ...of } };
}
