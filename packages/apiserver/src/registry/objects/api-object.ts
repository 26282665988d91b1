import type { ApiObjectMeta } from '../../storage/api-object.js';

export type { OwnerReference } from '@kubewright/api';
export type { JsonObject } from '@kubewright/api/json';
export type { ApiObject, ApiObjectMeta } from '../../storage/api-object.js';

/** A JSON object that code may change, unlike the frozen objects in the store. */
export type JsonDraft = Record<string, unknown>;

/** An ApiObject that code may change, unlike the frozen objects in the store. */
export interface DraftObject {
  apiVersion: string;
  kind: string;
  metadata: DraftMeta;
  [field: string]: unknown;
}

/** The metadata of a DraftObject, with writable fields. */
export type DraftMeta = { -readonly [K in keyof ApiObjectMeta]: ApiObjectMeta[K] };

/** A draft whose metadata the server has not completed yet. Every ApiObject is also an IncomingObject. */
export interface IncomingObject {
  apiVersion: string;
  kind: string;
  metadata: IncomingMeta;
  [field: string]: unknown;
}

/** The metadata of an incoming object. All fields are optional. */
export type IncomingMeta = { [K in keyof DraftMeta]?: DraftMeta[K] | undefined };
