import { readFileSync } from 'node:fs';
import { deepFreeze } from '@kubewright/api/json';
import type { JsonObject } from './json-object.js';
import type { TableColumn } from './table-column.js';

const directory = new URL('../../data/kubernetes-1.36.3/', import.meta.url);
/** Where the schemas are that OpenAPI documents are made of. */
export const schemaFile = new URL('schemas.json', directory);
/** What was read, once in a process: all its servers share it, and nobody writes to it. */
const contents = new Map<string, unknown>();

/** A resource as aggregated discovery lists it. */
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

/** The types of a program in Go. */
export interface GoDeclarations {
  /** The struct of each kind, by apiVersion/kind. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The fields of each struct, in texts that GoTypes reads. */
  readonly structs: Readonly<Record<string, readonly string[]>>;
}

/** What discovery of a real server lists. */
export function readDiscovery(): readonly DiscoveredGroup[] {
  const data = read('discovery.json') as Record<string, { items: readonly DiscoveredGroup[] }>;
  return Object.values(data).flatMap(({ items }) => items);
}

/** The columns of each resource's table, by the path of its list. */
export function readTables(): Readonly<Record<string, readonly Omit<TableColumn, 'description'>[]>> {
  return read('tables.json') as Record<string, readonly Omit<TableColumn, 'description'>[]>;
}

/** How the server's own program declares the built-in kinds: what its schemas do not say. */
export function readGoTypes(): GoDeclarations {
  return read('go-types.json') as GoDeclarations;
}

/** The objects that a new cluster has. */
export function readBootstrap(): readonly JsonObject[] {
  return read('bootstrap.json') as readonly JsonObject[];
}

function read(file: string): unknown {
  if (!contents.has(file)) {
    contents.set(file, deepFreeze(JSON.parse(readFileSync(new URL(file, directory), 'utf8')) as object));
  }
  return contents.get(file);
}
