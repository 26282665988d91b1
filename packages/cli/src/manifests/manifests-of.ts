import type { ProjectFiles } from 'create-operator';
import { kustomization } from './kustomization.js';
import { managerDeployment, metricsService, namespaceManifest } from './manager-manifests.js';
import { GENERATED, type Manifest, manifestText } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { networkPolicy, serviceMonitor } from './monitoring-manifests.js';
import { roleManifests } from './role-manifests.js';
import { sampleFiles } from './samples/sample-files.js';

/** The manifests of a folder below config, by file name. A file without manifests is not written. */
type Folder = Readonly<Record<string, readonly (Manifest | undefined)[]>>;

const DEFAULT = `# This file is yours: generate creates it once and does not change it. Add patches, images and more resources, such as
# ../prometheus (a ServiceMonitor). With ../network-policy, only Pods in namespaces with the label metrics: enabled reach the operator,
# and only its metrics; remove it if your operator serves anything else. Name and namespace are settings of the project: "kubewright" in
# package.json.`;

/**
 * Returns the files of the `config` folder in the layout of kubebuilder, by path from the root of the project. Equal inputs generate
 * identical files. Two kinds of files belong to the user (`isUserFile`): config/default/kustomization.yaml and config/samples.
 */
export function manifestsOf(input: ManifestsInput): ProjectFiles {
  const folders: Readonly<Record<string, Folder>> = {
    crd: Object.fromEntries(input.crds.map((crd) => [`bases/${crd.spec.group}_${crd.spec.names.plural}.yaml`, [crd]])),
    rbac: roleManifests(input),
    manager: {
      'manager.yaml': [namespaceManifest(input), managerDeployment(input)],
      'metrics_service.yaml': [metricsService(input)],
    },
    prometheus: { 'monitor.yaml': [serviceMonitor(input)] },
    'network-policy': { 'allow-metrics-traffic.yaml': [networkPolicy(input)] },
  };
  return new Map(
    [
      ...Object.entries(folders).flatMap(([name, folder]) => filesOf(`config/${name}`, folder)),
      [
        USER_KUSTOMIZATION,
        manifestText([kustomization(['../crd', '../rbac', '../manager', '../network-policy'])], DEFAULT),
      ] as const,
      ...sampleFiles(input),
    ].toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The only kustomization that belongs to the user. */
export const USER_KUSTOMIZATION = 'config/default/kustomization.yaml';

/** Reports whether a file of `config` is created once and then belongs to the user. Such a file is never overwritten and never deleted. */
export function isUserFile(path: string): boolean {
  return path === USER_KUSTOMIZATION || path.startsWith('config/samples/');
}

function filesOf(path: string, folder: Folder): readonly (readonly [string, string])[] {
  const files = Object.entries(folder).flatMap(([name, manifests]) => {
    const made = manifests.filter((manifest) => manifest !== undefined);
    return made.length === 0 ? [] : [[name, made] as const];
  });
  // The user's kustomization always refers to the folder of the CustomResourceDefinitions, even if there are none.
  if (files.length === 0 && path !== 'config/crd') return [];
  const names = files.map(([name]) => name).toSorted();
  return [
    ...files.map(([name, manifests]) => [`${path}/${name}`, manifestText(manifests, GENERATED)] as const),
    [`${path}/kustomization.yaml`, manifestText([kustomization(names)], GENERATED)],
  ];
}
