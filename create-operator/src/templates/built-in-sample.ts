import type { SampleFields } from './foreign-controller-options.js';

/** What a server demands of an object of a well-known built-in kind; undefined for others. */
export function builtInSample(kind: string): SampleFields | undefined {
  const labels = { app: 'sample' };
  const spec = { containers: [{ name: 'main', image: 'nginx:1.29-alpine' }] };
  const template = { metadata: { labels }, spec };
  const selector = { matchLabels: labels };
  const samples: Readonly<Record<string, SampleFields>> = {
    ConfigMap: {},
    CronJob: {
      spec: {
        schedule: '0 * * * *',
        jobTemplate: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
      },
    },
    DaemonSet: { spec: { selector, template } },
    Deployment: { spec: { selector, template } },
    Job: { spec: { template: { spec: { ...spec, restartPolicy: 'Never' } } } },
    Namespace: { spec: {} },
    Node: { spec: {} },
    Pod: { spec },
    ReplicaSet: { spec: { selector, template } },
    Secret: {},
    Service: { spec: { ports: [{ port: 80 }] } },
    ServiceAccount: {},
    StatefulSet: { spec: { serviceName: 'sample', selector, template } },
  };
  return samples[kind];
}
