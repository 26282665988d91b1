/**
 * Label of every object that `create`, `createOrPatch`, `apply` or `applyOwned` wrote for an owner. The value is the name of the
 * controller. Informers of owned kinds select objects by this label.
 */
export const OWNER_LABEL = 'kubewright.dev/controller';
/** Annotation of a child of `applyOwned`: the name of its set. */
export const SET_ANNOTATION = 'kubewright.dev/set';
/**
 * Prefix of an annotation of an applied object, followed by the field manager. The value is a digest of the applied configuration. The
 * client does not send an apply with the same digest if the object still contains all applied fields.
 */
export const APPLIED_ANNOTATION_PREFIX = 'applied.kubewright.dev/';
