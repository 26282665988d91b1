/** The group of an API version: 'apps' of 'apps/v1', and '' of 'v1'. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf('/');
  return slash < 0 ? '' : apiVersion.slice(0, slash);
}
