import type { ProjectFiles } from 'create-operator';
import { kustomization } from './kustomization.js';
import { managerDeployment, metricsService, namespaceManifest } from './manager-manifests.js';
import { GENERATED, type Manifest, manifestText } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { networkPolicy, serviceMonitor } from './monitoring-manifests.js';
import { roleManifests } from './role-manifests.js';
import { sampleFiles } from './samples/sample-files.js';

/** The manifests of a folder in config, by file name. A file is written only if it has at least one defined manifest. */
type Folder = Readonly<Record<string, readonly (Manifest | undefined)[]>>;

const DEFAULT = `# This file is yours: generate creates it once and does not change it. Add patches, images and more resources, such as
# ../prometheus (a ServiceMonitor). With ../network-policy, only Pods in namespaces with the label metrics: enabled reach the operator,
# and only its metrics; remove it if your operator serves anything else. Name and namespace are settings of the project: "kubewright" in
# package.json.`;

/**
 * Generates the files of the `config` folder in the layout of kubebuilder. The keys are paths relative to the project. Equal inputs
 * generate identical files. config/default/kustomization.yaml and the files in config/samples belong to the user (see `isUserFile`).
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

/** The kustomization that users edit, for example to add patches. `kubewright generate` creates the file once and never overwrites it. */
export const USER_KUSTOMIZATION = 'config/default/kustomization.yaml';

/**
 * Reports whether a file in `config` belongs to the user. `kubewright generate` creates such a file once, and never overwrites or deletes
 * it.
 */
export function isUserFile(path: string): boolean {
  return path === USER_KUSTOMIZATION || path.startsWith('config/samples/');
}

function filesOf(path: string, folder: Folder): readonly (readonly [string, string])[] {
  const files = Object.entries(folder).flatMap(([name, manifests]) => {
    const present = manifests.filter((manifest) => manifest !== undefined);
    return present.length === 0 ? [] : [[name, present] as const];
  });
  // Always creates config/crd/kustomization.yaml, even without definitions, because config/default/kustomization.yaml refers to the folder.
  if (files.length === 0 && path !== 'config/crd') return [];
  const names = files.map(([name]) => name).toSorted();
  return [
    ...files.map(([name, manifests]) => [`${path}/${name}`, manifestText(manifests, GENERATED)] as const),
    [`${path}/kustomization.yaml`, manifestText([kustomization(names)], GENERATED)],
  ];
}
