import { createHash } from 'node:crypto';
import type { KubeObject } from '@kubewright/api';
import { stringifyJson } from '@kubewright/api/json';
import { isJsonObject, type JsonObject } from '@kubewright/api/json';
import { withoutUndefined } from '../requests/json-value.js';
import { APPLIED_ANNOTATION_PREFIX, SET_ANNOTATION } from '../owners/owner-label.js';
import { ownedBy } from '../owners/owner-reference.js';
import type { Target } from '../requests/target.js';

/** The metadata fields that only the server writes. */
export const SERVER_METADATA: readonly string[] = [
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'generation',
  'managedFields',
  'selfLink',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
];

export interface Configuration {
  readonly target: Target;
  readonly controller: string;
  readonly fieldManager: string;
  readonly owner?: KubeObject | undefined;
  readonly set?: string | undefined;
}

/**
 * Returns the configuration that a server-side apply sends. Omits the status and the metadata that only the server writes. If an owner is
 * given, adds the owner label and the owner reference. If a set is given, adds an annotation with its name. Also adds an annotation with a
 * digest of the configuration. If the stored object has the same digest, the previous apply sent the same configuration.
 */
export function appliedConfiguration<T extends KubeObject>(object: T, configuration: Configuration): T {
  const { target, controller, fieldManager, owner, set } = configuration;
  const { status: _status, ...desired } = withoutUndefined(object) as T & { readonly status?: unknown };
  const metadata: Record<string, unknown> = { ...(desired.metadata as object) };
  for (const name of SERVER_METADATA) delete metadata[name];
  if (!target.info.namespaced) delete metadata.namespace;
  if (set !== undefined)
    metadata.annotations = { ...(metadata.annotations as object | undefined), [SET_ANNOTATION]: set };
  const plain = withoutStringData({ ...desired, metadata } as unknown as T);
  const owned = owner === undefined ? plain : ownedBy(plain, owner, { target, controller });
  const annotations = { ...owned.metadata.annotations, [appliedAnnotation(fieldManager)]: digestOf(owned) };
  return { ...owned, metadata: { ...owned.metadata, annotations } };
}

/** Returns the name of the annotation in which a field manager stores the digest of the applied configuration. */
export function appliedAnnotation(fieldManager: string): string {
  return (
    APPLIED_ANNOTATION_PREFIX +
    fieldManager
      .replace(/[^A-Za-z0-9_.-]/g, '-')
      .slice(0, 63)
      .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '')
  );
}

/**
 * Converts the `stringData` of a Secret to `data`, as the server does. The server does not store `stringData`, so the client could not
 * compare `stringData` with the stored object, and a later apply could not remove the keys.
 */
function withoutStringData<T extends KubeObject>(object: T): T {
  const { stringData, data, ...rest } = object as T & { readonly stringData?: unknown; readonly data?: JsonObject };
  if (object.kind !== 'Secret' || object.apiVersion !== 'v1' || !isJsonObject(stringData)) return object;
  const encoded = Object.entries(stringData).map(([key, text]) => [key, Buffer.from(String(text)).toString('base64')]);
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as unknown as T;
}

function digestOf(value: unknown): string {
  return createHash('sha256')
    .update(stringifyJson(sorted(value)))
    .digest('base64url')
    .slice(0, 22);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).toSorted();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name])]));
}
