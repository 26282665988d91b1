import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { compareCells, listOf } from './workload-bodies.js';

const budgets = (api: ContractApi): string => listOf(api, 'policy/v1', 'poddisruptionbudgets');
const v1 = (api: ContractApi): string => listOf(api, 'autoscaling/v1', 'horizontalpodautoscalers');
const v2 = (api: ContractApi): string => listOf(api, 'autoscaling/v2', 'horizontalpodautoscalers');
const metadata = { name: 'a' };
const dry = '?dryRun=All';
const quiet = { quiet: true };
const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' };
const scaler = (spec: object = {}): object => ({ metadata, spec: { maxReplicas: 5, scaleTargetRef, ...spec } });
const shown = { only: ['apiVersion', 'metadata.annotations', 'spec', 'message', 'details'] };
const withMetrics = (...metrics: object[]): object => scaler({ metrics });
const metrics = [
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1024Mi' } } },
  {
    type: 'Pods',
    pods: {
      metric: { name: 'hits', selector: { matchLabels: { a: 'b' } } },
      target: { type: 'AverageValue', averageValue: '5' },
    },
  },
  {
    type: 'Object',
    object: {
      metric: { name: 'load' },
      describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
      target: { type: 'Value', value: '10' },
    },
  },
  { type: 'External', external: { metric: { name: 'queue' }, target: { type: 'AverageValue', averageValue: '3' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 60 } },
  },
];

contract(
  'policy-autoscaling',
  {},
  {
    'defaults a PodDisruptionBudget': async (api) => {
      await api.post(budgets(api) + dry, {
        metadata,
        spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
      });
      await api.post(budgets(api) + dry, { metadata }, { only: ['spec', 'status'] });
    },
    'rejects a PodDisruptionBudget with minAvailable and maxUnavailable': async (api) => {
      await api.post(budgets(api), { metadata, spec: { minAvailable: 1, maxUnavailable: '50%' } });
    },
    'validates the bounds of a PodDisruptionBudget': async (api) => {
      for (const minAvailable of [-1, 'some', '101%', '-5%', '50%']) {
        await api.post(
          budgets(api) + dry,
          { metadata, spec: { minAvailable } },
          { only: ['spec', 'message', 'details'] },
        );
      }
      await api.post(budgets(api), { metadata, spec: { maxUnavailable: '200%' } });
    },
    'rejects a PodDisruptionBudget with an unknown policy or an invalid selector': async (api) => {
      await api.post(budgets(api), { metadata, spec: { unhealthyPodEvictionPolicy: 'Never' } });
      await api.post(budgets(api), {
        metadata,
        spec: { selector: { matchExpressions: [{ key: 'a', operator: 'Near' }] } },
      });
    },
    'rejects an update of a PodDisruptionBudget without a resourceVersion': async (api) => {
      await api.post(budgets(api), { metadata, spec: { minAvailable: 1 } }, { only: ['metadata.generation'] });
      await api.put(`${budgets(api)}/a`, { metadata, spec: { minAvailable: 2 } });
      await api.patch(`${budgets(api)}/a`, { spec: { minAvailable: 2 } }, { only: ['metadata.generation', 'spec'] });
    },
    'rejects negative numbers in the status of a PodDisruptionBudget': async (api) => {
      await api.post(budgets(api), { metadata, spec: { minAvailable: 1 } }, quiet);
      await api.patch(`${budgets(api)}/a/status`, {
        status: { disruptionsAllowed: -1, currentHealthy: -1, desiredHealthy: -1, expectedPods: -1 },
      });
    },
    'returns PodDisruptionBudgets as a table': async (api) => {
      await api.post(budgets(api), { metadata, spec: { maxUnavailable: '50%' } }, quiet);
      await compareCells(api, `${budgets(api)}/a`);
      await api.post(budgets(api), { metadata: { name: 'b' }, spec: { minAvailable: 1 } }, quiet);
      await compareCells(api, `${budgets(api)}/b`);
    },
    'defaults a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api) + dry, scaler());
      await api.post(v1(api) + dry, scaler());
    },
    'rejects a HorizontalPodAutoscaler without required fields': async (api) => {
      await api.post(v2(api), { metadata });
      await api.post(v1(api), { metadata });
    },
    'validates the bounds of a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api), scaler({ minReplicas: 6 }));
      await api.post(v2(api), scaler({ minReplicas: 0 }));
      await api.post(v2(api), scaler({ minReplicas: -1, maxReplicas: -2 }));
      await api.post(v1(api), scaler({ minReplicas: 6 }));
    },
    'validates the scaleTargetRef of a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api), scaler({ scaleTargetRef: { kind: 'Deployment', name: 'x' } }));
      await api.post(v2(api), scaler({ scaleTargetRef: { kind: 'a/b', name: 'c%d', apiVersion: 'e/f/g' } }));
      await api.post(
        v2(api) + dry,
        scaler({ scaleTargetRef: { kind: 'ReplicationController', name: 'x', apiVersion: 'v1' } }),
        shown,
      );
    },
    'accepts all metric types': async (api) => {
      await api.post(v2(api) + dry, withMetrics(...metrics), shown);
    },
    'validates the metrics of a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api), withMetrics({}));
      await api.post(v2(api), withMetrics({ type: 'Odd' }));
      await api.post(v2(api), withMetrics({ type: 'Pods' }));
      await api.post(v2(api), withMetrics({ type: 'Pods', pods: { metric: {}, target: {} } }));
      await api.post(
        v2(api),
        withMetrics({
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Value' } },
          pods: { metric: { name: 'x' }, target: { type: 'AverageValue', averageValue: '1' } },
        }),
      );
      await api.post(
        v2(api),
        withMetrics({
          type: 'External',
          external: { metric: { name: 'a/b' }, target: { type: 'Value', value: '0', averageValue: '-1' } },
        }),
      );
      await api.post(
        v2(api),
        withMetrics({
          type: 'Object',
          object: { metric: { name: 'x' }, describedObject: {}, target: { type: 'Odd' } },
        }),
      );
      await api.post(
        v2(api),
        withMetrics({
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 0, averageValue: '1' } },
        }),
      );
      await api.post(
        v2(api),
        withMetrics({
          type: 'ContainerResource',
          containerResource: { name: '', container: '', target: { type: 'Utilization' } },
        }),
      );
    },
    'defaults the behavior of a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api) + dry, scaler({ behavior: { scaleDown: { selectPolicy: 'Disabled' } } }), shown);
      await api.post(v2(api) + dry, scaler({ behavior: {} }), shown);
    },
    'validates the behavior of a HorizontalPodAutoscaler': async (api) => {
      const policies = [
        { type: 'Odd', value: 0, periodSeconds: 0 },
        { type: 'Pods', value: 1, periodSeconds: 1801 },
      ];
      await api.post(
        v2(api),
        scaler({
          behavior: {
            scaleUp: { stabilizationWindowSeconds: 3601, selectPolicy: 'Odd', policies },
            scaleDown: { stabilizationWindowSeconds: -1 },
          },
        }),
      );
    },
    'stores in annotations the fields that autoscaling/v1 does not have': async (api) => {
      await api.post(
        v2(api),
        {
          metadata,
          spec: {
            ...(scaler() as { spec: object }).spec,
            metrics,
            behavior: { scaleUp: { policies: [{ type: 'Pods', value: 2, periodSeconds: 60 }] } },
          },
        },
        quiet,
      );
      await api.get(`${v1(api)}/a`, shown);
      await api.patch(`${v1(api)}/a`, { spec: { maxReplicas: 7, targetCPUUtilizationPercentage: 50 } }, shown);
      await api.get(`${v2(api)}/a`, shown);
      await api.patch(`${v1(api)}/a`, { metadata: { annotations: null } }, shown);
      await api.get(`${v2(api)}/a`, shown);
    },
    'returns HorizontalPodAutoscalers as a table': async (api) => {
      await api.post(v2(api), withMetrics(...metrics), quiet);
      await compareCells(api, `${v2(api)}/a`);
      await api.post(
        v1(api),
        { ...scaler({ targetCPUUtilizationPercentage: 40, minReplicas: 2 }), metadata: { name: 'b' } },
        quiet,
      );
      await compareCells(api, `${v1(api)}/b`);
      await compareCells(api, `${v2(api)}/b`);
    },
    'rejects negative numbers in the status of a HorizontalPodAutoscaler': async (api) => {
      await api.post(v2(api), scaler(), quiet);
      await api.patch(`${v2(api)}/a/status`, { status: { currentReplicas: -1, desiredReplicas: -1 } });
      await api.patch(`${v1(api)}/a/status`, { status: { currentReplicas: -1, desiredReplicas: -1 } });
    },
  },
);
