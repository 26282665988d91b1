/** Returns a VirtualMachine of the example operator. */
export const machine = (name: string, spec: object = {}): object => ({
  apiVersion: 'cloud.waibizi.com/v1',
  kind: 'VirtualMachine',
  metadata: { name },
  spec: { name, image: 'debian-12', ...spec },
});

/** Returns a ConfigMap. */
export const settings = (name: string, data: object = { a: 'b' }, labels: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels },
  data,
});

/** Returns a Deployment with one replica by default. */
export const deployment = (name: string, more: { replicas?: number; image?: string } = {}): object => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas: more.replicas ?? 1,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: more.image ?? 'nginx:1.27' }],
      },
    },
  },
});

/** Returns a list of objects as one input. */
export const list = (...items: readonly object[]): object => ({ apiVersion: 'v1', kind: 'List', items });
