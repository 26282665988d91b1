/** The operations of a controller on its children, in addition to reads. */
export type ChildVerb = 'create' | 'patch' | 'delete';

/** All operations on children. */
export const CHILD_VERBS: readonly ChildVerb[] = ['create', 'patch', 'delete'];
