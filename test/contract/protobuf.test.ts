import { contract } from './contract.js';
import type { ContractApi, RequestOptions } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';
import { pod } from './pod-bodies.js';
import { PROTOBUF, protobufOf } from './protobuf-wire.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const pods = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/pods`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const as = (kind: string, version = 'v1'): string => `as=${kind};v=${version};g=meta.k8s.io`;
const partial = `${PROTOBUF};${as('PartialObjectMetadata')}`;
const partials = `${PROTOBUF};${as('PartialObjectMetadataList')}`;
const accepting = (accept: string, options: RequestOptions = {}): RequestOptions => ({
  ...options,
  headers: { accept },
});
const typed = { type: PROTOBUF };
const short = ['apiVersion', 'kind', 'code', 'reason', 'message'];
const configMap = (name: string, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, labels: { app: 'x' } },
  ...more,
});

async function make(api: ContractApi, name = 'a'): Promise<string> {
  await api.post(configMaps(api), configMap(name, { data: { k: 'v' } }), { quiet: true });
  return `${configMaps(api)}/${name}`;
}

async function makeWidget(api: ContractApi): Promise<string> {
  await install(api, widgets(api));
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  await api.post(widgetsOf(api), widget, { quiet: true });
  return `${widgetsOf(api)}/w`;
}

const deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', annotations: { note: 'größer' } },
  spec: {
    replicas: 0,
    selector: { matchLabels: { app: 'web' } },
    strategy: { rollingUpdate: { maxSurge: '25%', maxUnavailable: 0 } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: { containers: [{ name: 'c', image: 'i', resources: { limits: { cpu: '100m' } } }] },
    },
  },
};

contract(
  'protobuf',
  {},
  {
    'returns an object as protobuf': async (api) => {
      await api.get(await make(api), accepting(PROTOBUF));
    },
    'returns an object with all kinds of fields as protobuf': async (api) => {
      const spec = {
        nodeSelector: { disk: 'ssd' },
        tolerations: [{ key: 'a', operator: 'Exists', tolerationSeconds: 30 }],
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [{ containerPort: 80, name: 'web' }],
            env: [
              { name: 'A', value: '1' },
              { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
            resources: { requests: { memory: '64Mi' } },
            livenessProbe: { httpGet: { port: 'web', path: '/' } },
          },
        ],
      };
      await api.post(pods(api), pod('a', spec), { quiet: true });
      await api.get(`${pods(api)}/a`, accepting(PROTOBUF));
    },
    'returns binary data as protobuf': async (api) => {
      const secret = { metadata: { name: 's' }, data: { a: 'AAEC/w==', b: '' } };
      const path = `/api/v1/namespaces/${api.namespace}/secrets`;
      await api.post(path, secret, accepting(PROTOBUF));
      await api.get(`${path}/s`, accepting(PROTOBUF, { only: ['data', 'type'] }));
    },
    'returns a list as protobuf': async (api) => {
      for (const name of ['a', 'b']) await make(api, name);
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(PROTOBUF));
      await api.get(`${configMaps(api)}?labelSelector=none`, accepting(PROTOBUF));
    },
    'returns a page of a list as protobuf': async (api) => {
      for (const name of ['a', 'b', 'c']) await make(api, name);
      const { body } = await api.get(`${configMaps(api)}?limit=2`, accepting(PROTOBUF, { only: ['metadata'] }));
      const token = encodeURIComponent(body.metadata.continue);
      await api.get(
        `${configMaps(api)}?limit=9&continue=${token}`,
        accepting(PROTOBUF, { only: ['metadata', 'items.*.metadata.name'] }),
      );
    },
    'returns the result of each write as protobuf': async (api) => {
      const only = ['apiVersion', 'kind', 'metadata.name', 'data', 'status', 'details', 'code'];
      const options = accepting(PROTOBUF, { only });
      await api.post(configMaps(api), configMap('a'), options);
      await api.put(`${configMaps(api)}/a`, configMap('a', { data: { k: '1' } }), options);
      await api.patch(`${configMaps(api)}/a`, { data: { k: '2' } }, options);
      const applied = JSON.stringify(configMap('a', { data: { l: '3' } }));
      await api.patch(`${configMaps(api)}/a?fieldManager=m`, applied, {
        ...options,
        type: 'application/apply-patch+yaml',
      });
      await api.delete(`${configMaps(api)}/a`, undefined, options);
    },
    'returns the deleted objects of a collection as protobuf': async (api) => {
      for (const name of ['a', 'b']) await make(api, name);
      const only = ['apiVersion', 'kind', 'items.*.metadata.name'];
      await api.delete(`${configMaps(api)}?labelSelector=app`, undefined, accepting(PROTOBUF, { only }));
    },
    'returns errors as protobuf': async (api) => {
      const options = accepting(PROTOBUF);
      await api.get(`${configMaps(api)}/none`, options);
      await api.post(configMaps(api), { metadata: { name: 'Invalid Name' } }, options);
      await api.get(`${configMaps(api)}?limit=x`, options);
      await api.get(`${configMaps(api)}?continue=x`, options);
      await make(api);
      await api.post(configMaps(api), configMap('a'), options);
    },
    'returns an error of an invalid body as protobuf': async (api) => {
      await api.post(configMaps(api), '{', accepting(PROTOBUF));
      await api.post(configMaps(api), 'x', { ...accepting(PROTOBUF), type: 'text/plain' });
      await api.patch(`${configMaps(api)}/a`, 'x', { ...accepting(PROTOBUF), type: 'text/plain' });
    },
    'returns errors of paths without a resource as protobuf': async (api) => {
      await api.get(`/api/v1/namespaces/${api.namespace}/nothings`, accepting(PROTOBUF));
      await api.post('/version', {}, accepting(PROTOBUF));
      await api.get('/apis/apps/v9/deployments', accepting(PROTOBUF));
    },
    'returns authorization errors as protobuf': async (api) => {
      await api.get(configMaps(api), { headers: { accept: PROTOBUF, 'impersonate-user': 'nobody' } });
      await api.get(configMaps(api), { headers: { accept: PROTOBUF, authorization: 'Bearer unknown' } });
    },
    'returns an error as JSON if the server cannot return errors in an accepted format': async (api) => {
      await api.get(`${configMaps(api)}/none`, accepting(partial));
      await api.get(`${configMaps(api)}/none`, accepting(`${partial},${PROTOBUF}`));
      await api.get(`${configMaps(api)}/none`, accepting('application/xml'));
      await api.get(`${configMaps(api)}/none`, accepting(`application/xml,${PROTOBUF}`));
    },
    'returns the metadata of an object as protobuf': async (api) => {
      const path = await make(api);
      await api.get(path, accepting(partial));
      await api.get(path, accepting(`${PROTOBUF};${as('PartialObjectMetadata', 'v1beta1')}`));
      await api.get(path, accepting(partials));
    },
    'returns the metadata of a list as protobuf': async (api) => {
      await make(api);
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(partials));
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(partial));
    },
    'returns the metadata of the result of a write as protobuf': async (api) => {
      const only = ['apiVersion', 'kind', 'metadata.name', 'status', 'details'];
      await api.post(configMaps(api), configMap('a'), accepting(partial, { only }));
      await api.patch(`${configMaps(api)}/a`, { data: { k: '2' } }, accepting(partial, { only }));
      await api.delete(`${configMaps(api)}/a`, undefined, accepting(partial, { only }));
    },
    'returns the metadata of a custom object as protobuf': async (api) => {
      await api.get(await makeWidget(api), accepting(partial));
      await api.get(widgetsOf(api), accepting(partials));
      await api.get(`${widgetsOf(api)}?limit=1`, accepting(partials, { only: ['metadata', 'kind'] }));
    },
    'does not return a custom object as protobuf': async (api) => {
      const path = await makeWidget(api);
      await api.get(path, accepting(PROTOBUF));
      await api.get(path, accepting(`${PROTOBUF},application/json`, { only: ['kind'] }));
      await api.get(widgetsOf(api), accepting(`${PROTOBUF},application/yaml`, { only: ['kind'] }));
    },
    'returns an error about a custom object as protobuf': async (api) => {
      await makeWidget(api);
      await api.get(`${widgetsOf(api)}/none`, accepting(`${PROTOBUF},application/json`));
      await api.get(`${widgetsOf(api)}/none`, accepting(PROTOBUF));
      await api.delete(
        `${widgetsOf(api)}/w`,
        undefined,
        accepting(partial, { only: ['kind', 'status', 'details.name'] }),
      );
    },
    'does not return tables as protobuf': async (api) => {
      const path = await make(api);
      await api.get(path, accepting(`${PROTOBUF};${as('Table')}`));
      await api.get(path, accepting(`${PROTOBUF};${as('Table')},application/json;${as('Table')}`, { only: ['kind'] }));
      await api.get(path, accepting(`${PROTOBUF};${as('Table')},${PROTOBUF}`, { only: ['kind'] }));
    },
    'selects the accepted format with the highest quality, and then the first': async (api) => {
      const path = await make(api);
      for (const accept of [
        `application/json;q=0.5,${PROTOBUF};q=0.9`,
        `${PROTOBUF};q=0.1,application/json`,
        `${PROTOBUF},application/json`,
        `application/json,${PROTOBUF}`,
        `*/*,${PROTOBUF};q=0.1`,
        `${PROTOBUF};q=0,application/json;q=0.1`,
        `${PROTOBUF};stream=watch`,
        `${PROTOBUF};stream=other,application/yaml`,
        `${PROTOBUF};sv=v1`,
        `${PROTOBUF};sv=v2,application/json`,
        `application/xml,${PROTOBUF};q=x`,
        `${PROTOBUF};charset=utf-8`,
      ])
        await api.get(path, accepting(accept, { only: ['kind'] }));
    },
    'sends watch events as protobuf': async (api) => {
      const path = await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app`, {
        ...accepting(PROTOBUF),
        during: async () => {
          await api.patch(path, { data: { k: 'w' } }, { quiet: true });
          await api.delete(path, undefined, { quiet: true });
        },
        until: (events) => events.length === 3,
      });
    },
    'sends bookmarks as protobuf': async (api) => {
      await make(api);
      const query =
        'watch=1&labelSelector=app&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(`${configMaps(api)}?${query}`, {
        ...accepting(`${PROTOBUF};stream=watch`),
        bookmarks: true,
        until: (events) => events.length === 2,
      });
    },
    'sends bookmarks of Pods as protobuf': async (api) => {
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(`${pods(api)}?${query}`, {
        ...accepting(PROTOBUF),
        bookmarks: true,
        until: (events) => events.length === 1,
      });
    },
    'sends the error of an expired watch as protobuf': async (api) => {
      await api.watch(`${configMaps(api)}?watch=1&resourceVersion=1`, {
        ...accepting(PROTOBUF),
        until: (events) => events.length === 1,
        only: ['type', 'object.kind', 'object.apiVersion', 'object.code', 'object.reason'],
      });
    },
    'sends the metadata of objects in a watch as protobuf': async (api) => {
      await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app`, {
        ...accepting(partial),
        until: (events) => events.length === 1,
      });
    },
    'sends the metadata of custom objects in a watch as protobuf': async (api) => {
      await makeWidget(api);
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        ...accepting(partial),
        until: (events) => events.length === 1,
      });
      const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(`${widgetsOf(api)}?${query}`, {
        ...accepting(partial),
        bookmarks: true,
        until: (events) => events.length === 2,
        only: ['type', 'object.kind', 'object.metadata.name', 'object.metadata.annotations'],
      });
    },
    'rejects a watch in a format without streams': async (api) => {
      await makeWidget(api);
      for (const path of [configMaps(api), widgetsOf(api)]) {
        for (const accept of ['application/yaml', 'application/yaml,application/json', 'application/xml'])
          await api.watch(`${path}?watch=1`, { ...accepting(accept), until: () => true, only: short });
      }
      await api.watch(`${widgetsOf(api)}?watch=1`, { ...accepting(PROTOBUF), until: () => true });
    },
    'returns and reads a Scale as protobuf': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      const path = `${deployments(api)}/web/scale`;
      await api.get(path, accepting(PROTOBUF));
      const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 1 } };
      await api.put(path, await protobufOf(scale), { ...typed, ...accepting(PROTOBUF, { only: ['kind', 'spec'] }) });
      await api.patch(path, { spec: { replicas: 0 } }, accepting(PROTOBUF, { only: ['kind', 'spec'] }));
    },
    'returns the status of an object as protobuf': async (api) => {
      await api.post(deployments(api), deployment, { quiet: true });
      await api.patch(
        `${deployments(api)}/web/status`,
        { status: { replicas: 0 } },
        accepting(PROTOBUF, { only: ['apiVersion', 'kind', 'metadata.annotations', 'spec'] }),
      );
    },
    'creates an object from protobuf': async (api) => {
      await api.post(deployments(api), await protobufOf(deployment), {
        ...typed,
        only: ['kind', 'metadata.annotations', 'spec'],
      });
      await api.post(configMaps(api), await protobufOf(configMap('a', { data: { k: 'v' } })), {
        ...typed,
        ...accepting(PROTOBUF),
      });
    },
    'updates an object from protobuf': async (api) => {
      const path = await make(api);
      await api.put(path, await protobufOf(configMap('a', { data: { k: '2' } })), {
        ...typed,
        only: ['data', 'metadata.labels'],
      });
      await api.put(path, await protobufOf(configMap('b')), { ...typed, only: short });
      const old = { ...configMap('a'), metadata: { name: 'a', resourceVersion: '1' } };
      await api.put(path, await protobufOf(old), { ...typed, only: short });
    },
    'deletes an object with options in protobuf': async (api) => {
      const path = await make(api);
      const options = (more: object): Promise<Buffer> =>
        protobufOf({ apiVersion: 'v1', kind: 'DeleteOptions', ...more });
      await api.delete(path, await options({ dryRun: ['All'] }), { ...typed, only: ['kind', 'status'] });
      await api.delete(path, await options({ preconditions: { uid: 'other' } }), { ...typed, only: short });
      await api.delete(path, await options({ propagationPolicy: 'Nothing' }), { ...typed, only: short });
      await api.delete(path, await options({ gracePeriodSeconds: 0 }), { ...typed, only: ['kind', 'status'] });
    },
    'deletes a custom object with options in protobuf': async (api) => {
      const path = await makeWidget(api);
      const options = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'other' } };
      await api.delete(path, await protobufOf(options), { ...typed, only: short });
      const dryRun = await protobufOf({ apiVersion: 'v1', kind: 'DeleteOptions', dryRun: ['All'] });
      await api.delete(path, dryRun, { ...typed, only: ['kind', 'status'] });
    },
    'evicts a Pod with a body in protobuf': async (api) => {
      await api.post(pods(api), pod('a'), { quiet: true });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'a' } };
      await api.post(`${pods(api)}/a/eviction`, await protobufOf(eviction), { ...typed, ...accepting(PROTOBUF) });
    },
    'requests and reviews a token in protobuf': async (api) => {
      const account = `/api/v1/namespaces/${api.namespace}/serviceaccounts/default/token`;
      const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['a'] } };
      const options = { ...typed, ...accepting(PROTOBUF, { only: ['apiVersion', 'kind', 'spec.audiences'] }) };
      const { body } = await api.post(account, await protobufOf(request), options);
      const review = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenReview',
        spec: { token: body.status.token, audiences: ['a'] },
      };
      await api.post('/apis/authentication.k8s.io/v1/tokenreviews', await protobufOf(review), {
        ...typed,
        ...accepting(PROTOBUF, {
          only: ['apiVersion', 'kind', 'status.authenticated', 'status.audiences', 'status.user.username'],
        }),
      });
    },
    'reviews access in protobuf': async (api) => {
      const resourceAttributes = { verb: 'get', resource: 'pods', namespace: api.namespace };
      for (const [kind, more] of [
        ['SelfSubjectAccessReview', {}],
        ['SubjectAccessReview', { user: 'nobody', extra: { a: ['b'] } }],
      ] as const) {
        const review = { apiVersion: 'authorization.k8s.io/v1', kind, spec: { resourceAttributes, ...more } };
        const path = `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`;
        await api.post(path, await protobufOf(review), {
          ...typed,
          ...accepting(PROTOBUF, { only: ['kind', 'spec', 'status'] }),
        });
      }
    },
    'returns CustomResourceDefinitions as protobuf': async (api) => {
      const definition = widgets(api);
      await install(api, definition);
      const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.${api.group}`;
      await api.get(path, accepting(PROTOBUF, { only: ['apiVersion', 'kind', 'metadata.name', 'spec'] }));
    },
    'returns discovery documents as protobuf': async (api) => {
      const only = ['apiVersion', 'kind', 'name', 'versions', 'groupVersion', 'preferredVersion'];
      for (const path of ['/api', '/apis', '/apis/apps', '/apis/apps/v1', '/api/v1'])
        await api.get(path, accepting(PROTOBUF, { only }));
      await api.get('/version', accepting(PROTOBUF, { only: short }));
      await api.get('/version', accepting(`${PROTOBUF},application/json`, { only: ['major'] }));
    },
    'returns resources in discovery as protobuf': async (api) => {
      await api.get('/apis/autoscaling/v2', accepting(PROTOBUF));
      await api.get('/apis/policy/v1', accepting(PROTOBUF));
    },
    'rejects bodies that are not protobuf': async (api) => {
      await api.post(configMaps(api), Buffer.of(), { ...typed, only: ['code', 'reason'] });
      await api.post(configMaps(api), Buffer.from('{}'), {
        ...typed,
        ...accepting(PROTOBUF, { only: ['code', 'reason', 'message'] }),
      });
      await api.post(configMaps(api), await protobufOf({ ...configMap('a'), apiVersion: 'v1', kind: 'Secret' }), {
        ...typed,
        only: short,
      });
    },
    'names the accepted formats of a body': async (api) => {
      await makeWidget(api);
      for (const path of [configMaps(api), widgetsOf(api)]) {
        for (const type of ['text/plain', 'application/cbor', 'application/json;charset', 'application/*'])
          await api.post(path, 'x', { type, only: short });
      }
    },
  },
);
