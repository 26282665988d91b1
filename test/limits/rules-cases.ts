import { json, list } from './case-bodies.js';
import type { LimitCase } from './limit-case.js';

const create = (path: string, kind: string, spec: object) => ({
  method: 'POST',
  path: `/api/v1/namespaces/default/${path}?dryRun=All`,
  type: json,
  body: JSON.stringify({ apiVersion: 'v1', kind, metadata: { name: 'a' }, spec }),
});
const amounts = (at: number) => ({ [`example.com/r${at}`]: '1' });

/** Requests with long lists whose rules compare the items with each other. */
export const rulesCases: readonly LimitCase[] = [
  {
    name: '10,000 ports with the same number and different host ports',
    request: create('pods', 'Pod', {
      containers: [{ name: 'a', image: 'a', ports: list(10_000, (at) => ({ containerPort: 1, hostPort: at + 1 })) }],
    }),
    status: 201,
  },
  {
    name: '2,000 containers with their own resources',
    request: create('pods', 'Pod', {
      resources: { requests: { cpu: '1' } },
      containers: list(2000, (at) => ({
        name: `c${at}`,
        image: 'a',
        resources: { requests: amounts(at), limits: amounts(at) },
      })),
    }),
    status: 201,
  },
];
