import type { ProjectFiles } from 'create-operator';

/** One file of all that `kubectl kustomize config/default` would give. */
export function installManifest(files: ProjectFiles): string {
  const of = (folder: string): readonly string[] =>
    [...files]
      .filter(([path]) => path.startsWith(folder) && !path.endsWith('/kustomization.yaml'))
      .map(([, text]) => text);
  return [...of('config/manager/'), ...of('config/crd/'), ...of('config/rbac/')].join('---\n');
}
