/** Rights in words that need not be used, with the reason. */
export type Reasons = readonly (readonly [RegExp, string])[];

/** What no operator need use. */
export const SELDOM_USED: Reasons = [
  [/^get /, 'what is cached is read live after a conflict, or when the cache may be behind'],
  [/^update \S+\/finalizers /, 'admission asks for it where OwnerReferencesPermissionEnforcement is on'],
  [/^(create|patch) events/, 'only who has something to tell records an event, and counts it when it comes again'],
  [/^create (tokenreviews|subjectaccessreviews) /, 'only a request for the metrics of a Pod is reviewed'],
  [/^patch \S+\/status /, 'what has nothing to say of an object does not write its status'],
];

/** What no operator need use whose server streams its lists. */
export const UNUSED_WHERE_LISTS_STREAM: Reasons = [
  [/^list /, 'it is only asked for watches; an older server is asked for lists'],
];
