import type { Steps } from '@kubewright/api/apply';
import type { FieldError } from '@kubewright/api/schema';
import type { ApiObject, DraftObject } from './json-object.js';
import type { RequestContext } from './request-context.js';

/** How long a deletion takes: `undefined` removes the object at once, a number keeps it for so many seconds. */
export type GracefulDeletion = (object: ApiObject, requestedSeconds: number | undefined) => number | undefined;

/**
 * What one kind does in its own way. Functions given a draft write to it; the rest are pure. The rules that all kinds
 * have in common (metadata, schema, status, generation) are those of Resource and run around these.
 */
export interface Strategy {
  /** Fills what the kind's real server fills, beyond the defaults of the schema. */
  readonly defaults: (draft: DraftObject) => void;
  /** Sets what only the server may set on a new object. */
  readonly prepareForCreate: (draft: DraftObject, context: RequestContext) => void;
  /** Restores what an update may not change silently. */
  readonly prepareForUpdate: (draft: DraftObject, old: ApiObject, context: RequestContext) => void;
  /** The same for an update through the status subresource. */
  readonly prepareForStatusUpdate: (draft: DraftObject, old: ApiObject, context: RequestContext) => void;
  readonly validate: (object: ApiObject) => readonly FieldError[];
  /** `subresource` is the one that the update came through, if it was one of the kind's own. */
  readonly validateUpdate: (next: ApiObject, old: ApiObject, subresource?: string) => readonly FieldError[];
  readonly validateStatusUpdate: (next: ApiObject, old: ApiObject) => readonly FieldError[];
  /** Does the same as `validate`, or as `validateUpdate` if there is an old object, in steps. @default one step */
  readonly validateSteps?: (object: ApiObject, old: ApiObject | undefined) => Steps<readonly FieldError[]>;
  /**
   * The kind's own rules say all: the schema finds nothing that `validate` does not, and for an update `validateUpdate`
   * calls `validate` where the kind does. @default the schema and `validate` are asked first, then `validateUpdate`
   */
  readonly ownRules?: true;
  /** Sentences about a valid object that are better known, for `Warning` headers; `old` is undefined for a new one. */
  readonly warnings?: (object: ApiObject, old: ApiObject | undefined) => readonly string[];
  /** The cells of the object's table row, one a column of the definition. */
  readonly cells: (object: ApiObject, now: Date) => readonly unknown[];
  /** Fields that field selectors may name, beside metadata.name and metadata.namespace. */
  readonly selectableFields: readonly string[];
  /** The value of a selectable field, '' when unset. */
  readonly selectableField: (object: ApiObject, field: string) => string;
  /** The text for a field that selectors may not name. @default the one of most kinds */
  readonly unsupportedField?: (field: string) => string;
  readonly gracefulDeletion?: GracefulDeletion;
  /** Whether something beside finalizers keeps an object that is being deleted. */
  readonly holdsDeletion?: (object: ApiObject) => boolean;
  /** What marking an object for deletion changes besides, such as the phase of a namespace. */
  readonly prepareForDeletion?: (draft: DraftObject) => void;
  /** Whether an update may come without a resourceVersion. */
  readonly allowUnconditionalUpdate: boolean;
  /** Whether a PUT to a name that is free creates the object. */
  readonly allowCreateOnUpdate: boolean;
  /** Whether the status of a kind with a status subresource is dropped on create and kept on update. */
  readonly resetsStatus: boolean;
  /** Whether the server counts generations of the kind. */
  readonly tracksGeneration: boolean;
  /** The kind is served, but its use is warned about with this sentence. */
  readonly deprecation?: string;
  /** The rule of the kind's names, as sentences. @default a DNS subdomain */
  readonly nameErrors?: (name: string) => readonly string[];
}
