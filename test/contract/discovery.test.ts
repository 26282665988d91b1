import assert from 'node:assert/strict';
import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { change, definitionOf, install, statusAndScale, version, widgets } from './custom-kinds.js';

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';
const full = { names: { plural: 'widgets', kind: 'Widget', shortNames: ['wd'], categories: ['all', 'toys'] } };

interface Discovered {
  readonly metadata: object;
  readonly versions: readonly object[];
}

/** Returns the group of the case from aggregated discovery, as JSON text, as soon as the text matches. */
async function discovered(api: ContractApi, isSo: (text: string) => boolean): Promise<string> {
  for (;;) {
    const { body } = await api.get('/apis', { headers: { accept: v2 }, quiet: true });
    const group = body.items.find(({ metadata }: { metadata: { name?: string } }) => metadata.name === api.group);
    const text = JSON.stringify(group) ?? '';
    if (isSo(text)) return text;
  }
}

// The hash of the stored version depends on the group, so it is not compared.
const listed = {
  only: [
    'kind',
    'groupVersion',
    'resources.*.name',
    'resources.*.singularName',
    'resources.*.namespaced',
    'resources.*.kind',
    'resources.*.verbs',
    'resources.*.shortNames',
    'resources.*.categories',
    'resources.*.group',
    'resources.*.version',
  ],
};

const paths = [
  '/apis/apps/v1',
  '/apis/batch/v1',
  '/apis/autoscaling/v2',
  '/apis/networking.k8s.io/v1',
  '/apis/policy/v1',
  '/apis/rbac.authorization.k8s.io/v1',
  '/apis/storage.k8s.io/v1',
  '/apis/coordination.k8s.io/v1',
  '/apis/events.k8s.io/v1',
  '/apis/apiextensions.k8s.io/v1',
  '/apis/admissionregistration.k8s.io/v1',
  '/apis/scheduling.k8s.io/v1',
  '/apis/authentication.k8s.io/v1',
  '/apis/authorization.k8s.io/v1',
];

contract(
  'discovery',
  {},
  {
    ...Object.fromEntries(
      paths.map((path) => [
        `lists the resources of ${path}`,
        async (api: ContractApi): Promise<void> => {
          await api.get(path);
        },
      ]),
    ),
    'lists the versions of the core group': async (api) => {
      await api.get('/api', { only: ['kind', 'versions', 'serverAddressByClientCIDRs.*.clientCIDR'] });
    },
    'returns one group': async (api) => {
      await api.get('/apis/apps');
      await api.get('/apis/apps/');
    },
    'prefers the stable version of a group': async (api) => {
      await api.get('/apis/autoscaling');
    },
    'returns 404 for unknown groups, versions, and resources': async (api) => {
      await api.get('/apis/unknown.example.com');
      await api.get('/apis/unknown.example.com/v1');
      await api.get('/apis/apps/v9');
      await api.get('/api/v2');
      await api.get('/apis/apps/v1/gadgets');
      await api.get('/unknown');
    },
    'rejects writes to discovery paths': async (api) => {
      await api.post('/apis', {}, { only: ['kind', 'apiVersion'] });
      await api.post('/apis/apps', {});
      await api.put('/apis/apps/v1', {});
      await api.delete('/api');
    },
    'returns the version of the server': async (api) => {
      await api.get('/version', {
        only: ['major', 'minor', 'emulationMajor', 'emulationMinor', 'minCompatibilityMajor', 'minCompatibilityMinor'],
      });
      await api.get('/version', { as: '', only: ['major', 'minor'] });
    },
    'lists the paths of the server at its root': async (api) => {
      const { body } = await api.get('/', { quiet: true });
      for (const path of [
        '/api',
        '/apis',
        '/apis/',
        '/apis/apps',
        '/apis/apps/v1',
        '/openapi/v2',
        '/openapi/v3',
        '/openapi/v3/',
        '/version',
        '/healthz',
        '/livez',
        '/readyz',
      ]) {
        if (!(body.paths as string[]).includes(path)) throw new Error(`${path} is missing`);
      }
    },
    'returns the health with and without its checks': async (api) => {
      await api.get('/healthz');
      await api.get('/livez');
      await api.get('/readyz');
      await api.get('/readyz/ping');
      await api.get('/healthz/unknown');
      await api.get('/healthz', { as: '' });
    },
    'accepts any method for /healthz, /apis, and /openapi/v3, and returns 405 for /api and /version': async (api) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        for (const path of [
          '/healthz',
          '/readyz',
          '/apis/apps',
          '/api',
          '/apis/apps/v1',
          '/version',
          '/openid/v1/jwks',
        ]) {
          await api.request(method, path, { body: {} });
        }
      }
      await api.request('PUT', '/apis', { body: {}, only: ['kind'] });
      await api.request('PUT', '/openapi/v3', { body: {}, only: ['kind'] });
    },
    'lists the core group, and returns 304 for an unchanged document': async (api) => {
      await api.get('/api/v1', { only: ['kind', 'apiVersion', 'groupVersion'] });
      await api.get('/openapi/v3', { headers: { 'if-none-match': '"x"' }, only: ['kind'] });
      for (const tags of ['*', '"x", *', '"x"']) {
        await api.get('/openapi/v2', { headers: { 'if-none-match': tags }, only: ['swagger'] });
      }
    },
    'serves single health checks, and returns 404 for other subpaths': async (api) => {
      for (const path of ['/healthz/etcd', '/livez/log', '/readyz/shutdown', '/readyz/informer-sync', '/healthz/']) {
        await api.get(path, { showHeaders: ['x-content-type-options'] });
      }
      for (const path of ['/livez/shutdown', '/livez?exclude=etcd&exclude=nothing', '/version/a', '/openapi/v3/']) {
        await api.get(path);
      }
    },
    'returns the group of an established custom kind': async (api) => {
      await install(api, widgets(api, { ...full, versions: [version('v1', { subresources: statusAndScale })] }));
      await api.until(`/apis/${api.group}`, ({ status }) => status === 200);
      await api.get(`/apis/${api.group}`);
      await api.get(`/apis/${api.group}/v1`, listed);
      await api.get(`/apis/${api.group}/v2`, listed);
    },
    'lists the group of a custom kind': async (api) => {
      await install(api, widgets(api));
      const { body } = await api.until('/apis', ({ body: list }) => JSON.stringify(list).includes(`"${api.group}"`));
      const own = body.groups.filter(({ name }: { name: string }) => name === api.group);
      if (own.length !== 1) throw new Error('the group is not listed exactly once');
    },
    'orders the versions of a custom kind by stability': async (api) => {
      const names = ['v1alpha1', 'v2beta1', 'v1', 'v10', 'v2', 'foo', 'v1beta2'];
      const versions = names.map((name) => version(name, { storage: name === 'v1' }));
      await install(api, widgets(api, { versions }));
      await api.until(`/apis/${api.group}`, ({ body }) => body.versions?.length === names.length);
      await api.get(`/apis/${api.group}`);
      await api.get(`/apis/${api.group}/v2`, listed);
    },
    'removes a version that is no longer served': async (api) => {
      await install(api, widgets(api, { versions: [version('v1'), version('v2', { storage: false })] }));
      await api.until(`/apis/${api.group}`, ({ body }) => body.versions?.length === 2);
      await change(
        api,
        { versions: [version('v1'), version('v2', { storage: false, served: false })] },
        { quiet: true },
      );
      await api.until(`/apis/${api.group}`, ({ body }) => body.versions?.length === 1);
      await api.until(`/apis/${api.group}/v2`, ({ status }) => status === 404);
      await api.get(`/apis/${api.group}`);
      await api.get(`/apis/${api.group}/v2`, listed);
    },
    'lists a new short name': async (api) => {
      await install(api, widgets(api));
      await api.patch(definitionOf(api), { spec: { names: { shortNames: ['wd'] } } }, { quiet: true });
      await api.until(`/apis/${api.group}/v1`, ({ body }) => body.resources?.[0].shortNames !== undefined);
      await api.get(`/apis/${api.group}/v1`, listed);
    },
    'removes a group with its last definition': async (api) => {
      await install(api, widgets(api));
      await api.until(`/apis/${api.group}`, ({ status }) => status === 200);
      await api.delete(definitionOf(api), undefined, { quiet: true });
      await api.until(`/apis/${api.group}`, ({ status }) => status === 404);
      await api.get(`/apis/${api.group}`);
      await api.get(`/apis/${api.group}/v1`, listed);
    },
    'lists the kinds of a group by their plurals': async (api) => {
      await install(api, widgets(api));
      const gadgets = { names: { plural: 'gadgets', kind: 'Gadget' }, scope: 'Cluster' };
      await install(api, widgets(api, gadgets, { name: `gadgets.${api.group}` }));
      await api.until(`/apis/${api.group}/v1`, ({ body }) => body.resources?.length === 2);
      const text = await discovered(api, (group) => group.includes('gadgets') && group.includes('widgets'));
      if (text.indexOf('"gadgets"') > text.indexOf('"widgets"'))
        throw new Error('the resources are not sorted by plural');
    },
    'lists a custom kind in aggregated discovery': async (api) => {
      await install(api, widgets(api, { ...full, versions: [version('v1', { subresources: statusAndScale })] }));
      const group = JSON.parse(await discovered(api, (text) => text.includes('widgets'))) as Discovered;
      assert.deepEqual(Object.keys(group.metadata), ['name']);
      const kind = { group: api.group, version: 'v1', kind: 'Widget' };
      const verbs = ['get', 'patch', 'update'];
      assert.deepEqual(group.versions, [
        {
          version: 'v1',
          freshness: 'Current',
          resources: [
            {
              resource: 'widgets',
              responseKind: kind,
              scope: 'Namespaced',
              singularResource: 'widget',
              shortNames: ['wd'],
              categories: ['all', 'toys'],
              verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
              subresources: [
                { subresource: 'status', responseKind: kind, verbs },
                { subresource: 'scale', responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs },
              ],
            },
          ],
        },
      ]);
    },
    'returns 406 for aggregated discovery v2beta1': async (api) => {
      await api.get('/api', {
        headers: { accept: v2beta1 },
        showHeaders: ['vary', 'cache-control'],
        only: ['kind', 'apiVersion', 'items.*.metadata'],
      });
    },
    'returns 304 for an unchanged document': async (api) => {
      const { headers } = await api.get('/api', { headers: { accept: v2 }, quiet: true });
      const etag = headers['etag'] ?? '';
      if (!/^"[0-9A-F]{128}"$/.test(etag)) throw new Error(`unexpected ETag ${etag}`);
      await api.get('/api', { headers: { accept: v2, 'if-none-match': etag }, showHeaders: ['vary', 'cache-control'] });
      await api.get('/api', { headers: { accept: v2, 'if-none-match': '"other"' }, only: ['kind'] });
    },
    'changes the ETag with the document': async (api) => {
      const { headers: before } = await api.get('/apis', { headers: { accept: v2 }, quiet: true });
      await install(api, widgets(api));
      await discovered(api, (group) => group !== '');
      const { headers: after } = await api.get('/apis', { headers: { accept: v2 }, quiet: true });
      if (before['etag'] === after['etag']) throw new Error('the ETag did not change');
    },
    'returns the legacy list if application/json is the first supported media type': async (api) => {
      await api.get('/api', {
        headers: { accept: `${v2.replace('v=v2', 'v=v9')},application/json` },
        only: ['kind', 'versions'],
      });
      await api.get('/api', { headers: { accept: '*/*' }, only: ['kind', 'versions'] });
      await api.get('/api', { headers: { accept: `application/json,${v2}` }, only: ['kind', 'versions'] });
    },
    'returns 406 for an unknown discovery version': async (api) => {
      await api.get('/api', { headers: { accept: v2.replace('v=v2', 'v=v9') } });
      await api.get('/api', { headers: { accept: 'text/html' }, only: ['kind', 'message', 'reason'] });
    },
    'does not serve aggregated discovery of a single group': async (api) => {
      await api.get('/apis/apps', { headers: { accept: `${v2},application/json` }, only: ['kind'] });
    },
  },
);
