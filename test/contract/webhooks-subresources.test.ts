import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, statusAndScale, version, widgets, widgetsOf } from './custom-kinds.js';
import { hooked, rule, widgetRule } from './hooks.js';
import { pod } from './pod-bodies.js';
import { deny, mutate } from './webhook-replies.js';

const quiet = { quiet: true };
const brief = { only: ['kind', 'message', 'code', 'reason', 'status', 'spec.replicas'] };
const parts = ['request.object', 'request.oldObject', 'request.operation', 'request.options', 'request.kind'];
const target = ['request.resource', 'request.subResource', 'request.operation', 'request.name', 'request.kind'];

/** Creates a Widget with subresources, and returns its path. */
async function makeWidget(api: ContractApi): Promise<string> {
  await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale })] }));
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  await api.post(widgetsOf(api), widget, quiet);
  return `${widgetsOf(api)}/w`;
}

/** Creates a Deployment without Pods, and returns its path. */
async function makeDeployment(api: ContractApi): Promise<string> {
  const deployments = `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
  const labels = { app: 'd' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { replicas: 0, paused: true, selector: { matchLabels: labels }, template };
  await api.post(deployments, { metadata: { name: 'd' }, spec }, quiet);
  return `${deployments}/d`;
}

/** Creates a Pod that no scheduler binds, and returns its path. */
async function makePod(api: ContractApi): Promise<string> {
  const pods = `/api/v1/namespaces/${api.namespace}/pods`;
  await api.post(pods, pod('p'), quiet);
  return `${pods}/p`;
}

const scale = (name: string, replicas: number): object => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name },
  spec: { replicas },
});
const deployments = (...resources: readonly string[]): object => rule({ apiGroups: ['apps'], resources });

contract(
  'webhooks-subresources',
  { webhooks: true },
  {
    'sends a review of the status of a custom object': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({ rules: [widgetRule(api, { resources: ['widgets/status'] })] });
      await api.patch(`${path}/status`, { status: { size: 2 } });
      hooks.reviews();
    }),
    'sends a review of the status of a custom object to a mutating webhook': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.mutate({ rules: [widgetRule(api, { resources: ['widgets/status'] })] });
      const { body } = await api.get(path, quiet);
      await api.put(`${path}/status`, { ...body, spec: { size: 9 }, status: { size: 2 } });
      hooks.reviews();
    }),
    'applies the patch of a webhook to the status of a custom object': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      const reply = mutate([
        { op: 'replace', path: '/status/size', value: 5 },
        { op: 'replace', path: '/spec/size', value: 7 },
      ]);
      await hooks.mutate({ reply, rules: [widgetRule(api, { resources: ['widgets/status'] })] });
      await api.patch(`${path}/status`, { status: { size: 2 } });
    }),
    'rejects a change of the status of a custom object that a webhook denies': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({
        reply: deny({ message: 'no' }),
        rules: [widgetRule(api, { resources: ['widgets/status'] })],
      });
      await api.patch(`${path}/status`, { status: { size: 2 } });
      await api.patch(path, { spec: { size: 2 } }, { only: ['spec'] });
    }),
    'sends a review of an apply of the status': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({ rules: [widgetRule(api, { resources: ['widgets/status'] })] });
      const status = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, status: { size: 2 } };
      await api.patch(`${path}/status?fieldManager=me`, status, { type: 'application/apply-patch+yaml' });
      hooks.reviews();
    }),
    'sends a review of the scale of a custom object': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({ rules: [widgetRule(api, { resources: ['widgets/scale'] })] });
      await api.put(`${path}/scale`, scale('w', 3));
      hooks.reviews();
    }),
    'sends a review of a patch of the scale of a custom object to a mutating webhook': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.mutate({ rules: [widgetRule(api, { resources: ['widgets/scale'] })] });
      await api.patch(`${path}/scale`, { spec: { replicas: 3 } });
      hooks.reviews();
    }),
    'applies the patch of a webhook to the scale of a custom object': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      const reply = mutate([{ op: 'replace', path: '/spec/replicas', value: 9 }]);
      await hooks.mutate({ reply, rules: [widgetRule(api, { resources: ['widgets/scale'] })] });
      await api.patch(`${path}/scale`, { spec: { replicas: 3 } });
      await api.get(path, { only: ['spec'] });
    }),
    'rejects a change of the scale of a custom object that a webhook denies': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({
        reply: deny({ message: 'no' }),
        rules: [widgetRule(api, { resources: ['widgets/scale'] })],
      });
      await api.patch(`${path}/scale`, { spec: { replicas: 3 } });
      await api.get(path, { only: ['spec'] });
    }),
    'does not call a webhook without subresources when the status or the scale changes': hooked(async (api, hooks) => {
      const path = await makeWidget(api);
      await hooks.validate({ rules: [widgetRule(api)] });
      await api.patch(`${path}/scale`, { spec: { replicas: 3 } }, quiet);
      await api.patch(`${path}/status`, { status: { size: 3 } }, quiet);
      hooks.reviews();
    }),
    'sends a review of the scale of a Deployment': hooked(async (api, hooks) => {
      const path = await makeDeployment(api);
      await hooks.validate({ rules: [deployments('deployments/scale')] });
      await api.put(`${path}/scale`, scale('d', 1));
      hooks.reviews();
    }),
    'sends a review of a patch of the scale of a Deployment': hooked(async (api, hooks) => {
      const path = await makeDeployment(api);
      await hooks.mutate({ rules: [deployments('deployments/scale')] });
      await api.patch(`${path}/scale`, { spec: { replicas: 1 } });
      hooks.reviews();
    }),
    'applies the patch of a webhook to the scale of a Deployment': hooked(async (api, hooks) => {
      const path = await makeDeployment(api);
      const reply = mutate([{ op: 'add', path: '/spec/replicas', value: 0 }]);
      await hooks.mutate({ reply, rules: [deployments('deployments/scale')] });
      await api.patch(`${path}/scale`, { spec: { replicas: 4 } });
      await api.get(path, { only: ['spec.replicas'] });
    }),
    'rejects a change of the scale of a Deployment that a webhook denies': hooked(async (api, hooks) => {
      const path = await makeDeployment(api);
      await hooks.validate({ reply: deny({ message: 'no', code: 403 }), rules: [deployments('deployments/scale')] });
      await api.patch(`${path}/scale`, { spec: { replicas: 4 } });
      await api.get(path, { only: ['spec.replicas'] });
    }),
    'sends a review of the status of a Deployment': hooked(async (api, hooks) => {
      const path = await makeDeployment(api);
      await hooks.validate({ rules: [deployments('deployments/status')] });
      await api.patch(`${path}/status`, { status: { replicas: 3 } }, quiet);
      hooks.reviews({ only: [...target, 'request.object.status', 'request.oldObject.status'] });
    }),
    'sends a review of a Deployment': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [deployments('deployments')] });
      await makeDeployment(api);
      hooks.reviews();
    }),
    'sends a review of an eviction': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.validate({ rules: [rule({ resources: ['pods', 'pods/eviction'] })] });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      await api.post(`${path}/eviction`, { ...eviction, deleteOptions: { gracePeriodSeconds: 3 } });
      hooks.reviews();
    }),
    'sends a review of an eviction to a mutating webhook': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.mutate({ rules: [rule({ resources: ['pods', 'pods/eviction'] })] });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      await api.post(`${path}/eviction?dryRun=All`, eviction, quiet);
      await api.post(`${path}/eviction`, eviction, quiet);
      hooks.reviews({ only: [...target, 'request.dryRun', 'request.object', 'request.oldObject.metadata.name'] });
    }),
    'rejects an eviction that a webhook denies': hooked(async (api, hooks) => {
      const path = await makePod(api);
      const reply = deny({ message: 'no', code: 429, details: { retryAfterSeconds: 5 } });
      await hooks.validate({ reply, rules: [rule({ resources: ['pods/eviction'] })] });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      await api.post(`${path}/eviction`, eviction);
      await api.get(path, { only: ['metadata.name'] });
    }),
    'applies the patch of a webhook to an eviction': hooked(async (api, hooks) => {
      const path = await makePod(api);
      const reply = mutate([{ op: 'add', path: '/deleteOptions', value: { dryRun: ['All'] } }]);
      await hooks.mutate({ reply, rules: [rule({ resources: ['pods/eviction'] })] });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      await api.post(`${path}/eviction`, eviction, brief);
      await api.get(path, { only: ['metadata.name', 'code'] });
    }),
    'sends a review of a binding': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.validate({ rules: [rule({ resources: ['pods', 'pods/binding'] })] });
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n' },
      };
      await api.post(`${path}/binding`, binding);
      hooks.reviews();
    }),
    'rejects a binding that a webhook denies': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.validate({ reply: deny({ message: 'no' }), rules: [rule({ resources: ['pods/binding'] })] });
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n' },
      };
      await api.post(`${path}/binding`, binding);
      await api.get(path, { only: ['spec.nodeName'] });
    }),
    'applies the patch of a webhook to the node of a binding': hooked(async (api, hooks) => {
      const path = await makePod(api);
      const reply = mutate([{ op: 'replace', path: '/target/name', value: 'other' }]);
      await hooks.mutate({ reply, rules: [rule({ resources: ['pods/binding'] })] });
      const binding = {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name: 'p' },
        target: { kind: 'Node', name: 'n' },
      };
      await api.post(`${path}/binding`, binding, brief);
      await api.get(path, { only: ['spec.nodeName'] });
    }),
    'sends a review of the status of a Pod': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.validate({ rules: [rule({ resources: ['pods/status'] })] });
      await api.patch(`${path}/status`, { status: { phase: 'Running', message: 'by the case' } }, quiet);
      hooks.reviews({ only: [...target, 'request.object.status', 'request.oldObject.status'] });
    }),
    'sends a review of ephemeral containers': hooked(async (api, hooks) => {
      const path = await makePod(api);
      await hooks.validate({ rules: [rule({ resources: ['pods/ephemeralcontainers'] })] });
      const ephemeralContainers = [{ name: 'debug', image: 'busybox' }];
      const type = 'application/strategic-merge-patch+json';
      await api.patch(`${path}/ephemeralcontainers`, { spec: { ephemeralContainers } }, { ...quiet, type });
      hooks.reviews({ only: [...target, 'request.object.spec.ephemeralContainers'] });
    }),
    'sends a review of a token request': hooked(async (api, hooks) => {
      await hooks.validate({ rules: [rule({ resources: ['serviceaccounts/token'] })] });
      const path = `/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`;
      await api.post(
        path,
        { spec: { audiences: ['a'], expirationSeconds: 600 } },
        { only: ['kind', 'spec.audiences'] },
      );
      hooks.reviews();
    }),
    'rejects a token request that a webhook denies': hooked(async (api, hooks) => {
      await hooks.validate({ reply: deny({ message: 'no' }), rules: [rule({ resources: ['serviceaccounts/token'] })] });
      await api.post(`/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`, { spec: {} });
    }),
    'sends a review of the status of a Namespace': hooked(async (api, hooks) => {
      const name = api.name('other');
      await api.post('/api/v1/namespaces', { metadata: { name, labels: { own: api.group } } }, quiet);
      const rules = [rule({ resources: ['namespaces/status', 'namespaces/finalize'] })];
      await hooks.validate({ rules, namespaceSelector: { matchLabels: { own: api.group } } });
      await api.patch(`/api/v1/namespaces/${name}/status`, { metadata: { annotations: { a: 'b' } } }, quiet);
      hooks.reviews({ only: [...parts, 'request.namespace', 'request.name', 'request.subResource'] });
    }),
    'sends a review of a ResourceQuota': hooked(async (api, hooks) => {
      const path = `/api/v1/namespaces/${api.namespace}/resourcequotas`;
      const objectSelector = { matchLabels: { own: 'yes' } };
      await api.post(path, { metadata: { name: 'q' }, spec: { hard: { secrets: '5' } } }, quiet);
      await hooks.validate({ rules: [rule({ resources: ['resourcequotas'] })], objectSelector });
      await api.patch(`${path}/q`, { metadata: { labels: { own: 'yes' } } }, quiet);
      hooks.reviews({ only: [...target, 'request.object.spec', 'request.oldObject.spec'] });
    }),
  },
);
