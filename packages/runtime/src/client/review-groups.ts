/** The API groups whose kinds are reviews: the server answers who somebody is, or what somebody may do, and stores no object. */
export const REVIEW_GROUPS: readonly string[] = ['authentication.k8s.io', 'authorization.k8s.io'];
