import type { SchemaOf } from '@kubewright/api/apply';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { CustomRules } from '../custom-validation/custom-rules.js';
import type { GoShapes } from '../cluster-data/go-shapes.js';
import type { GoTypes } from '../cluster-data/go-types.js';
import type { ApiObject } from '../objects/api-object.js';
import type { Strategy } from './strategy.js';
import type { VersionConversion } from './version-conversion.js';
import type { TableColumn } from '../cluster-data/table-column.js';

/** A subresource in discovery. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** The paths that the scale subresource of a kind reads and writes. The values are JSON paths such as '.spec.replicas'. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The definition of one resource in one version, for discovery, OpenAPI, tables and the verbs. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  /** Group and version, such as 'v1' or 'apps/v1'. */
  readonly apiVersion: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: ReadonlyMap<string, SubresourceDefinition>;
  readonly scale?: ScalePaths;
  /** The resolved schema of a whole object. Built-in kinds parse the schema on first use. */
  readonly schema: StructuralSchema;
  readonly columns: readonly TableColumn[];
  readonly strategy: Strategy;
  /**
   * The bucket in which the store keeps the objects, such as 'apps/deployments'. All versions of a resource have the same bucket, and the
   * Events of both API groups share '/events'.
   */
  readonly storageBucket: string;
  readonly selectableFields: readonly string[];
  /** The Go types of built-in kinds. Undefined for custom resources. */
  readonly goTypes?: GoTypes;
  /** The form in which kube-apiserver writes objects of a built-in kind. Undefined for custom resources. */
  readonly goShapes?: GoShapes;
  /** Set for resources of a CustomResourceDefinition. */
  readonly custom?: true;
  /** For a custom resource: returns the schema of a version by its apiVersion, including versions that are not served. */
  readonly schemaOf?: SchemaOf;
  /** The validation of custom objects by the schema and its CEL rules. */
  readonly customRules?: CustomRules;
  /** For a custom resource: an object that is replaced when the definition of the resource changes. Watches end when the era changes. */
  readonly era?: object;
  /**
   * Set while the CustomResourceDefinition is being deleted. The server then refuses new objects, and discovery omits the verbs `create`,
   * `update` and `patch`.
   */
  readonly terminating?: true;
  /** The warning for each use of a deprecated version. */
  readonly deprecationWarning?: string | undefined;
  /** Converts an object of this version to its stored form. Returns the same reference if nothing changes. */
  readonly toStored: (object: ApiObject) => ApiObject;
  /** Converts a stored object to this version. Returns the same reference if nothing changes. */
  readonly fromStored: (stored: ApiObject) => ApiObject;
  /**
   * Set for a custom resource that a webhook converts. Writes then use `conversion.toStored` instead of `toStored`, and `fromStored` throws
   * an ApiError for an object that is not converted yet.
   */
  readonly conversion?: VersionConversion;
  /**
   * Set together with `conversion`. Returns a definition that reads and writes objects as they are stored in the given apiVersion, without
   * webhook calls. The server uses this definition when it changes only the metadata of an object.
   */
  readonly asStored?: (apiVersion: string) => ResourceDefinition;
}
