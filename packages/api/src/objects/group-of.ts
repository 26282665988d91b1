/** Returns the group of an API version: 'apps' for 'apps/v1', and '' for 'v1'. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
