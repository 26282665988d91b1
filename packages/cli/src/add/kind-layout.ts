import { apiPath, groupOf, kebabCase, type KindFilesOptions } from 'create-operator';
import { placed, type ProjectSources } from './project-sources.js';

/**
 * Reports whether the class of a new kind belongs in a folder named after its API group: `src/api/billing/v1` instead of `src/api/v1`.
 * Returns false if the group has classes and all of them are in version folders such as `src/api/v1`. Otherwise, returns true if other
 * classes are in group folders, or if the project has kinds of other groups.
 */
export function isMultiGroup({ kinds, folder }: ProjectSources, group: string): boolean {
  const base = folder === '' ? '' : `${folder}/`;
  const inGroups = kinds.some(({ module }) => new RegExp(`^${base}api/[^/]+/v[^/]+/`).test(module.path));
  const others = kinds.filter((each) => each.group !== undefined && each.group !== group);
  const own = kinds.filter((each) => each.group === group);
  const isApart = own.length > 0 && own.every(({ module }) => new RegExp(`^${base}api/v[^/]+/`).test(module.path));
  return !isApart && (inGroups || others.length > 0);
}

/** Returns the path of the class of a new kind. */
export function newApiPath(sources: ProjectSources, options: KindFilesOptions): string {
  return placed(sources, apiPath({ ...options, multiGroup: isMultiGroup(sources, groupOf(options)) }));
}

/** Returns the path of the classes of another operator's kind: `src/external/cert-manager.io/v1/certificate.ts`. */
export function externalPath(sources: ProjectSources, kind: { group: string; version: string; kind: string }): string {
  return placed(sources, `src/external/${kind.group}/${kind.version}/${kebabCase(kind.kind)}.ts`);
}
