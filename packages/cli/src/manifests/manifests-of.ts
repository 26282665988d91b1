import type { ProjectFiles } from 'create-operator';
import { kustomization } from './kustomization.js';
import { managerDeployment, metricsService, namespaceManifest } from './manager-manifests.js';
import { GENERATED, type Manifest, manifestText } from './manifest-text.js';
import type { ManifestsInput } from './manifests-input.js';
import { networkPolicy, serviceMonitor } from './monitoring-manifests.js';
import { policyManifests } from './policies/policy-manifests.js';
import { roleManifests } from './role-manifests.js';
import { sampleFiles } from './samples/sample-files.js';
import { certificateManifests } from './webhooks/certificate-manifests.js';
import { admissionManifests, definitionManifests } from './webhooks/webhook-manifests.js';
import { webhookNetworkPolicy } from './webhooks/webhook-network-policy.js';
import { webhookService } from './webhooks/webhook-service.js';

/** The manifests of a folder in config, by file name. A file is written only if it has at least one defined manifest. */
type Folder = Readonly<Record<string, readonly (Manifest | undefined)[]>>;

/**
 * The folders that config/manager/kustomization.yaml includes if they exist. config/default/kustomization.yaml cannot include these
 * folders, because the file belongs to the user, and the user can add webhooks or policies after the file was created.
 */
const WITH_MANAGER = ['certmanager', 'policy', 'webhook'];

const DEFAULT = `# This file is yours: 'kubewright generate' creates it once and does not change it. Add patches, images and more resources, such as
# ../prometheus (a ServiceMonitor). With ../network-policy, only Pods in namespaces with the label metrics: enabled reach the operator,
# and only its metrics; remove ../network-policy if your operator serves anything else. The name and the namespace are settings of the
# project: "kubewright" in package.json.`;
const DEFAULT_WITH_WEBHOOKS = `# This file is yours: 'kubewright generate' creates it once and does not change it. Add patches, images and more resources, such as
# ../prometheus (a ServiceMonitor). With ../network-policy, clients reach only the webhooks of the operator, and Pods in namespaces with
# the label metrics: enabled reach its metrics; remove ../network-policy if your operator serves anything else. ../manager includes the
# webhooks. The name and the namespace are settings of the project: "kubewright" in package.json.`;

/**
 * Generates the files of the `config` folder in the layout of kubebuilder. The keys are paths relative to the project. Equal inputs
 * generate identical files. config/default/kustomization.yaml and the files in config/samples belong to the user (see `isUserFile`).
 */
export function manifestsOf(input: ManifestsInput): ProjectFiles {
  const folders: Readonly<Record<string, Folder>> = {
    crd: Object.fromEntries(
      definitionManifests(input).map((crd) => [`bases/${crd.spec.group}_${crd.spec.names.plural}.yaml`, [crd]]),
    ),
    rbac: roleManifests(input),
    manager: {
      'manager.yaml': [namespaceManifest(input), managerDeployment(input)],
      'metrics_service.yaml': [metricsService(input)],
    },
    prometheus: { 'monitor.yaml': [serviceMonitor(input)] },
    'network-policy': {
      'allow-metrics-traffic.yaml': [networkPolicy(input)],
      'allow-webhook-traffic.yaml': [webhookNetworkPolicy(input)],
    },
    webhook: { 'manifests.yaml': admissionManifests(input), 'service.yaml': [webhookService(input)] },
    certmanager: certificateManifests(input),
    policy: { 'policies.yaml': policyManifests(input) },
  };
  const texts = Object.entries(folders).map(([name, folder]) => [name, textsOf(`config/${name}`, folder)] as const);
  const besides = texts.flatMap(([name, files]) => (WITH_MANAGER.includes(name) && files.length > 0 ? [name] : []));
  return new Map(
    [
      ...texts.flatMap(([name, files]) =>
        withKustomization(`config/${name}`, files, name === 'manager' ? besides : []),
      ),
      [
        USER_KUSTOMIZATION,
        manifestText(
          [kustomization(['../crd', '../rbac', '../manager', '../network-policy'])],
          input.operator.webhooks === undefined ? DEFAULT : DEFAULT_WITH_WEBHOOKS,
        ),
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

type FileTexts = readonly (readonly [path: string, text: string])[];

/** Returns the files of a folder that have at least one manifest. */
function textsOf(path: string, folder: Folder): FileTexts {
  return Object.entries(folder).flatMap(([name, manifests]) => {
    const present = manifests.filter((manifest) => manifest !== undefined);
    return present.length === 0 ? [] : [[`${path}/${name}`, manifestText(present, GENERATED)] as const];
  });
}

/** Adds the kustomization of a folder. `besides` are the names of other folders that the kustomization includes. */
function withKustomization(path: string, files: FileTexts, besides: readonly string[]): FileTexts {
  // Always creates config/crd/kustomization.yaml, even without definitions, because config/default/kustomization.yaml refers to the folder.
  if (files.length === 0 && path !== 'config/crd') return [];
  const names = [...besides.map((name) => `../${name}`), ...files.map(([file]) => file.slice(path.length + 1))];
  return [...files, [`${path}/kustomization.yaml`, manifestText([kustomization(names.toSorted())], GENERATED)]];
}
