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

/**
 * An idle operator takes 105 to 125 MiB, half of it Node.js itself; what is between that and the limit is for its cache, which has 60
 * percent of the limit at most (see `imageOf`). There is no limit of CPU: one that throttles stops the garbage collector, and the renewal of
 * the Lease, in the middle.
 */
const RESOURCES = {
  requests: { cpu: '10m', memory: '128Mi' },
  limits: { memory: `${imageOf().memoryLimitMiB}Mi` },
} as const;

/** The manager ends by itself one second after its grace period; the rest is for the kubelet to be late. */
const AFTER_GRACE_PERIOD_SECONDS = 5;
/** For a manager that waits for ever: a Pod cannot. */
const LONGEST_GRACE_PERIOD_SECONDS = 3600;

/** Lets the manager work in the namespace of its Pod alone. */
const OWN_NAMESPACE: EnvVar = {
  name: 'KUBEWRIGHT_NAMESPACES',
  valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } },
};

/** The namespace of the operator; undefined for one that is there in every cluster, and is not to be deleted with the operator. */
export function namespaceManifest(input: ManifestsInput): Namespace | undefined {
  const { namespace } = input.settings;
  if (namespace === 'default' || namespace.startsWith('kube-')) return undefined;
  return new Namespace({
    metadata: { name: namespace, labels: { ...operatorLabels(input), 'control-plane': 'controller-manager' } },
  });
}

/** The Deployment of the operator, which passes the Pod Security level `restricted`. */
export function managerDeployment(input: ManifestsInput): Deployment {
  const { settings, operator } = input;
  const labels = { ...operatorLabels(input), ...podSelector(input) };
  const selector = { matchLabels: podSelector(input) };
  const { manager } = objectNames(settings);
  return new Deployment({
    metadata: { name: manager, namespace: settings.namespace, labels },
    spec: {
      replicas: 1,
      selector,
      // Without an election the old Pod has to be gone before the new one begins.
      ...(operator.leaderElection === undefined && { strategy: { type: 'Recreate' } }),
      template: {
        metadata: { labels, annotations: { 'kubectl.kubernetes.io/default-container': 'manager' } },
        spec: {
          serviceAccountName: manager,
          terminationGracePeriodSeconds: terminationSeconds(operator.gracePeriodMs),
          // No runAsUser: the image has a numeric user, and OpenShift gives each namespace users of its own.
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
        },
      },
    },
  });
}

/** The Service of the metrics; undefined where none are served. */
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

/** The name of the port of the Service, by which the ServiceMonitor finds it. */
export function portOf({ secure }: { readonly secure: boolean }): 'http' | 'https' {
  return secure ? 'https' : 'http';
}

function managerContainer({ settings, operator: { health, metrics } }: ManifestsInput): Container {
  const ports: readonly ContainerPort[] = [
    ...(health === false ? [] : [{ name: 'health', containerPort: health.port, protocol: 'TCP' }]),
    ...(metrics === false ? [] : [{ name: 'metrics', containerPort: metrics.port, protocol: 'TCP' }]),
  ];
  return {
    name: 'manager',
    image: settings.image,
    // Also for ':latest', which would be Always: an image that was loaded into the nodes is to be found.
    imagePullPolicy: 'IfNotPresent',
    ...(settings.namespaced && { env: [OWN_NAMESPACE] }),
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
