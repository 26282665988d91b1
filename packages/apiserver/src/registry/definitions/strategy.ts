import type { Steps } from '@kubewright/api/apply';
import type { FieldError } from '@kubewright/api/schema';
import type { ApiObject, DraftObject, IncomingObject, JsonObject } from '../objects/api-object.js';
import type { QuotaRules } from '../quota/quota-rules.js';
import type { RequestContext } from '../requests/request-context.js';

/**
 * Returns the grace period of a deletion in seconds, or undefined if no grace period applies. `requestedSeconds` is the value in the
 * request.
 */
export type GracefulDeletion = (object: ApiObject, requestedSeconds: number | undefined) => number | undefined;

/** The metadata rules in which a kind differs from most kinds. */
export interface MetadataRules {
  /** Whether an update also runs the rules for new objects. Each error of the metadata then occurs more than once. */
  readonly validatesAgain?: true;
  /** The writes for which only the common rules validate the metadata. @default none */
  readonly onlyCommon?: 'all' | 'status';
  /** Whether the kind accepts any finalizer name. */
  readonly anyFinalizer?: true;
  /** The metadata that an update of the status subresource does not change. @default none */
  readonly preservedByStatus?: 'all' | 'labels';
}

/** The deletion rules in which a kind differs from most kinds. */
export interface DeletionRules {
  /** Whether a delete returns the object instead of a Status. */
  readonly returnsObject?: true;
  /** Whether a delete orphans the dependents by default, as for kinds that are older than the garbage collector. */
  readonly orphans?: true;
  /**
   * Whether a delete sets the deletionTimestamp before all checks. The error texts for preconditions then differ from the texts of most
   * kinds.
   */
  readonly setsDeletionTimestampFirst?: true;
  /** The warning for a delete without a propagation policy. */
  readonly warning?: string;
}

/** The context of an update. */
export interface UpdateContext extends RequestContext {
  /** The time of the server's clock. */
  readonly now: Date;
}

/**
 * The behavior of one kind. Functions with a draft parameter change the draft; the other functions are pure. The class `Resource` applies
 * the common rules for metadata, schema, status and generation.
 */
export interface Strategy {
  /** Sets the defaults that kube-apiserver sets in addition to the defaults of the schema. */
  readonly defaults: (draft: IncomingObject) => void;
  /**
   * Sets the defaults of the status that `prepareForCreate` does not set. kube-apiserver sets these defaults when it reads the stored
   * object, so validating webhooks of a create receive the status without these defaults. @default no defaults
   */
  readonly statusDefaults?: (draft: DraftObject) => void;
  /** Sets the fields that only the server sets on a new object. */
  readonly prepareForCreate: (draft: DraftObject, context: RequestContext) => void;
  /** Restores the fields that an update cannot change. The server ignores changes of these fields instead of reporting an error. */
  readonly prepareForUpdate: (draft: DraftObject, old: ApiObject, context: UpdateContext) => void;
  /** Restores the fields that an update of the status subresource cannot change, in the same way as `prepareForUpdate`. */
  readonly prepareForStatusUpdate: (draft: DraftObject, old: ApiObject, context: UpdateContext) => void;
  /**
   * Releases the values, such as cluster IPs, that a write claimed for the object with this uid. Called when a write ends, also after an
   * error.
   */
  readonly release?: (uid: string) => void;
  readonly validate: (object: ApiObject) => readonly FieldError[];
  /** Returns the errors of an update. `subresource` is passed only to kinds with `ownRules`. */
  readonly validateUpdate: (next: ApiObject, old: ApiObject, subresource?: string) => readonly FieldError[];
  readonly validateStatusUpdate: (next: ApiObject, old: ApiObject) => readonly FieldError[];
  /** Validates a new object like `validate`, or an update like `validateUpdate`, in steps. @default one step */
  readonly validateSteps?: (object: ApiObject, old: ApiObject | undefined) => Steps<readonly FieldError[]>;
  /**
   * Whether the rules of the kind replace the schema validation. An update then runs only `validateUpdate`, which must include the rules of
   * `validate` that apply to updates. @default the schema and `validate` run first, then `validateUpdate`
   */
  readonly ownRules?: true;
  /** Returns sentences for `Warning` headers about a valid object. `old` is undefined for a new object. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined) => readonly string[];
  /** Returns the table row of the object, with one cell for each column of the definition. */
  readonly cells: (object: ApiObject, now: Date) => readonly unknown[];
  /** The fields that field selectors support in addition to metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** Returns the value of a selectable field, or '' if the field is unset. */
  readonly selectableField: (object: ApiObject, field: string) => string;
  /** Returns the error text for an unsupported field in a selector. @default the text of most kinds */
  readonly unsupportedField?: (field: string) => string;
  readonly metadataRules?: MetadataRules;
  readonly deletionRules?: DeletionRules;
  readonly gracefulDeletion?: GracefulDeletion;
  /** Whether the kind delays the removal of an object even if the object has no finalizers. */
  readonly holdsDeletion?: (object: ApiObject) => boolean;
  /** Changes other fields, such as the phase of a Namespace, when an object gets its deletionTimestamp. */
  readonly prepareForDeletion?: (draft: DraftObject) => void;
  /** Whether an update can omit the resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether a PUT creates the object if the object does not exist. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether create drops the status and update keeps the stored status, for a kind with a status subresource. */
  readonly resetsStatus: boolean;
  /** Whether the server maintains metadata.generation for the kind. */
  readonly tracksGeneration: boolean;
  /** The finalizers of an object that a new cluster contains. @default none */
  readonly initialFinalizers?: readonly string[];
  /** Returns the status of an object that a new cluster contains. @default no status */
  readonly initialStatus?: (object: JsonObject, now: string) => JsonObject;
  /** How quotas count the objects of the kind. @default only by `count/<resource>` */
  readonly quotaRules?: QuotaRules;
  /**
   * The finalizer that the server adds to each new object of the kind. The finalizer protects the object while other objects use it.
   * @default none
   */
  readonly protectionFinalizer?: string;
  /** The version in which kube-apiserver stores the objects, if this version is older than the served version. */
  readonly storedVersion?: string;
  /** The folder in which kube-apiserver stores the objects. Errors about conflicts contain this folder. @default the plural name */
  readonly storageFolder?: string;
  /** The fields of a bookmark object that differ from the zero values of the Go type. @default none */
  readonly zeroFields?: { readonly annotations?: object; readonly spec?: object };
  /** The warning for each use of a deprecated kind. */
  readonly deprecation?: string;
  /** Returns the error texts of an object name. @default the rule of DNS subdomains */
  readonly nameErrors?: (name: string) => readonly string[];
}

/**
 * Runs the steps of a write, and then releases the values that the strategy claimed for the object with this metadata, also after an error.
 * The caller must write in the same turn of the event loop, so that no other request can claim these values in between.
 */
export function releasing<T>(
  { release }: Strategy,
  metadata: { readonly uid?: string | undefined },
  steps: Steps<T>,
): Steps<T> {
  return release === undefined ? steps : stepsWithEnd(steps, () => release(metadata.uid ?? ''));
}

function* stepsWithEnd<T>(steps: Steps<T>, end: () => void): Steps<T> {
  try {
    return yield* steps;
  } finally {
    end();
  }
}
