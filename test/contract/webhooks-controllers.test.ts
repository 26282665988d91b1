import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { configMap, configMaps, hooked, rule } from './hooks.js';
import type { Json } from './json.js';
import { allow, deny } from './webhook-replies.js';
import type { WebhookReply } from './webhook-server.js';

const quiet = { quiet: true };
const isAbsent = ({ status }: { readonly status: number }): boolean => status === 404;
const on = (...operations: readonly string[]): object[] => [rule({ operations })];
const reviewed = [
  'request.operation',
  'request.name',
  'request.namespace',
  'request.resource',
  'request.subResource',
  'request.options',
  'request.userInfo.username',
  'request.userInfo.groups',
  'request.oldObject.metadata.name',
  'request.object.metadata.name',
  'request.object.metadata.finalizers',
  'request.object.metadata.ownerReferences',
];

/** Creates a ConfigMap, and ConfigMaps that it owns. */
async function owned(api: ContractApi, dependents: readonly string[], more: object = {}): Promise<void> {
  const { body } = await api.post(configMaps(api), configMap('owner'), quiet);
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: body.metadata.uid, ...more };
  for (const name of dependents) {
    await api.post(configMaps(api), configMap(name, {}, { ownerReferences: [owner] }), quiet);
  }
}

/** Returns a reply that denies the requests of controllers on the objects with the given name while `isDenied` returns true. */
function denying(name: string, isDenied: () => boolean): WebhookReply {
  return (review: Json) => {
    const { oldObject, userInfo } = review.request;
    const isController = userInfo.username.startsWith('system:serviceaccount:');
    const isRefused = isController && oldObject.metadata.name === name && isDenied();
    return (isRefused ? deny({ message: 'kept', code: 403 }) : allow())(review);
  };
}

/** Creates another namespace with a label that selects the webhooks of the case. Returns its path and its namespaceSelector. */
async function labeledNamespace(api: ContractApi): Promise<{ readonly path: string; readonly selector: object }> {
  const name = api.name('other');
  const labels = { case: name };
  await api.post('/api/v1/namespaces', { metadata: { name, labels } }, quiet);
  return { path: `/api/v1/namespaces/${name}`, selector: { matchLabels: labels } };
}

contract(
  'webhooks-controllers',
  { webhooks: true },
  {
    'reviews the deletion of a dependent by the garbage collector': hooked(async (api, hooks) => {
      await owned(api, ['dependent']);
      await hooks.validate({ rules: on('*') });
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      await api.until(`${configMaps(api)}/dependent`, isAbsent);
      hooks.reviews({ only: reviewed });
    }),
    'reviews the steps of a foreground deletion': hooked(async (api, hooks) => {
      await owned(api, ['dependent'], { blockOwnerDeletion: true });
      await hooks.validate({ rules: on('*') });
      await api.delete(`${configMaps(api)}/owner?propagationPolicy=Foreground`, undefined, quiet);
      await api.until(`${configMaps(api)}/owner`, isAbsent);
      hooks.reviews({ only: reviewed });
    }),
    'reviews the steps of a deletion that orphans the dependents': hooked(async (api, hooks) => {
      await owned(api, ['dependent']);
      await hooks.validate({ rules: on('*') });
      await api.delete(`${configMaps(api)}/owner?propagationPolicy=Orphan`, undefined, quiet);
      await api.until(`${configMaps(api)}/owner`, isAbsent);
      hooks.reviews({ only: reviewed });
    }),
    'deletes other dependents while a webhook denies the deletion of one dependent': hooked(async (api, hooks) => {
      let isDenied = true;
      await owned(api, ['a', 'b', 'c']);
      await hooks.validate({ rules: on('DELETE'), reply: denying('b', () => isDenied) });
      await api.delete(`${configMaps(api)}/owner`, undefined, quiet);
      for (const name of ['a', 'c']) await api.until(`${configMaps(api)}/${name}`, isAbsent);
      await api.get(`${configMaps(api)}/b`, { only: ['metadata.name'] });
      isDenied = false;
      await api.until(`${configMaps(api)}/b`, isAbsent);
    }),
    'reviews the deletion of the objects of a namespace': hooked(async (api, hooks) => {
      const { path, selector } = await labeledNamespace(api);
      await api.until(`${path}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
      await api.post(`${path}/configmaps`, configMap('a'), quiet);
      await hooks.validate({ rules: on('DELETE'), namespaceSelector: selector });
      await api.delete(path, undefined, quiet);
      await api.until(path, isAbsent);
      hooks.reviews({ only: reviewed });
    }),
    'reports a webhook that denies a deletion in the conditions of the namespace': hooked(async (api, hooks) => {
      let isDenied = true;
      const { path, selector } = await labeledNamespace(api);
      await api.until(`${path}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
      await api.post(`${path}/configmaps`, configMap('a'), quiet);
      await api.post(`${path}/secrets`, { metadata: { name: 's' } }, quiet);
      const reply = denying('a', () => isDenied);
      await hooks.validate({ rules: on('DELETE'), namespaceSelector: selector, reply });
      await api.delete(path, undefined, quiet);
      await api.until(`${path}/secrets/s`, isAbsent);
      await api.until(path, ({ body }) =>
        body.status.conditions?.some(({ type, status }: Json) => type.endsWith('ContentFailure') && status === 'True'),
      );
      const conditions = ['type', 'status', 'reason', 'message'].map((field) => `status.conditions.*.${field}`);
      await api.get(path, { only: ['status.phase', ...conditions] });
      isDenied = false;
      await api.until(path, isAbsent);
    }),
    'reviews the default objects of a namespace': hooked(async (api, hooks) => {
      const name = api.name('other');
      const path = `/api/v1/namespaces/${name}`;
      await hooks.validate({
        rules: [rule({ operations: ['CREATE'], resources: ['configmaps', 'serviceaccounts'] })],
        namespaceSelector: { matchLabels: { case: name } },
      });
      await api.post('/api/v1/namespaces', { metadata: { name, labels: { case: name } } }, quiet);
      await api.until(`${path}/serviceaccounts/default`, ({ status }) => status === 200);
      await api.until(`${path}/configmaps/kube-root-ca.crt`, ({ status }) => status === 200);
      const byName = new Map(hooks.server.takeCalls().map(({ review }) => [review.request.name, review]));
      for (const one of ['default', 'kube-root-ca.crt']) {
        api.received('POST <webhook>/check', byName.get(one), { only: reviewed });
      }
    }),
  },
);
