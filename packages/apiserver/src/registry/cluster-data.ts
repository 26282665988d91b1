import { readFileSync } from 'node:fs';
import type { JsonObject } from './json-object.js';
import type { TableColumn } from './resource-definition.js';

const directory = new URL('../../data/kubernetes-1.36.3/', import.meta.url);

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

/** What discovery of a real server lists. */
export function readDiscovery(): readonly DiscoveredGroup[] {
  const data = read('discovery.json') as Record<string, { items: readonly DiscoveredGroup[] }>;
  return Object.values(data).flatMap(({ items }) => items);
}

/** The columns of each resource's table, by the path of its list. */
export function readTables(): Readonly<Record<string, readonly Omit<TableColumn, 'description'>[]>> {
  return read('tables.json') as Record<string, readonly Omit<TableColumn, 'description'>[]>;
}

/** How the server's own program declares the built-in kinds: what its schemas do not say and its error texts do. */
export function readGoTypes(): unknown {
  return read('go-types.json');
}

/** What that program leaves out of each struct when it is empty, and what it writes even then. */
export function readGoShapes(): Readonly<Record<string, { readonly omit?: string; readonly zero?: JsonObject }>> {
  return read('go-shapes.json') as Readonly<Record<string, { readonly omit?: string; readonly zero?: JsonObject }>>;
}

/** The numbers of the fields of each struct in protobuf. */
export function readProtobufFields(): Readonly<Record<string, string>> {
  return read('protobuf.json') as Record<string, string>;
}

/** The objects that a new cluster has. */
export function readBootstrap(): readonly JsonObject[] {
  return read('bootstrap.json') as readonly JsonObject[];
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, directory), 'utf8'));
}
