import { contract } from './contract.js';
import type { ContractApi, RequestOptions } from './contract-api.js';
import { install, widgets, widgetsOf, version, statusAndScale } from './custom-kinds.js';
import { admission } from './policy-bodies.js';
import { configMaps, constraints, create, decided, inNamespace, validating } from './policy-steps.js';

const quiet = { quiet: true };
const no = { validations: [{ expression: 'false', message: 'no' }] };
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const deployment = (name = 'a'): object => ({
  metadata: { name },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'a' } },
    template: { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
/** Shows the version in which a policy reviews the request. */
const shown = {
  validations: [
    {
      expression: 'false',
      messageExpression:
        "request.resource.group + '/' + request.resource.version + ' ' + request.resource.resource + ' ' + request.kind.version + ' ' + request.requestResource.version + ' ' + request.requestKind.version + ' ' + (has(request.subResource) ? request.subResource : '') + ' ' + (object == null ? 'null' : object.apiVersion + ' ' + object.kind)",
    },
  ],
};

async function apply(api: ContractApi, path: string, body: object, options: RequestOptions): Promise<void> {
  await api.patch(`${path}?fieldManager=test`, body, { type: 'application/apply-patch+yaml', ...options });
}

contract(
  'policies-matching',
  {},
  {
    'matches requests by the operations of a rule': async (api) => {
      await validating(api, { ...constraints({ operations: ['UPDATE'] }), ...no });
      await create(api);
      await api.patch(`${configMaps(api)}/a`, { data: { a: 'b' } }, decided);
      await apply(api, `${configMaps(api)}/a`, { apiVersion: 'v1', kind: 'ConfigMap', data: { c: 'd' } }, decided);
      await apply(api, `${configMaps(api)}/b`, { apiVersion: 'v1', kind: 'ConfigMap', data: { c: 'd' } }, decided);
    },
    'does not match a rule for another group, version or resource': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['apps'] }, { apiVersions: ['v2'] }, { resources: ['secrets'] }),
        ...no,
      });
      await create(api);
    },
    'matches a rule with wildcards': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'] }),
        ...no,
      });
      await create(api);
      await api.post(deployments(api), deployment(), decided);
    },
    'does not match a namespaced object with the scope Cluster': async (api) => {
      await validating(api, { ...constraints({ scope: 'Cluster' }), ...no });
      await create(api);
    },
    'matches a namespaced object with the scope Namespaced': async (api) => {
      await validating(api, { ...constraints({ scope: 'Namespaced' }), ...no });
      await create(api);
    },
    'matches objects by the resourceNames of a rule': async (api) => {
      await validating(api, { ...constraints({ resourceNames: ['a', 'b'] }), ...no });
      await create(api);
      await create(api, { metadata: { name: 'c' } });
    },
    'does not match objects that excludeResourceRules excludes': async (api) => {
      const { matchConstraints } = constraints({}) as { readonly matchConstraints: object };
      const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] };
      await validating(api, {
        matchConstraints: { ...matchConstraints, excludeResourceRules: [{ ...rule, resourceNames: ['a'] }] },
        ...no,
      });
      await create(api);
      await create(api, { metadata: { name: 'b' } });
    },
    'matches the objectSelector against the new and the old object': async (api) => {
      const { matchConstraints } = constraints({ operations: ['*'] }) as { readonly matchConstraints: object };
      await validating(api, {
        matchConstraints: { ...matchConstraints, objectSelector: { matchLabels: { app: 'x' } } },
        ...no,
      });
      await create(api);
      await create(api, { metadata: { name: 'b', labels: { app: 'x' } } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { labels: { app: 'x' } } }, decided);
      await api.delete(`${configMaps(api)}/a`, undefined, { only: ['status', 'message'] });
    },
    'matches the namespaceSelector against the labels of the namespace': async (api) => {
      const { matchConstraints } = constraints({}) as { readonly matchConstraints: object };
      const namespaceSelector = { matchExpressions: [{ key: 'env', operator: 'Exists' }] };
      await validating(api, { matchConstraints: { ...matchConstraints, namespaceSelector }, ...no });
      await create(api);
    },
    'restricts a policy to the matchResources of its binding': async (api) => {
      const rule = {
        apiGroups: [''],
        apiVersions: ['v1'],
        operations: ['CREATE'],
        resources: ['configmaps'],
        resourceNames: ['a'],
      };
      await validating(api, {
        spec: no,
        bindings: [
          {
            matchResources: inNamespace(api, { resourceRules: [rule], objectSelector: { matchLabels: { app: 'x' } } }),
          },
        ],
      });
      await create(api);
      await create(api, { metadata: { name: 'b', labels: { app: 'x' } } });
      await create(api, { metadata: { name: 'a', labels: { app: 'x' } } });
    },
    'evaluates a policy once for each of its bindings': async (api) => {
      const of = (name: string, ...actions: readonly string[]): object => ({
        validationActions: actions,
        matchResources: inNamespace(api, { objectSelector: { matchLabels: { name } } }),
      });
      await validating(api, { spec: no, bindings: [of('a', 'Warn'), of('b', 'Deny')] });
      await create(api, { metadata: { name: 'a', labels: { name: 'a' } } });
      await create(api, { metadata: { name: 'b', labels: { name: 'b' } } });
      await create(api, { metadata: { name: 'c', labels: { name: 'c' } } });
    },
    'does not evaluate a policy without a binding': async (api) => {
      await validating(api, { spec: no, bindings: [] });
      await create(api);
    },
    'matches a rule for an equivalent version of the resource': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }),
        ...shown,
      });
      const scaler = {
        metadata: { name: 'a' },
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      };
      for (const each of ['v1', 'v2']) {
        await api.post(
          `/apis/autoscaling/${each}/namespaces/${api.namespace}/horizontalpodautoscalers`,
          scaler,
          decided,
        );
      }
    },
    'does not match a rule for an equivalent version with the matchPolicy Exact': async (api) => {
      const rule = { apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] };
      const { matchConstraints } = constraints(rule) as { readonly matchConstraints: object };
      await validating(api, { matchConstraints: { ...matchConstraints, matchPolicy: 'Exact' }, ...shown });
      const scaler = {
        metadata: { name: 'a' },
        spec: { maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      };
      for (const each of ['v1', 'v2']) {
        await api.post(
          `/apis/autoscaling/${each}/namespaces/${api.namespace}/horizontalpodautoscalers`,
          scaler,
          decided,
        );
      }
    },
    'provides the object in the version of the matched rule to expressions': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }),
        validations: [
          {
            expression: 'object.spec.targetCPUUtilizationPercentage > 50',
            messageExpression: 'string(object.spec.targetCPUUtilizationPercentage)',
          },
        ],
      });
      const metrics = [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 40 } } },
      ];
      const scaler = {
        metadata: { name: 'a' },
        spec: { metrics, maxReplicas: 3, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' } },
      };
      await api.post(`/apis/autoscaling/v2/namespaces/${api.namespace}/horizontalpodautoscalers`, scaler, decided);
    },
    'matches all subresources of a resource with a wildcard': async (api) => {
      const rule = { apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments/*'] };
      await validating(api, { ...constraints(rule), ...shown });
      await api.post(deployments(api), deployment(), quiet);
      await api.patch(`${deployments(api)}/a`, { spec: { replicas: 0 } }, { only: ['spec.replicas'] });
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: 2 } }, decided);
      await api.patch(`${deployments(api)}/a/status`, { status: { observedGeneration: 1 } }, decided);
    },
    'does not match subresources with a rule for the resource only': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments'] }),
        ...shown,
      });
      await api.post(deployments(api), deployment(), quiet);
      await api.patch(`${deployments(api)}/a`, { spec: { replicas: 0 } }, decided);
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: 2 } }, { only: ['spec'] });
    },
    'provides the old and the new replicas of a Scale to expressions': async (api) => {
      await validating(api, {
        ...constraints({ apiGroups: ['apps'], operations: ['UPDATE'], resources: ['deployments/scale'] }),
        validations: [
          {
            expression: 'object.spec.replicas < 3',
            messageExpression:
              "string(oldObject.spec.replicas) + ' to ' + string(object.spec.replicas) + ' ' + object.kind",
          },
        ],
      });
      await api.post(deployments(api), deployment(), quiet);
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: 2 } }, { only: ['spec', 'message'] });
      await api.patch(`${deployments(api)}/a/scale`, { spec: { replicas: 5 } }, decided);
      await api.patch(`${deployments(api)}/a`, { spec: { replicas: 5 } }, { only: ['spec.replicas', 'message'] });
    },
    'evaluates a policy for custom objects and their status': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
      await validating(api, {
        ...constraints({ apiGroups: [api.group], operations: ['*'], resources: ['widgets', 'widgets/status'] }),
        validations: [
          {
            expression: 'object == null || !has(object.spec.size) || object.spec.size < 5',
            messageExpression: "request.kind.kind + ' ' + string(object.spec.size)",
          },
        ],
      });
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' } };
      await api.post(widgetsOf(api), { ...widget, spec: { size: 7, unknown: true } }, decided);
      await api.post(widgetsOf(api), { ...widget, spec: { size: 3 } }, decided);
      await api.patch(`${widgetsOf(api)}/a`, { spec: { size: 8 } }, decided);
      await api.patch(`${widgetsOf(api)}/a/status`, { status: { size: 8 } }, decided);
    },
    'matches the namespaceSelector against the labels of a new namespace': async (api) => {
      const name = api.name('created');
      await validating(api, {
        spec: {
          ...constraints({ resources: ['namespaces'], resourceNames: [name] }),
          validations: [
            { expression: 'namespaceObject != null', messageExpression: "'namespace ' + request.namespace" },
          ],
        },
        bindings: [{ matchResources: { namespaceSelector: { matchLabels: { team: 'a' } } } }],
      });
      await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name } }, { only: ['message'] });
      await api.post('/api/v1/namespaces?dryRun=All', { metadata: { name, labels: { team: 'a' } } }, decided);
    },
    'evaluates a policy for cluster-scoped objects regardless of the namespaceSelector': async (api) => {
      const name = api.name('class');
      const rule = { apiGroups: ['scheduling.k8s.io'], resources: ['priorityclasses'], resourceNames: [name] };
      await validating(api, { ...constraints(rule), validations: [{ expression: 'namespaceObject != null' }] });
      await api.post('/apis/scheduling.k8s.io/v1/priorityclasses', { metadata: { name }, value: 1 }, decided);
    },
    'does not evaluate policies for bindings of policies, but evaluates them for webhook configurations': async (
      api,
    ) => {
      const name = api.name('reviewed');
      const rule = {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['*'],
        operations: ['*'],
        resourceNames: [name],
      };
      await validating(api, { ...constraints(rule), ...no });
      for (const plural of ['validatingadmissionpolicybindings', 'mutatingadmissionpolicybindings']) {
        const spec = { policyName: 'none', ...(plural.startsWith('v') && { validationActions: ['Deny'] }) };
        await api.post(`${admission(plural)}?dryRun=All`, { metadata: { name }, spec }, { only: ['message'] });
      }
      await api.post(
        `${admission('validatingwebhookconfigurations')}?dryRun=All`,
        { metadata: { name }, webhooks: [] },
        { only: ['message'] },
      );
    },
    'evaluates expressions with quantities and numbers of a Pod': async (api) => {
      await validating(api, {
        ...constraints({ resources: ['pods'] }),
        validations: [
          {
            expression:
              "object.spec.containers.all(c, quantity(c.resources.limits.memory).isLessThan(quantity('1Gi')) && c.ports.all(p, p.containerPort < 1024))",
            messageExpression:
              "object.spec.containers.map(c, c.name + '=' + c.resources.limits.memory + ':' + c.ports.map(p, string(p.containerPort)).join(',')).join(' ')",
          },
        ],
      });
      const pod = (memory: string, port: number): object => ({
        metadata: { name: 'a' },
        spec: {
          containers: [{ name: 'c', image: 'i', ports: [{ containerPort: port }], resources: { limits: { memory } } }],
        },
      });
      const path = `/api/v1/namespaces/${api.namespace}/pods?dryRun=All`;
      await api.post(path, pod('2048Mi', 80), decided);
      await api.post(path, pod('1000Mi', 8080), decided);
      await api.post(path, pod('1000Mi', 80), decided);
    },
  },
);
