import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, IncomingObject } from '../objects/api-object.js';
import type { PreparedUpdate } from './prepared-update.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { ServedResources } from './served-resources.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** A decoded and completed write, before the registry validates the object. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly definition: ResourceDefinition;
  readonly key: ResourceKey;
  /** The new object; undefined for DELETE. A check may change the object. */
  readonly object: IncomingObject | undefined;
  /** The current object; undefined for CREATE. */
  readonly old: ApiObject | undefined;
  readonly context: RequestContext;
  readonly registry: ServedResources;
}

/** Accepts a write and may complete the object. Throws an ApiError to refuse the write. */
export type AdmissionCheck = (request: AdmissionRequest) => void;

/** Prepares the updates of the objects that count a valid write, such as quotas. Throws an ApiError to refuse the write. */
export type Charge = (request: AdmissionRequest) => Steps<readonly PreparedUpdate[]>;
