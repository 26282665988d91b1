/** Rights in words that need not be used, with the reason. */
export type Reasons = readonly (readonly [RegExp, string])[];

/** What no operator need use. */
export const SELDOM_USED: Reasons = [
  [/^get /, 'the client reads cached objects live only after a conflict or if the cache may be outdated'],
  [/^update \S+\/finalizers /, 'only the admission plugin OwnerReferencesPermissionEnforcement requires it'],
  [/^(create|patch) events/, 'only some operators record events'],
  [/^create (tokenreviews|subjectaccessreviews) /, 'the operator creates reviews only for requests for its metrics'],
  [/^patch \S+\/status /, 'only some operators write the status'],
];

/** What no operator need use whose server streams its lists. */
export const UNUSED_WHERE_LISTS_STREAM: Reasons = [
  [/^list /, 'the reflector uses streaming lists; only older servers receive list requests'],
];
