/**
 * Label on every object that `create`, `apply` or `applyOwned` wrote for an owner; its value is the name of the controller. Owned kinds
 * are watched by it.
 */
export const OWNER_LABEL = 'kubewright.dev/controller';
/** Annotation on a child of `applyOwned`: the name of the set that it belongs to. */
export const SET_ANNOTATION = 'kubewright.dev/set';
/** Annotation on an applied object, followed by the field manager: a digest of what was applied, so that the next equal apply need not be sent. */
export const APPLIED_ANNOTATION_PREFIX = 'applied.kubewright.dev/';
