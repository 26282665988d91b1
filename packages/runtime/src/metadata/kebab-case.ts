/** Returns the name of a class in kebab case: `CronJobNames` becomes `cron-job-names`, and `DNSZone` becomes `dns-zone`. */
export function kebabCase(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase();
}
