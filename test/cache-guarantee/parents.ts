import { CustomResource, Field, Kind } from '@kubewright/api';

export class ParentSpec {
  @Field.string() value!: string;
  @Field.list(Field.string(), { optional: true }) refs?: string[];
}
export class ParentStatus {
  @Field.string({ optional: true }) seen?: string;
}

/** The kind that the first controller reconciles. */
@Kind({ group: 'guarantee.example.com', version: 'v1' })
export class Alpha extends CustomResource(ParentSpec, ParentStatus) {}

/** The kind that the second controller reconciles. */
@Kind({ group: 'guarantee.example.com', version: 'v1' })
export class Beta extends CustomResource(ParentSpec, ParentStatus) {}

export type Parent = Alpha | Beta;
export type ParentKind = typeof Alpha | typeof Beta;

/** Namespaces of the parents. */
export const NAMESPACES = ['n1', 'n2'] as const;
/** Namespaces that are only read. */
export const OTHER_NAMESPACES = ['x1', 'x2'] as const;
export const PARENT_NAMES = ['p0', 'p1'] as const;
/** ConfigMaps that users write. Children have other names. */
export const CONFIG_NAMES = ['cfg-0', 'cfg-1', 'cfg-2', 'cfg-3'] as const;

/** Returns the name of the child of a parent. The name is unique among the kinds of parents. */
export function childName(kind: string, name: string): string {
  return `${kind.toLowerCase()}-${name}-child`;
}
