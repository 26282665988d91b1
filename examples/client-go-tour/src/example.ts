/** The programs of the tour, in order. */
export const programs = [
  'deployment',
  'work-queue',
  'informer',
  'watch',
  'reflector',
  'controller',
  'dynamic',
  'leader-election',
  'discovery',
  'in-cluster',
];
