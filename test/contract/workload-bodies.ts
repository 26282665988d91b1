import type { ContractApi } from './contract-api.js';

/** A spec with a selector and a template of one container that fit each other; no Pod of it is ever scheduled. */
export function podsOf(spec: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    selector: { matchLabels: { app: 'a' } },
    template: template(),
    ...spec,
  };
}

/** A Pod template labelled app=a, with what else its Pods are to have. */
export function template(
  pod: Readonly<Record<string, unknown>> = {},
  labels: Readonly<Record<string, string>> = { app: 'a' },
): Record<string, unknown> {
  return { metadata: { labels }, spec: { schedulerName: 'none', containers: [{ name: 'a', image: 'b' }], ...pod } };
}

/** The template of a Job's Pods, which come to an end. */
export function ending(pod: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return { spec: { schedulerName: 'none', restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }], ...pod } };
}

/** The list of a namespaced resource of a group, for the case's namespace. */
export function listOf(api: ContractApi, groupVersion: string, plural: string): string {
  return `/apis/${groupVersion}/namespaces/${api.namespace}/${plural}`;
}

/** Asks for the table that `kubectl get -o wide` shows. */
const asTable = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } } as const;

/** Compares the columns and cells of the table of one object; its age, which is a second or two, is not shown. */
export async function compareCells(api: ContractApi, path: string): Promise<void> {
  for (const age of ['0s', '1s', '2s', '3s']) api.mask(age, '<age>');
  await api.get(path, { ...asTable, only: ['columnDefinitions.*.name', 'rows.*.cells'] });
}
