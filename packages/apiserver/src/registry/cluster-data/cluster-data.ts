import { readFileSync } from 'node:fs';
import { deepFreeze } from '@kubewright/api/json';
import type { JsonObject } from '../objects/api-object.js';
import type { TableColumn } from './table-column.js';

const directory = new URL('../../../data/kubernetes-1.36.3/', import.meta.url);
/** The URL of the schemas from which OpenAPI documents are generated. */
export const schemaFile = new URL('schemas.json', directory);
/** The parsed data files. All servers of a process share these read-only objects. */
const contents = new Map<string, unknown>();

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

/** Returns the recorded discovery data of a kube-apiserver. */
export function readDiscovery(): readonly DiscoveredGroup[] {
  const data = read('discovery.json') as Record<string, { items: readonly DiscoveredGroup[] }>;
  return Object.values(data).flatMap(({ items }) => items);
}

/** Returns the table columns of each resource, by the path of its list. */
export function readTables(): Readonly<Record<string, readonly Omit<TableColumn, 'description'>[]>> {
  return read('tables.json') as Record<string, readonly Omit<TableColumn, 'description'>[]>;
}

/** Returns the Go declarations of the built-in kinds in kube-apiserver. The declarations contain details that the schemas omit. */
export function readGoTypes(): GoDeclarations {
  return read('go-types.json') as GoDeclarations;
}

/** Returns the initial objects of a new cluster. */
export function readBootstrap(): readonly JsonObject[] {
  return read('bootstrap.json') as readonly JsonObject[];
}

function read(file: string): unknown {
  if (!contents.has(file)) {
    contents.set(file, deepFreeze(JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as object));
  }
  return contents.get(file);
}
