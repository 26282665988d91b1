import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, DraftObject } from './json-object.js';
import type { PreparedUpdate } from './prepared-update.js';
import type { Registry } from './registry.js';
import type { RequestContext } from './request-context.js';
import type { ResourceDefinition } from './resource-definition.js';
import type { ResourceKey } from './verb-options.js';

/** A write on its way to the registry, decoded and complete, before it is validated. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly definition: ResourceDefinition;
  readonly key: ResourceKey;
  /** The new object; undefined for DELETE. A check may write to it. */
  readonly object: DraftObject | undefined;
  /** The object as it is; undefined for CREATE. */
  readonly old: ApiObject | undefined;
  readonly context: RequestContext;
  readonly registry: Registry;
}

/** Lets a write pass, completes it, or throws the ApiError that refuses it. */
export type AdmissionCheck = (request: AdmissionRequest) => void;

/** Prepares the updates of the objects that count a valid write, such as quotas. Throws the ApiError that refuses the write. */
export type Charge = (request: AdmissionRequest) => Steps<readonly PreparedUpdate[]>;
