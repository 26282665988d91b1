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
   * The definition of the kind of `object` and `old`. It differs from `definition` for a subresource with its own kind, such as a Scale.
   */
  readonly kind: ResourceDefinition;
  /** The key of the object. Before a name is generated, the name is the generateName. */
  readonly key: ResourceKey;
  /** The name that reviews contain: '' before a name is generated, and for each object of a deleted collection. */
  readonly name: string;
  /** The new object; undefined for DELETE. A check or a mutator may change the object. */
  readonly object: IncomingObject | undefined;
  /** The current object; undefined for CREATE and CONNECT. */
  readonly old: ApiObject | undefined;
  /**
   * The metadata of a custom object that mutating policies or webhooks have set to values of a wrong type. `object` does not contain this
   * metadata. Later policies and webhooks receive it, but it is not stored. @default none
   */
  readonly unreadable?: JsonDraft;
  readonly context: RequestContext;
  readonly registry: ServedResources;
}

/** Accepts a write and may complete the object. Throws an ApiError to refuse the write. */
export type AdmissionCheck = (request: AdmissionRequest) => void;

/**
 * Begins the review of a write by mutating policies or by mutating webhooks. Each write has a review of its own, which can remember the
 * policies or webhooks of the first round. Returns undefined if nothing reviews the write.
 */
export type Mutator = (request: AdmissionRequest) => Mutation | undefined;

/**
 * Changes the object of the request in steps. Throws an ApiError to refuse the write.
 * @param isAgain whether this is the second round, in which only policies and webhooks run whose `reinvocationPolicy` is `IfNeeded`
 * @returns whether the object has changed, so that the first round is followed by a second round
 */
export type Mutation = (isAgain: boolean) => Steps<boolean>;

/** Reviews a valid and complete write in steps. Does not change the object. Throws an ApiError to refuse the write. */
export type Validator = (request: AdmissionRequest) => Steps<void>;

/** Prepares the updates of the objects that count a valid write, such as quotas. Throws an ApiError to refuse the write. */
export type Charge = (request: AdmissionRequest) => Steps<readonly PreparedUpdate[]>;
