/**
 * The API groups of reviews, such as TokenReview. The server evaluates a review and does not store the object, so the object may have no
 * name.
 */
export const REVIEW_GROUPS: readonly string[] = ['authentication.k8s.io', 'authorization.k8s.io'];
