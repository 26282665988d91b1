import { defineKind, type KindRef } from '@kubewright/api';
import { crdsFor } from '@kubewright/api/metadata';
import type { ManifestsInput } from '@kubewright/cli';
import { type DescribedCertificates, Manager } from '@kubewright/runtime';
import { permissionsOf } from '@kubewright/runtime/permissions';

/**
 * Returns the input for the manifests of an operator with a mutating webhook, a validating webhook, and a kind that the operator converts
 * between two versions. The names of the objects start with `name`.
 */
export function webhookOperator(
  name: string,
  certificates: DescribedCertificates = { source: 'manager' },
): ManifestsInput {
  const version = (of: string, storage: boolean): KindRef =>
    defineKind({ group: `${name}.example.com`, version: of, kind: 'Rack', storage, spec: { type: 'object' } });
  const [v1, v2] = [version('v1', false), version('v2', true)];
  const operator = new Manager({ leaderElection: name }).describe();
  const webhook = {
    kind: v2,
    operations: ['CREATE', 'UPDATE'],
    failurePolicy: 'Fail',
    sideEffects: 'None',
    timeoutSeconds: 10,
    matchPolicy: 'Equivalent',
  } as const;
  return {
    settings: { name, domain: 'example.com', image: `${name}:v1`, namespace: `${name}-system`, namespaced: false },
    crds: crdsFor([v1, v2]),
    operator: {
      ...operator,
      webhooks: {
        port: 9443,
        admission: [
          {
            ...webhook,
            type: 'mutating',
            name: 'mutate.rack.v2.example.com',
            path: '/mutate-example-com-v2-rack',
            reinvocationPolicy: 'IfNeeded',
            matchConditions: [],
          },
          {
            ...webhook,
            type: 'validating',
            name: 'validate.rack.v2.example.com',
            path: '/validate-example-com-v2-rack',
            matchConditions: [{ name: 'not-by-nodes', expression: "!('system:nodes' in request.userInfo.groups)" }],
          },
        ],
        conversions: [{ hub: v2, spokes: [v1], path: '/convert' }],
        certificates,
      },
    },
    permissions: permissionsOf(operator),
  };
}
