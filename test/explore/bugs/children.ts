import { StatefulSet } from '@kubewright/api/apps/v1';
import { ConfigMap, type Container, type PodSpec, Service } from '@kubewright/api/core/v1';

/** Returns a ConfigMap. */
export function configMap(name: string, data: Readonly<Record<string, string>>): ConfigMap {
  return new ConfigMap({ metadata: { name }, data });
}

/** Returns a Service that selects the Pods of an application. */
export function service(
  name: string,
  ports: readonly number[],
  labels: Readonly<Record<string, string>> = {},
): Service {
  return new Service({
    metadata: { name, labels },
    spec: { selector: { app: name }, ports: ports.map((port) => ({ name: `port-${port}`, port })) },
  });
}

/** The fields of a StatefulSet that the operators set. */
export interface SetOptions {
  readonly replicas?: number;
  readonly podManagementPolicy?: 'OrderedReady' | 'Parallel';
  readonly pod?: Partial<PodSpec>;
  readonly container?: Partial<Container>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Returns a StatefulSet whose Pods have one container. */
export function statefulSet(name: string, options: SetOptions = {}): StatefulSet {
  const {
    replicas = 1,
    podManagementPolicy = 'OrderedReady',
    pod = {},
    container = {},
    labels = {},
    annotations = {},
  } = options;
  return new StatefulSet({
    metadata: { name, labels, annotations },
    spec: {
      replicas,
      podManagementPolicy,
      serviceName: name,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: { ...pod, containers: [{ name: 'main', image: 'registry.example.com/main:1', ...container }] },
      },
    },
  });
}
