/**
 * Label of every object that `create`, `apply` or `applyOwned` wrote for an owner. The value is the name of the controller. Informers of
 * owned kinds select objects by this label.
 */
export const OWNER_LABEL = 'kubewright.dev/controller';
/** Annotation of a child of `applyOwned`: the name of its set. */
export const SET_ANNOTATION = 'kubewright.dev/set';
/**
 * Prefix of an annotation of an applied object, followed by the field manager. The value is a digest of the applied configuration. An equal
 * apply with the same digest is not sent.
 */
export const APPLIED_ANNOTATION_PREFIX = 'applied.kubewright.dev/';
