import type { Steps } from '@kubewright/api/apply';
import type { Clock } from '@kubewright/api/clock';
import type { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import type { PreparedUpdate } from './prepared-update.js';
import type { RequestContext } from '../requests/request-context.js';
import type { ResourceDefinition } from '../definitions/resource-definition.js';
import type { WebhookClient } from '../webhooks/webhook-client.js';
import type { ListOptions, ListResult, ResourceKey } from '../requests/verb-options.js';

/** Reads a built-in resource and prepares updates of its objects, without writing to the store. `Resource` implements this interface. */
export interface BuiltInResource {
  readonly definition: ResourceDefinition;
  /** Returns the object, or undefined if the object does not exist. */
  find(key: ResourceKey): ApiObject | undefined;
  list(options?: ListOptions): ListResult;
  /** Validates and completes an update in steps, but does not write the update. Throws 404 if the object does not exist. */
  prepareUpdateSteps(
    key: ResourceKey,
    updater: (live: ApiObject) => unknown,
    context: RequestContext,
  ): Steps<PreparedUpdate>;
}

/** The served resources, for the implementation of the verbs and for the admission checks. `Registry` implements this interface. */
export interface ServedResources {
  readonly store: Store;
  readonly clock: Clock;
  /** The client that calls admission webhooks and conversion webhooks. */
  readonly webhooks: WebhookClient;
  /** Returns the definition of a resource, or undefined if the server does not serve the resource. */
  find(group: string, version: string, plural: string): ResourceDefinition | undefined;
  /** Returns the definition of a kind, or undefined if the server does not serve the kind. */
  findKind(apiVersion: string, kind: string): ResourceDefinition | undefined;
  /** Returns the definitions of all served versions of a resource. */
  versionsOf(definition: ResourceDefinition): readonly ResourceDefinition[];
  /**
   * Returns the given definition and all other definitions with the same stored objects: all served versions of the resource, and the
   * Events of both API groups.
   */
  inBucketOf(definition: ResourceDefinition): readonly ResourceDefinition[];
  /** Returns the built-in resource with the path `group/version/plural`. Throws a RangeError if no built-in resource has this path. */
  builtIn(path: `${string}/${string}/${string}`): BuiltInResource;
  /** Updates the served resources after the server has written `object`. */
  wrote(definition: ResourceDefinition, object: ApiObject): void;
  /** Updates the served resources after the server has removed `object`. */
  removed(definition: ResourceDefinition, object: ApiObject): void;
}
