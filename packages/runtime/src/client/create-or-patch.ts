import { deepFreeze, type Draft, type KubeObject, mutable, type WholeObject } from '@kubewright/api';
import { KubewrightError } from '@kubewright/api/errors';
import { deepEqual } from '@kubewright/api/patch';
import type { Client } from './client.js';
import type { CreateOptions, CreateOrPatchOptions, PatchOptions } from './options/client-options.js';
import type { CreatedOrPatched } from './writes/created-or-patched.js';
import { withoutUndefined } from './requests/json-value.js';
import { describe } from './requests/target.js';

export interface CreateOrPatchRequest<T extends WholeObject> {
  /** The object with its namespace. */
  readonly object: T;
  readonly edit: (draft: Draft<T>) => void;
  readonly options: CreateOrPatchOptions;
  /** The existing object. Undefined if the object does not exist. */
  readonly present: T | undefined;
  /** Whether the call is a dry run. In a dry run, the server does not store a new object, so the status of the object cannot be written. */
  readonly isDryRun: boolean;
  /** Adds the controller reference of the owner to an object. */
  readonly owned: (object: T) => T;
}

/** Creates the object, or patches the existing object with the edit. Rejects with KEY_CHANGED if the edit changes the key or the kind. */
export function createOrPatch<T extends WholeObject>(
  client: Client,
  request: CreateOrPatchRequest<T>,
): Promise<CreatedOrPatched<T>> {
  const { present } = request;
  return present === undefined ? create(client, request) : patch(client, request, present);
}

async function create<T extends WholeObject>(
  client: Client,
  { object, edit, options, isDryRun }: CreateOrPatchRequest<T>,
): Promise<CreatedOrPatched<T>> {
  const desired = withoutUndefined(edited(object, edit));
  const made = await client.create(desired, options satisfies CreateOptions);
  const outcome = 'created';
  if (isDryRun || statusOf(desired) === undefined || deepEqual(statusOf(desired), statusOf(made)))
    return { object: made, outcome };
  return { object: await client.patchStatus(made, becoming(statusOf(desired)), options), outcome };
}

async function patch<T extends WholeObject>(
  client: Client,
  { edit, options, owned }: CreateOrPatchRequest<T>,
  present: T,
): Promise<CreatedOrPatched<T>> {
  const desired = withoutUndefined(owned(edited(present, edit)));
  const patched = await client.patch(present, becoming(desired), options satisfies PatchOptions);
  const isSent = patched !== present;
  if (deepEqual(statusOf(desired) ?? {}, statusOf(present) ?? {}))
    return { object: patched, outcome: isSent ? 'updated' : 'unchanged' };
  // If another client changed the status since the read, the status patch uses the resourceVersion of the read. A patch that contains a
  // list then fails with a conflict instead of overwriting the other change.
  const { resourceVersion } = (deepEqual(statusOf(patched), statusOf(present)) ? patched : present).metadata;
  const base = deepFreeze({
    ...patched,
    status: statusOf(present),
    metadata: { ...patched.metadata, resourceVersion },
  });
  const object = await client.patchStatus(base, becoming(statusOf(desired)), options);
  if (object === base) return { object: patched, outcome: isSent ? 'updated' : 'unchanged' };
  return { object, outcome: isSent ? 'updatedStatus' : 'updatedStatusOnly' };
}

/** Returns a copy of the object with the edits. Throws KEY_CHANGED if the edit changes name, namespace, kind or apiVersion. */
function edited<T extends KubeObject>(object: T, edit: (draft: Draft<T>) => void): T {
  const draft = mutable(object);
  edit(draft);
  const now = draft as unknown as KubeObject;
  const isSame =
    now.metadata.name === object.metadata.name &&
    now.metadata.namespace === object.metadata.namespace &&
    now.kind === object.kind &&
    now.apiVersion === object.apiVersion;
  if (isSame) return draft as unknown as T;
  throw new KubewrightError(
    'KEY_CHANGED',
    `cannot create or patch ${describe(object.kind, object.metadata)}: the edit function changed the object to ${describe(now.kind, now.metadata)}; it must not change apiVersion, kind, name or namespace`,
  );
}

/** Returns an edit function that replaces all fields of a draft with the desired value. */
function becoming(desired: unknown): (draft: object) => void {
  return (draft) => {
    for (const name of Object.keys(draft)) delete (draft as Record<string, unknown>)[name];
    Object.assign(draft, desired);
  };
}

function statusOf(object: KubeObject): unknown {
  return (object as KubeObject & { readonly status?: unknown }).status;
}
