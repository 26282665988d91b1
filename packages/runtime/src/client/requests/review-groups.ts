/** The API groups of reviews. The server returns an identity or a permission, and stores no object. */
export const REVIEW_GROUPS: readonly string[] = ['authentication.k8s.io', 'authorization.k8s.io'];
