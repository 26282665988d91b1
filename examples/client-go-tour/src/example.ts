/** The programs of the tour, in its order. */
export const programs = ['deployment', 'work-queue', 'informer', 'watch', 'dynamic', 'leader-election', 'discovery'];
