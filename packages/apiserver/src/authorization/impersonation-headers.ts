import { emptyObject } from '../registry/objects/json-object.js';
import { badRequest } from '../registry/requests/status-errors.js';
import type { User } from '../registry/requests/user.js';

const extraPrefix = 'impersonate-extra-';

/**
 * Returns the impersonated user from raw headers, in which names and values alternate. Returns undefined if the headers do not request
 * impersonation. Throws 400 for groups, a UID or extra fields without a user.
 */
export function impersonatedUser(rawHeaders: readonly string[]): User | undefined {
  const desired = { name: '', uid: '', groups: [] as string[], extra: emptyObject() as Record<string, string[]> };
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const header = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    if (header === 'impersonate-user') desired.name ||= value;
    else if (header === 'impersonate-uid') desired.uid ||= value;
    else if (header === 'impersonate-group') desired.groups.push(value);
    else if (header.startsWith(extraPrefix)) {
      const key = unescaped(header.slice(extraPrefix.length));
      (desired.extra[key] ??= []).push(value);
    }
  }
  const { name, uid, groups, extra } = desired;
  const hasExtra = Object.keys(extra).length > 0;
  if (name === '') {
    if (uid === '' && groups.length === 0 && !hasExtra) return undefined;
    throw badRequest(`requested ${shown(desired)} without impersonating a user name`);
  }
  return { name, groups, ...(uid === '' ? {} : { uid }), ...(hasExtra ? { extra } : {}) };
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch (error) {
    if (error instanceof URIError) return key;
    throw error;
  }
}

/** Formats the user as Go does in a kube-apiserver. */
function shown({
  uid,
  groups,
  extra,
}: {
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}): string {
  const list = (values: readonly string[]): string =>
    `[]string{${values.map((value) => JSON.stringify(value)).join(', ')}}`;
  const keys = Object.keys(extra).toSorted();
  const entries = keys.map((key) => `${JSON.stringify(key)}:${list(extra[key] ?? [])}`);
  const shownGroups = groups.length === 0 ? '[]string(nil)' : list(groups);
  const shownExtra = keys.length === 0 ? 'map[string][]string(nil)' : `map[string][]string{${entries.join(', ')}}`;
  return `&user.DefaultInfo{Name:"", UID:${JSON.stringify(uid)}, Groups:${shownGroups}, Extra:${shownExtra}}`;
}
