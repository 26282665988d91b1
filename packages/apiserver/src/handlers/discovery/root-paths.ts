import type { GroupVersions } from './discovery.js';
import { healthPaths } from './health-checks.js';

/** Returns the document of /: the paths of the server without the paths of objects. */
export function rootPaths(groups: readonly GroupVersions[]): object {
  const named = groups.flatMap(({ group, versions }) => {
    const root = group === '' ? '/api' : `/apis/${group}`;
    return [root, ...versions.map(({ version }) => `${root}/${version}`)];
  });
  const others = ['/apis', '/apis/', '/openapi/v2', '/openapi/v3', '/openapi/v3/', '/version', '/version/'];
  return { paths: [...named, ...healthPaths, ...others].toSorted() };
}
