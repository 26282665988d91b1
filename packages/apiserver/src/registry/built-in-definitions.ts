import type { StructuralSchema } from '@kubewright/api/schema';
import type { Store } from '../storage/store.js';
import type { ClusterData, DiscoveredResource, Tables } from './cluster-data/cluster-data.js';
import { GoShapes } from './cluster-data/go-shapes.js';
import { GoTypes } from './cluster-data/go-types.js';
import type { ResourceDefinition, ScalePaths, SubresourceDefinition } from './definitions/resource-definition.js';
import type { TableColumn } from './cluster-data/table-column.js';
import type { Strategy } from './definitions/strategy.js';
import { conversionOf } from './strategies/conversions.js';
import { strategyOf } from './definitions/default-strategy.js';
import { ownStrategy, usesStore } from './strategies/strategies.js';

/** The subresources that the server serves. These are all subresources of kube-apiserver. */
const servedSubresources: ReadonlySet<string> = new Set([
  'status',
  'scale',
  'finalize',
  'approval',
  'token',
  'binding',
  'eviction',
  'ephemeralcontainers',
  'resize',
  'log',
  'exec',
  'attach',
  'portforward',
  'proxy',
]);

const workloadScale: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

const description: Readonly<Record<string, string>> = {
  name: 'Name must be unique within a namespace.',
};

/**
 * The data that all servers of this process with the same version of Kubernetes share: the Go types, the Go shapes, and the definitions
 * that do not depend on a store. The first server creates this data.
 */
class SharedDefinitions {
  readonly data: ClusterData;
  readonly goTypes: GoTypes;
  readonly goShapes: GoShapes;
  /** The definitions by path, without the definitions whose strategy uses the store of a server. */
  readonly made = new Map<string, ResourceDefinition>();

  constructor(data: ClusterData) {
    this.data = data;
    this.goTypes = new GoTypes(data);
    this.goShapes = new GoShapes(this.goTypes);
  }
}

const allShared = new WeakMap<ClusterData, SharedDefinitions>();

/**
 * Returns the definitions of the built-in resources, from the discovery data of a kube-apiserver. Includes resources whose objects the
 * server returns but does not store, such as access reviews.
 */
export function builtInDefinitions(store: Store, data: ClusterData): readonly ResourceDefinition[] {
  const shared = allShared.get(data) ?? new SharedDefinitions(data);
  allShared.set(data, shared);
  const definitions: ResourceDefinition[] = [];
  for (const { metadata, versions } of data.discovery) {
    const group = metadata.name ?? '';
    for (const { version, resources } of versions) {
      for (const resource of resources) definitions.push(definitionOf(resource, { group, version, store, shared }));
    }
  }
  return definitions;
}

interface Place {
  readonly group: string;
  readonly version: string;
  readonly store: Store;
  readonly shared: SharedDefinitions;
}

function definitionOf(resource: DiscoveredResource, place: Place): ResourceDefinition {
  const bucket = `${place.group}/${resource.resource}`;
  if (usesStore(bucket)) return define(resource, place);
  const path = `${place.group}/${place.version}/${resource.resource}`;
  const { made } = place.shared;
  const known = made.get(path);
  if (known !== undefined) return known;
  const definition = define(resource, place);
  made.set(path, definition);
  return definition;
}

function define(resource: DiscoveredResource, { group, version, store, shared }: Place): ResourceDefinition {
  const { data, goTypes, goShapes } = shared;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const { kind } = resource.responseKind;
  const subresources = subresourcesOf(resource, { group, version });
  const rules = new KindRules({
    own: () => ownStrategy(`${group}/${resource.resource}`, store),
    schema: () => data.schema(apiVersion, kind),
    columns: () => data.tables[`${group === '' ? '/api' : `/apis/${group}`}/${version}/${resource.resource}`] ?? [],
  });
  return {
    group,
    version,
    apiVersion,
    kind,
    listKind: `${kind}List`,
    plural: resource.resource,
    singular: resource.singularResource,
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
    namespaced: resource.scope === 'Namespaced',
    verbs: resource.verbs,
    subresources,
    ...(subresources.has('scale') ? { scale: workloadScale } : {}),
    get schema() {
      return rules.schema;
    },
    get columns() {
      return rules.columns;
    },
    get strategy() {
      return rules.strategy;
    },
    get deprecationWarning() {
      return rules.strategy.deprecation;
    },
    goTypes,
    goShapes,
    storageBucket: `${group}/${resource.resource}`,
    get selectableFields() {
      return rules.strategy.selectableFields;
    },
    ...conversionOf(apiVersion, kind),
  };
}

/** The strategy, schema and table columns of a kind, loaded on first use. */
class KindRules {
  readonly #own: () => Partial<Strategy> | undefined;
  readonly #readSchema: () => StructuralSchema;
  readonly #readColumns: () => Tables[string];
  #schema: StructuralSchema | undefined;
  #strategy: Strategy | undefined;
  #columns: readonly TableColumn[] | undefined;

  /**
   * @param options.own loads the rules that are specific to the kind
   * @param options.schema reads the schema of the kind
   * @param options.columns reads the table columns of the kind
   */
  constructor(options: {
    readonly own: () => Partial<Strategy> | undefined;
    readonly schema: () => StructuralSchema;
    readonly columns: () => Tables[string];
  }) {
    this.#own = options.own;
    this.#readSchema = options.schema;
    this.#readColumns = options.columns;
  }

  get schema(): StructuralSchema {
    this.#schema ??= this.#readSchema();
    return this.#schema;
  }

  get strategy(): Strategy {
    this.#strategy ??= strategyOf(this.#own());
    return this.#strategy;
  }

  /** The table columns: all columns for a kind whose strategy defines `cells`, and only Name and Age for other kinds. */
  get columns(): readonly TableColumn[] {
    if (this.#columns !== undefined) return this.#columns;
    const full = this.strategy.cells !== strategyOf().cells;
    const shown = this.#readColumns().filter(({ name }) => full || name === 'Name' || name === 'Age');
    this.#columns = shown.map(described);
    return this.#columns;
  }
}

function subresourcesOf(
  { subresources = [], responseKind }: DiscoveredResource,
  { group, version }: { readonly group: string; readonly version: string },
): ReadonlyMap<string, SubresourceDefinition> {
  const served = subresources.filter(({ subresource }) => servedSubresources.has(subresource));
  return new Map(
    served.map(({ subresource: name, verbs, responseKind: given }) => [
      name,
      {
        name,
        kind: given.kind || responseKind.kind,
        group: given.group || group,
        version: given.version || version,
        verbs,
      },
    ]),
  );
}

function described(column: Omit<TableColumn, 'description'>): TableColumn {
  return { ...column, description: description[column.format] ?? column.name };
}
