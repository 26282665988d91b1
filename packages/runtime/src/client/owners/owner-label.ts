/**
 * The label of every object that `create`, `createOrPatch`, `apply` or `applyOwned` wrote for an owner. The value is the name of the
 * controller. The informers for kinds in `owns` select objects by this label.
 */
export const OWNER_LABEL = 'kubewright.dev/controller';
/** The annotation with the name of the set to which a child of `applyOwned` belongs. */
export const SET_ANNOTATION = 'kubewright.dev/set';
/**
 * The prefix of an annotation of applied objects. The name of the annotation ends with the field manager, and the value is a digest of the
 * applied configuration. If the digest did not change and the object still contains all applied fields, the client does not send the apply.
 */
export const APPLIED_ANNOTATION_PREFIX = 'applied.kubewright.dev/';
