import type { Steps } from '@kubewright/api/apply';
import { messageOf } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { AdmissionRequest } from '../../registry/admission/admission-check.js';
import { completeMutated, decodeMutated, defaultMutated } from '../../registry/decoding/decode-mutated.js';
import { completeDraft } from '../../registry/decoding/go-form.js';
import type { ResourceDefinition } from '../../registry/definitions/resource-definition.js';
import { typeFirst } from '../../registry/definitions/type-first.js';
import type { ApiObject, IncomingObject, JsonDraft, JsonObject } from '../../registry/objects/api-object.js';
import { copyJson, hasNoFields, objectAt } from '../../registry/objects/json-object.js';
import { internalError } from '../../registry/requests/status-errors.js';
import { checkWrittenValues } from '../../storage/value-limit.js';
import { waitFor } from '../../registry/webhooks/wait-for.js';
import { fillDefaults } from '../../registry/writing/update-rules.js';

/** The objects of a request in one version, as policies and webhooks receive them. An object that does not exist is undefined. */
export interface VersionedObjects {
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

/**
 * Returns the objects of a valid request in the given version of the kind, in steps. Does not convert objects that already have this
 * version. Waits if a webhook converts the objects. Throws the error of the conversion if it fails.
 */
export function* validatedObjects(
  { kind, object, old, unreadable, context }: AdmissionRequest,
  version: ResourceDefinition,
): Steps<VersionedObjects> {
  const oldObject = yield* inVersion(old, kind, version);
  const reviewed = yield* inVersion(object, kind, version);
  // An update of the status keeps the metadata of the stored object, so the result does not contain metadata of a wrong type.
  return { object: context.subresource === 'status' ? reviewed : withUnreadable(reviewed, unreadable), oldObject };
}

/**
 * The objects of a request that mutating policies or webhooks change, one after the other. Converts the objects to the version of each
 * policy or webhook, and finally back to the requested version.
 */
export class MutableObjects {
  readonly #request: AdmissionRequest;
  /** The version of the current objects. Undefined before the first policy or webhook. */
  #version: ResourceDefinition | undefined;
  #current: VersionedObjects;
  #isChanged = false;
  #wasReplaced = false;

  constructor(request: AdmissionRequest) {
    this.#request = request;
    this.#current = { object: request.object, oldObject: request.old };
  }

  /** The current objects, for a comparison of their labels. The objects can have any version of the kind. */
  get labeled(): { readonly object: JsonObject | undefined; readonly old: JsonObject | undefined } {
    return { object: this.#current.object, old: this.#current.oldObject };
  }

  /** Returns the objects in a version, in steps. Waits if a webhook converts the objects. Throws 500 if the conversion fails. */
  *in(version: ResourceDefinition): Steps<VersionedObjects> {
    if (this.#version === version || this.#request.operation === 'CONNECT') return this.#current;
    try {
      yield* this.#convertTo(version);
    } catch (error) {
      // kube-apiserver adds the prefix of internal errors twice.
      throw internalError(internalError(messageOf(error)).message);
    }
    yield;
    return this.#current;
  }

  *#convertTo(version: ResourceDefinition): Steps<void> {
    const { kind, object, old, unreadable } = this.#request;
    const oldObject = yield* inVersion(old, kind, version);
    yield* this.writeBack();
    this.#current = {
      object: object === undefined ? undefined : withUnreadable(yield* completed(object, kind, version), unreadable),
      oldObject,
    };
    this.#version = version;
  }

  /**
   * Replaces the object in the current version, in steps. Returns whether the object has changed. Throws 500 if a field of the object does
   * not have the type that the kind declares.
   */
  *replace(changed: JsonDraft): Steps<boolean> {
    if (this.#request.operation === 'CONNECT') return this.#replaceOptions(changed);
    const version = this.#version ?? this.#request.kind;
    const before = this.#current.object;
    const isFirst = !this.#wasReplaced;
    this.#wasReplaced = true;
    this.#isChanged = true;
    if (version.custom) {
      const isSame = deepEqual(changed, before);
      this.#current = { ...this.#current, object: defaultMutated(changed, version) };
      return !isSame;
    }
    const draft = yield* decodeMutated(changed, version);
    const isSame = deepEqual(yield* completed(draft, version, version), before);
    yield* fillDefaults(draft, version, this.#request.context);
    this.#current = { ...this.#current, object: yield* completed(draft, version, version) };
    return !isSame || (isFirst && this.#hasNewManagers());
  }

  /** Replaces the options of a CONNECT request. These options have no defaults, and are not written back. */
  #replaceOptions(changed: JsonDraft): boolean {
    const isSame = deepEqual(changed, this.#current.object);
    this.#current = { ...this.#current, object: changed };
    return !isSame;
  }

  /**
   * Copies the changed fields into the object of the request, in steps. Waits if a webhook converts the object. Throws 413 if the changed
   * object has too many values.
   */
  *writeBack(): Steps<void> {
    const { kind, object, unreadable } = this.#request;
    const { object: changed } = this.#current;
    if (!this.#isChanged || this.#version === undefined || object === undefined || changed === undefined) return;
    this.#isChanged = false;
    const own = copyJson(changed) as JsonDraft;
    const mutated = this.#version.custom
      ? yield* completeMutated(own, this.#version)
      : { draft: own as IncomingObject, unreadable: {} };
    const { draft } = mutated;
    yield;
    const next = this.#version === kind ? draft : ((yield* inVersion(draft, this.#version, kind)) as IncomingObject);
    // `replace` has already counted the values of a built-in object.
    if (this.#version.custom) checkWrittenValues(next);
    overwrite(object, copyJson(next));
    if (unreadable === undefined) return;
    for (const field of Object.keys(unreadable)) delete unreadable[field];
    Object.assign(unreadable, mutated.unreadable);
  }

  /**
   * Whether the request has changed managedFields. In kube-apiserver, new times in managedFields have fractions of seconds. The first patch
   * of a built-in object removes the fractions, so kube-apiserver considers the object changed.
   */
  #hasNewManagers(): boolean {
    const { object, old } = this.#request;
    const managers = object?.metadata.managedFields ?? [];
    return managers.length > 0 && !deepEqual(managers, old?.metadata.managedFields ?? []);
  }
}

/**
 * Returns the object with the metadata fields that the client sent with a wrong type. If the server has set such a field in the meantime,
 * the field keeps the value of the server.
 */
function withUnreadable<T extends JsonObject | undefined>(object: T, unreadable: JsonDraft = {}): T {
  if (object === undefined || hasNoFields(unreadable)) return object;
  return { ...object, metadata: { ...copyJson(unreadable), ...objectAt(object, 'metadata') } };
}

/** Returns a copy of the stored form of a draft, converted to another version. */
function* completed(draft: IncomingObject, from: ResourceDefinition, to: ResourceDefinition): Steps<JsonDraft> {
  const copy = copyJson(draft);
  completeDraft(copy, from);
  return typeFirst(yield* converted(copy as ApiObject, from, to), to) as JsonDraft;
}

function* inVersion(
  object: IncomingObject | undefined,
  from: ResourceDefinition,
  to: ResourceDefinition,
): Steps<JsonObject | undefined> {
  return object === undefined || from === to ? object : yield* converted(copyJson(object) as ApiObject, from, to);
}

function* converted(object: ApiObject, from: ResourceDefinition, to: ResourceDefinition): Steps<ApiObject> {
  const { conversion } = from;
  if (from === to) return object;
  if (conversion === undefined) return to.fromStored(from.toStored(object));
  return yield* waitFor(() => conversion.convert(object, to.apiVersion));
}

/** Replaces all fields of an object. The object and its metadata keep their identity. */
function overwrite(object: IncomingObject, next: IncomingObject): void {
  const { metadata } = object;
  for (const field of Object.keys(object)) delete object[field];
  for (const field of Object.keys(metadata)) delete metadata[field as keyof typeof metadata];
  Object.assign(object, next, { metadata: Object.assign(metadata, next.metadata) });
}
