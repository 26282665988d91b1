import type { SchemaOf } from '@kubewright/api/apply';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { CustomRules } from './custom/custom-rules.js';
import type { GoShapes } from './decoding/go-shapes.js';
import type { GoTypes } from './decoding/go-types.js';
import type { ApiObject, JsonObject } from './json-object.js';
import type { Strategy } from './strategy.js';
import type { TableColumn } from './table-column.js';

/** A subresource as discovery lists it. */
export interface SubresourceDefinition {
  readonly name: string;
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly verbs: readonly string[];
}

/** Where the scale subresource of a kind finds its numbers; JSON paths such as '.spec.replicas'. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** One resource in one version: what discovery, OpenAPI, tables and the verbs need to know of it. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  /** 'v1', 'apps/v1'. */
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
  /** The resolved schema of a whole object; built-ins parse it when first asked for. */
  readonly schema: StructuralSchema;
  readonly columns: readonly TableColumn[];
  readonly strategy: Strategy;
  /** 'group/plural' of the version in which objects are stored; the same for all versions of a resource. */
  readonly storageBucket: string;
  readonly selectableFields: readonly string[];
  /** How the server's own program declares the types of built-in kinds; custom ones have none. */
  readonly goTypes?: GoTypes;
  /** The form in which that program writes the objects of a built-in kind. */
  readonly goShapes?: GoShapes;
  /** Set for resources that a CustomResourceDefinition made. */
  readonly custom?: true;
  /** The schemas of all versions of such a resource, served or not. */
  readonly schemaOf?: SchemaOf;
  /** What the schema of such a resource and the rules in it say of its objects. */
  readonly customRules?: CustomRules;
  /** Of a custom resource: the same until what it is served from changes, and as long as that its watches go on. */
  readonly era?: object;
  /** The definition of the resource is being deleted: nothing new is let in, which discovery tells. */
  readonly terminating?: true;
  /** The version is served, but its use is warned about with this sentence. */
  readonly deprecationWarning?: string | undefined;
  /** An object of this version as it is stored. The same reference when nothing changes. */
  readonly toStored: (object: JsonObject) => JsonObject;
  /** A stored object in this version. The same reference when nothing changes. */
  readonly fromStored: (stored: ApiObject) => ApiObject;
}
