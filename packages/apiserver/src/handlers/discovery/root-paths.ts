import type { GroupVersions } from './discovery.js';

const health = ['/healthz', '/livez', '/readyz'];

/** /: the paths that the server has, but for those of objects. */
export function rootPaths(groups: readonly GroupVersions[]): object {
  const named = groups.flatMap(({ group, versions }) => {
    const root = group === '' ? '/api' : `/apis/${group}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  const checks = health.flatMap((path) => [path, `${path}/ping`]);
  const others = ['/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version', '/version/'];
  return { paths: [...named, ...checks, ...others].toSorted() };
}

/** Whether the path asks whether the server is well, as a whole or in what it checks. */
export function isHealthPath(path: string): boolean {
  return health.some((root) => [root, `${root}/`, `${root}/ping`].includes(path));
}
