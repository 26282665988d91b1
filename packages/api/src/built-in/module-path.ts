/** Returns the path of the module of a built-in group-version: `core/v1` for `v1`, and `storage/v1` for `storage.k8s.io/v1`. */
export function modulePath(apiVersion: string): string {
  const [group = '', version] = apiVersion.split('/');
  return version === undefined ? `core/${group}` : `${group.split('.')[0]}/${version}`;
}
