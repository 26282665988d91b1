import { allDefinitions } from '../generated/all-definitions.js';
import type { KindInfo } from '../metadata/kind-info.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import type { Definitions } from './definitions.js';

/** Returns the built-in kinds of Kubernetes that have a resource. */
export function builtInKinds(): readonly KindInfo[] {
  return allDefinitions.flatMap((definitions) => definitions.kinds.flatMap((kind) => definitions.kindInfo(kind) ?? []));
}

/** Returns the built-in kind with this apiVersion and name. Returns undefined if Kubernetes does not serve a resource of the kind. */
export function builtInKind(apiVersion: string, kind: string): KindInfo | undefined {
  return definitionsOf(apiVersion)?.kindInfo(kind);
}

/**
 * Returns the schema of a complete object of a built-in kind, or undefined for any other kind. Includes subresource kinds such as Scale and
 * Eviction. All references in the schema are resolved, so the schema can be cyclic. Each call returns the same object. The schema does not
 * contain defaults that are the zero value of Go.
 */
export function builtInSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  return definitionsOf(apiVersion)?.schema(kind);
}

function definitionsOf(apiVersion: string): Definitions | undefined {
  return allDefinitions.find((definitions) => definitions.apiVersion === apiVersion);
}
