import type { Steps } from '@kubewright/api/apply';
import type { ApiObject, IncomingObject, JsonDraft } from '../objects/api-object.js';
import type { PreparedUpdate } from './prepared-update.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { ServedResources } from './served-resources.js';
import type { ResourceKey } from '../requests/verb-options.js';

/** A decoded write, or a request to connect to an object. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  /** The resource in the path of the request. */
  readonly definition: ResourceDefinition;
  /**
   * The definition of the kind of `object` and `old`. This definition differs from `definition` for a subresource with its own kind, such
   * as a Scale.
   */
  readonly kind: ResourceDefinition;
  /** The key of the object. Until the server generates a name, the key contains the generateName instead of the name. */
  readonly key: ResourceKey;
  /** The name in reviews. Empty until the server generates a name, and for each object that a DELETE of a collection selects. */
  readonly name: string;
  /** The new object, or the options of a CONNECT; undefined for DELETE. A check or a mutator may change the object. */
  readonly object: IncomingObject | undefined;
  /** The current object; undefined for CREATE and CONNECT. */
  readonly old: ApiObject | undefined;
  /**
   * The metadata fields of a custom object to which mutating policies or webhooks have assigned values of a wrong type. `object` does not
   * contain these fields. Later policies and webhooks receive these fields, but the server does not store them. @default none
   */
  readonly unreadable?: JsonDraft;
  readonly context: RequestContext;
  readonly registry: ServedResources;
}

/** Accepts a write and may complete the object. Throws an ApiError to refuse the write. */
export type AdmissionCheck = (request: AdmissionRequest) => void;

/**
 * Begins the review of a write by mutating policies or by mutating webhooks. Returns a new review for each write, because a review records
 * the policies or webhooks of its first round. Returns undefined if no policy or webhook reviews the write.
 */
export type Mutator = (request: AdmissionRequest) => Mutation | undefined;

/**
 * Changes the object of the request in steps. Throws an ApiError to refuse the write.
 * @param isAgain whether this is the second round. The second round runs only policies and webhooks with the reinvocationPolicy `IfNeeded`
 * @returns whether the object has changed. If a first round changes the object, a second round follows
 */
export type Mutation = (isAgain: boolean) => Steps<boolean>;

/** Reviews a valid and complete write in steps. Does not change the object. Throws an ApiError to refuse the write. */
export type Validator = (request: AdmissionRequest) => Steps<void>;

/** Prepares the status updates of the ResourceQuotas that count a valid write. Throws an ApiError to refuse the write. */
export type Charge = (request: AdmissionRequest) => Steps<readonly PreparedUpdate[]>;
