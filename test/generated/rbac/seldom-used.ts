/** What no operator need use, by the right in words, with the reason. */
export const SELDOM_USED: readonly (readonly [RegExp, string])[] = [
  [/^list /, 'a server that streams its lists is only asked for watches; an older one is asked for lists'],
  [/^get /, 'what is cached is read live after a conflict, or when the cache may be behind'],
  [/^update \S+\/finalizers /, 'admission asks for it where OwnerReferencesPermissionEnforcement is on'],
  [/^(create|patch) events/, 'only who has something to tell records an event, and counts it when it comes again'],
  [/^patch \S+\/status /, 'what has nothing to say of an object does not write its status'],
];
