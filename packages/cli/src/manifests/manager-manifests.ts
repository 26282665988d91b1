import { Deployment } from '@kubewright/api/apps/v1';
import {
  type Container,
  type ContainerPort,
  type EnvVar,
  Namespace,
  type Probe,
  Service,
} from '@kubewright/api/core/v1';
import { imageOf } from 'create-operator';
import type { ManifestsInput } from './manifests-input.js';
import { objectNames } from './object-names.js';
import { operatorLabels, podSelector } from './operator-labels.js';
import { webhookPod } from './webhooks/webhook-pod.js';

/**
 * The resource requests and limits of the manager's container. An idle operator uses 105 to 125 MiB of memory; the cache needs additional
 * memory. The JavaScript heap is limited to 60 percent of the memory limit (see `imageOf`). There is no CPU limit, because throttling would
 * delay the garbage collector and the renewal of the Lease.
 */
const RESOURCES = {
  requests: { cpu: '10m', memory: '128Mi' },
  limits: { memory: `${imageOf().memoryLimitMiB}Mi` },
} as const;

/**
 * The difference in seconds between the grace period of the Pod and the grace period of the manager. The manager exits at most one second
 * after its grace period. The remaining seconds allow for delays of the kubelet.
 */
const AFTER_GRACE_PERIOD_SECONDS = 5;
/**
 * The grace period of the Pod in seconds if the grace period of the manager is unlimited. The grace period of a Pod cannot be unlimited.
 */
const LONGEST_GRACE_PERIOD_SECONDS = 3600;

/** The environment variable that restricts the manager to the namespace of its Pod. */
const OWN_NAMESPACE: EnvVar = {
  name: 'KUBEWRIGHT_NAMESPACES',
  valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
};

/**
 * Returns the Namespace object of the operator. Returns undefined for `default` and `kube-*`, which exist in every cluster, so that they
 * are not deleted together with the operator.
 */
export function namespaceManifest(input: ManifestsInput): Namespace | undefined {
  const { namespace } = input.settings;
  if (namespace === 'default' || namespace.startsWith('kube-')) return undefined;
  return new Namespace({
    metadata: { name: namespace, labels: { ...operatorLabels(input), 'control-plane': 'controller-manager' } },
  });
}

/** Returns the Deployment of the operator, which complies with the Pod Security Standard `restricted`. */
export function managerDeployment(input: ManifestsInput): Deployment {
  const { settings, operator } = input;
  const labels = { ...operatorLabels(input), ...podSelector(input) };
  const selector = { matchLabels: podSelector(input) };
  const { manager } = objectNames(settings);
  const { volumes } = webhookPod(input);
  return new Deployment({
    metadata: { name: manager, namespace: settings.namespace, labels },
    spec: {
      replicas: 1,
      selector,
      // Without leader election, the old Pod must stop before the new Pod starts, because both would reconcile the same objects.
      ...(operator.leaderElection === undefined && { strategy: { type: 'Recreate' } }),
      template: {
        metadata: { labels, annotations: { 'kubectl.kubernetes.io/default-container': 'manager' } },
        spec: {
          serviceAccountName: manager,
          terminationGracePeriodSeconds: terminationSeconds(operator.gracePeriodMs),
          // Does not set runAsUser, because the image specifies a numeric user, and OpenShift assigns user IDs per namespace.
          securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'kubernetes.io/hostname',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: selector,
            },
          ],
          containers: [managerContainer(input)],
          ...(volumes.length > 0 && { volumes }),
        },
      },
    },
  });
}

/** Returns the Service for the metrics endpoint; undefined if the operator serves no metrics. */
export function metricsService(input: ManifestsInput): Service | undefined {
  const { metrics } = input.operator;
  if (metrics === false) return undefined;
  const port = portOf(metrics);
  return new Service({
    metadata: {
      name: objectNames(input.settings).metrics,
      namespace: input.settings.namespace,
      labels: { ...operatorLabels(input), ...podSelector(input) },
    },
    spec: { selector: podSelector(input), ports: [{ name: port, port: metrics.port, targetPort: 'metrics' }] },
  });
}

/** Returns the name of the port of the metrics Service, which is also the scheme of the metrics endpoint. */
export function portOf({ secure }: { readonly secure: boolean }): 'http' | 'https' {
  return secure ? 'https' : 'http';
}

function managerContainer(input: ManifestsInput): Container {
  const { settings } = input;
  const { health, metrics } = input.operator;
  const webhooks = webhookPod(input);
  const ports: readonly ContainerPort[] = [
    ...(health === false ? [] : [{ name: 'health', containerPort: health.port, protocol: 'TCP' }]),
    ...(metrics === false ? [] : [{ name: 'metrics', containerPort: metrics.port, protocol: 'TCP' }]),
    ...webhooks.ports,
  ];
  const env = [...(settings.namespaced ? [OWN_NAMESPACE] : []), ...webhooks.env];
  return {
    name: 'manager',
    image: settings.image,
    // The default for the tag latest is Always, which fails for images that are loaded into the nodes and not pushed to a registry.
    imagePullPolicy: 'IfNotPresent',
    ...(env.length > 0 && { env }),
    ...(ports.length > 0 && { ports }),
    ...(health !== false && {
      livenessProbe: {
        ...probe(health.livenessPath),
        initialDelaySeconds: 15,
        periodSeconds: 20,
      },
      readinessProbe: { ...probe(health.readinessPath), initialDelaySeconds: 5, periodSeconds: 10 },
    }),
    resources: RESOURCES,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    ...(webhooks.volumeMounts.length > 0 && { volumeMounts: webhooks.volumeMounts }),
  };
}
function probe(path: string): Probe {
  return { httpGet: { path, port: 'health' } };
}
function terminationSeconds(gracePeriodMs: number | false): number {
  return gracePeriodMs === false
    ? LONGEST_GRACE_PERIOD_SECONDS
    : Math.ceil(gracePeriodMs / 1000) + AFTER_GRACE_PERIOD_SECONDS;
}
