/** The operation of an admission request. `connect` is a request such as `kubectl exec`. */
export type AdmissionOperation = 'create' | 'update' | 'delete' | 'connect';

/** The user who sent a request to the API server. */
export interface AdmissionUser {
  readonly name: string;
  /** Undefined if the authenticator of the API server does not provide a UID. */
  readonly uid: string | undefined;
  readonly groups: readonly string[];
  /** Additional information from the authenticator; an empty map if the authenticator provides no information. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** The admission request that a webhook handles: the user, the operation, and the name of the object. */
export interface AdmissionContext {
  /** The UID of the admission request. Each call of a webhook has a different UID. */
  readonly uid: string;
  readonly user: AdmissionUser;
  readonly operation: AdmissionOperation;
  /** Whether the request is a dry run. A handler must not have side effects in a dry run. */
  readonly dryRun: boolean;
  /** The name of the object. Empty on create if the object has only a `generateName`. */
  readonly name: string;
  /** The namespace of the request. Undefined for a cluster-scoped kind. */
  readonly namespace: string | undefined;
  /** The subresource, such as 'status' or 'eviction'. Undefined for a request to the object itself. */
  readonly subresource: string | undefined;
  /** The options of the request, such as `CreateOptions` or `DeleteOptions`. Undefined if the request has none. */
  readonly options: Readonly<Record<string, unknown>> | undefined;
  /** Aborted if the API server no longer waits for the response, for example because of the timeout of the webhook. */
  readonly signal: AbortSignal;
  /**
   * Adds a warning to the response, also if the request is rejected. kubectl prints the warning. The API server shortens warnings of more
   * than 256 characters.
   *
   * @example
   * context.warn('spec.schedule: "@yearly" runs on 1 January; use "0 0 1 1 *" to be explicit');
   */
  readonly warn: (message: string) => void;
}
