import type { ContractApi } from './contract-api.js';

/** Returns a spec with a matching selector and template of one container. Its Pods are never scheduled. */
export function podsOf(spec: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    selector: { matchLabels: { app: 'a' } },
    template: template(),
    ...spec,
  };
}

/** Returns a Pod template with the label app=a and the given fields. */
export function template(
  pod: Readonly<Record<string, unknown>> = {},
  labels: Readonly<Record<string, string>> = { app: 'a' },
): Record<string, unknown> {
  return { metadata: { labels }, spec: { schedulerName: 'none', containers: [{ name: 'a', image: 'b' }], ...pod } };
}

/** Returns the template of a Job's Pods, which terminate. */
export function ending(pod: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { spec: { schedulerName: 'none', restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }], ...pod } };
}

/** Returns the path of a namespaced resource in the namespace of the case. */
export function listOf(api: ContractApi, groupVersion: string, plural: string): string {
  return `/apis/${groupVersion}/namespaces/${api.namespace}/${plural}`;
}

/** Options that request the table of `kubectl get -o wide`. */
const asTable = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } } as const;

/** Compares the columns and cells of the table of one object. The age, up to three seconds, is masked. */
export async function compareCells(api: ContractApi, path: string): Promise<void> {
  for (const age of ['0s', '1s', '2s', '3s']) api.mask(age, '<age>');
  await api.get(path, { ...asTable, only: ['columnDefinitions.*.name', 'rows.*.cells'] });
}
