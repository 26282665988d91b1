/** Patterns for the text of permissions that an operator may leave unused, with the reason. */
export type Reasons = readonly (readonly [RegExp, string])[];

/** The permissions that any operator may leave unused. */
export const SELDOM_USED: Reasons = [
  [/^get /, 'the client reads cached objects live only after a conflict or if the cache may be outdated'],
  [
    /^update \S+\/finalizers /,
    'only the admission plugin OwnerReferencesPermissionEnforcement requires this permission',
  ],
  [/^update secrets "\S+-webhook-certificates" /, 'the manager updates the Secret only when it renews certificates'],
  [/^(create|patch) events/, 'only some operators record events'],
  [
    /^create (tokenreviews|subjectaccessreviews) /,
    'the operator creates reviews only when a client requests its metrics',
  ],
  [/^patch \S+\/status /, 'only some operators write the status'],
];

/** The permissions that any operator may leave unused if its server supports streaming lists. */
export const UNUSED_WHERE_LISTS_STREAM: Reasons = [
  [/^list /, 'the reflector uses streaming lists; only older servers receive list requests'],
];
