import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { builtInSchema } from '@kubewright/api/built-in';
import { deepFreeze } from '@kubewright/api/json';
import type { MessageSet } from '@kubewright/api/protobuf';
import type { StructuralSchema } from '@kubewright/api/schema';
import type { JsonObject } from '../objects/api-object.js';
import { defaultVersion, type KubernetesVersion } from '@kubewright/api/kubernetes-version';
import type { DataDifferences } from './data-differences.js';
import type { TableColumn } from './table-column.js';

const load = createRequire(import.meta.url);
const directory = new URL(`../../../data/kubernetes-${defaultVersion}/`, import.meta.url);
/** The columns of the table of each resource, by the path of its list. */
export type Tables = Readonly<Record<string, readonly Omit<TableColumn, 'description'>[]>>;
/** A schema in an OpenAPI document. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** A resource in aggregated discovery. */
export interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly subresources?: readonly {
    readonly subresource: string;
    readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
    readonly verbs: readonly string[];
  }[];
}

/** A group in aggregated discovery. */
interface DiscoveredGroup {
  readonly metadata: { readonly name?: string };
  readonly versions: readonly { readonly version: string; readonly resources: readonly DiscoveredResource[] }[];
}

/** The Go types of the built-in kinds, as declared in the source of kube-apiserver. */
export interface GoDeclarations {
  /** The struct of each kind, by 'apiVersion/kind'. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The fields of each struct, in the text format that GoTypes reads. */
  readonly structs: Readonly<Record<string, readonly string[]>>;
}

/**
 * The data of a kube-apiserver of one version. All servers of a process with the same version share these read-only objects. Each part is
 * read on first use.
 */
export class ClusterData {
  readonly #differences: DataDifferences | undefined;
  readonly #contents = new Map<string, unknown>();

  /** @param differences the differences from the default version @default none */
  constructor(differences?: DataDifferences) {
    this.#differences = differences;
  }

  /** The groups of discovery, in the order of discovery. */
  get discovery(): readonly DiscoveredGroup[] {
    return this.#once('discovery.json', (data: Readonly<Record<string, { items: readonly DiscoveredGroup[] }>>) => {
      const groups = Object.values(data).flatMap(({ items }) => items);
      return this.#differences?.discovery(groups) ?? groups;
    });
  }

  /** The table columns of each resource. */
  get tables(): Tables {
    return this.#once('tables.json', (data: Tables) => this.#differences?.changed('tables', data) ?? data);
  }

  /** The Go declarations of the built-in kinds. The declarations contain details that the schemas omit. */
  get goTypes(): GoDeclarations {
    return this.#once('go-types.json', (data: GoDeclarations) => this.#differences?.changed('goTypes', data) ?? data);
  }

  /** The initial objects of a new cluster. */
  get bootstrap(): readonly JsonObject[] {
    return this.#once('bootstrap.json', (data: readonly JsonObject[]) => this.#differences?.bootstrap(data) ?? data);
  }

  /** Returns the schemas from which OpenAPI documents are generated, by name. Each call reads them, because the documents are cached. */
  openApiSchemas(): Readonly<Record<string, OpenApiSchema>> {
    const { schemas } = readData('schemas.json') as { readonly schemas: Record<string, OpenApiSchema> };
    return this.#differences?.changed('openApiSchemas', schemas) ?? schemas;
  }

  /** Returns the schema of a built-in kind. Throws a RangeError if there is none. */
  schema(apiVersion: string, kind: string): StructuralSchema {
    const differences = this.#differences;
    const schema = differences === undefined ? builtInSchema(apiVersion, kind) : differences.schema(apiVersion, kind);
    if (schema === undefined) throw new RangeError(`no built-in schema for ${kind} in ${apiVersion}`);
    return schema;
  }

  /** Imports the protobuf messages of a built-in group-version. Resolves with undefined for any other group-version. */
  async messages(apiVersion: string): Promise<MessageSet | undefined> {
    if (this.#differences !== undefined) return this.#differences.messages(apiVersion);
    return (await import('@kubewright/api/protobuf')).loadMessages(apiVersion);
  }

  #once<F, T extends object>(file: string, of: (data: F) => T): T {
    const known = this.#contents.get(file) as T | undefined;
    if (known !== undefined) return known;
    const content = deepFreeze(of(readData(file) as F));
    this.#contents.set(file, content);
    return content;
  }
}

/** The data of the default version. */
export const defaultData = new ClusterData();
/** The data of the other versions that servers of this process use. */
const others = new Map<string, ClusterData>();

/** Returns the data of a version. Reads the differences of other versions than the default version on first use. */
export function clusterDataOf({ recorded }: Pick<KubernetesVersion, 'recorded'>): ClusterData {
  if (recorded === defaultVersion) return defaultData;
  const known = others.get(recorded);
  if (known !== undefined) return known;
  const { DataDifferences: Differences } = load('./data-differences.js') as typeof import('./data-differences.js');
  const data = new ClusterData(new Differences(recorded));
  others.set(recorded, data);
  return data;
}

function readData(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
}
