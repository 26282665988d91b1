import { allDefinitions } from '../generated/all-definitions.js';
import type { KindInfo } from '../metadata/kind-info.js';
import type { StructuralSchema } from '../schema/structural-schema.js';

/** The kinds of Kubernetes itself that have a resource. */
export function builtInKinds(): readonly KindInfo[] {
  return allDefinitions.flatMap((definitions) => definitions.kinds.flatMap((kind) => definitions.kindInfo(kind) ?? []));
}

/**
 * The schema of a whole object of a built-in kind, subresource kinds such as Scale and Eviction included; undefined for others. It is
 * resolved, may be cyclic, is the same object each time, and has no default that is just Go's empty value.
 */
export function builtInSchema(apiVersion: string, kind: string): StructuralSchema | undefined {
  return allDefinitions.find((definitions) => definitions.apiVersion === apiVersion)?.schema(kind);
}
