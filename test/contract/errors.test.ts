import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const named = (name: string): object => ({ metadata: { name } });

contract(
  'errors',
  {},
  {
    'rejects a body that is not JSON': async (api) => {
      for (const body of ['{', 'not json', '{"metadata":}', '{"a":1}}', '"text"', '[]', '5', 'true']) {
        await api.post(configMaps(api), body);
      }
    },
    'rejects an empty body': async (api) => {
      await api.post(configMaps(api), '');
      await api.post(configMaps(api));
      await api.post(configMaps(api), 'null');
      await api.post(configMaps(api), '{}');
    },
    'rejects a body of a custom object that is not JSON': async (api) => {
      await install(api, widgets(api));
      for (const body of ['{', 'not json', '[]', '5', '']) await api.post(widgetsOf(api), body);
    },
    'rejects a custom object without kind or apiVersion, or with a wrong kind or apiVersion': async (api) => {
      await install(api, widgets(api));
      await api.post(widgetsOf(api), named('w'));
      await api.post(widgetsOf(api), { kind: 'Widget', ...named('w') });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Gadget', ...named('w') });
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v2`, kind: 'Widget', ...named('w') });
      await api.post(widgetsOf(api), { apiVersion: 'v1', kind: 'Widget', ...named('w') });
    },
    'rejects a body of another kind': async (api) => {
      await api.post(configMaps(api), { kind: 'Secret', apiVersion: 'v1', ...named('a') });
      await api.post(configMaps(api), { kind: 'Nothing', apiVersion: 'v1', ...named('a') });
      await api.post(configMaps(api), { kind: 'ConfigMap', apiVersion: 'apps/v1', ...named('a') });
      await api.post(configMaps(api), { kind: 'ConfigMap', apiVersion: 'v2', ...named('a') });
      await api.post(configMaps(api), { kind: 'ConfigMapList', apiVersion: 'v1', items: [] });
      await api.post(configMaps(api), { kind: 'Status', apiVersion: 'v1' });
    },
    'rejects kind and apiVersion that are not strings': async (api) => {
      await api.post(configMaps(api), { kind: 5, apiVersion: 'v1', ...named('a') });
      await api.post(configMaps(api), { kind: 'ConfigMap', apiVersion: {}, ...named('a') });
    },
    'rejects a namespace that differs from the path': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', namespace: 'other' } });
      await api.post(configMaps(api), named('a'), { quiet: true });
      await api.put(`${configMaps(api)}/a`, { metadata: { name: 'a', namespace: 'other' } });
      await api.patch(`${configMaps(api)}/a`, { metadata: { namespace: 'other' } });
    },
    'rejects a name that differs from the path': async (api) => {
      await api.post(configMaps(api), named('a'), { quiet: true });
      await api.put(`${configMaps(api)}/a`, named('b'));
      await api.put(`${configMaps(api)}/a`, { metadata: {} });
      await api.put(`${configMaps(api)}/a`, {});
      await api.patch(`${configMaps(api)}/a`, { metadata: { name: 'b' } });
    },
    'rejects a name or namespace of a custom object that differs from the path': async (api) => {
      await install(api, widgets(api));
      const typed = { apiVersion: `${api.group}/v1`, kind: 'Widget' };
      const { body } = await api.post(widgetsOf(api), { ...typed, ...named('a') }, { quiet: true });
      await api.post(widgetsOf(api), { ...typed, metadata: { name: 'b', namespace: 'other' } });
      await api.put(`${widgetsOf(api)}/a`, { ...body, metadata: { ...body.metadata, name: 'b' } });
      await api.put(`${widgetsOf(api)}/a`, { ...body, metadata: { ...body.metadata, namespace: 'other' } });
      await api.put(`${widgetsOf(api)}/a`, { ...typed, ...named('a') });
      await api.put(`${widgetsOf(api)}/none`, { ...typed, ...named('none') });
      await api.patch(`${widgetsOf(api)}/a`, { metadata: { name: 'b' } });
    },
    'rejects metadata that is not an object': async (api) => {
      await api.post(configMaps(api), { metadata: 'a' });
      await api.post(configMaps(api), { metadata: [] });
      await api.post(configMaps(api), { metadata: { name: 5 } });
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: 5 } } });
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: 'x' } });
      await api.post(configMaps(api), { metadata: null });
    },
    'rejects invalid names': async (api) => {
      for (const name of ['A', 'a_b', '-a', 'a-', 'a..b', 'a/b', 'x'.repeat(254), '']) {
        await api.post(configMaps(api), named(name));
      }
    },
    'rejects invalid labels': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { '-x': 'v' } } });
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: '-v' } } });
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { 'a/b/c': 'v' } } });
      await api.post(configMaps(api), { metadata: { name: 'a', labels: { x: 'v'.repeat(64) } } });
      await api.post(configMaps(api), named('a'), { quiet: true });
      await api.patch(`${configMaps(api)}/a`, { metadata: { labels: { x: '-v' } } }, { only: ['code', 'message'] });
    },
    'rejects invalid annotations, finalizers, and owner references': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a', annotations: { 'a b': 'v' } } });
      await api.post(configMaps(api), { metadata: { name: 'a', annotations: { a: 'v'.repeat(262_145) } } });
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['nothing'] } });
      await api.post(configMaps(api), { metadata: { name: 'a', finalizers: ['a.b/c/d'] } });
      await api.post(configMaps(api), { metadata: { name: 'a', ownerReferences: [{}] } });
      const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' };
      await api.post(
        configMaps(api),
        {
          metadata: {
            name: 'a',
            ownerReferences: [
              { ...owner, controller: true },
              { ...owner, uid: 'w', controller: true },
            ],
          },
        },
        { only: ['code', 'reason', 'details.causes.*.field', 'details.causes.*.reason'] },
      );
    },
    'returns 404 for an absent namespace': async (api) => {
      await api.post('/api/v1/namespaces/nowhere-at-all/configmaps', named('a'));
      await api.get('/api/v1/namespaces/nowhere-at-all/configmaps/a');
      await api.delete('/api/v1/namespaces/nowhere-at-all/configmaps/a');
      await api.get('/api/v1/namespaces/nowhere-at-all');
    },
    'returns 404 for an unknown resource': async (api) => {
      await api.get(`/api/v1/namespaces/${api.namespace}/nothings`);
      await api.get('/api/v1/nothings/a');
      await api.post(`/apis/apps/v1/namespaces/${api.namespace}/nothings`, named('a'));
      await api.get(`${configMaps(api)}/a/nothing`);
      await api.get(`${deployments(api)}/a/nothing`);
    },
    'returns 404 for an unknown group or version': async (api) => {
      await api.get(`/apis/${api.group}/v1/widgets`);
      await api.get('/apis/apps/v9/deployments');
      await api.get('/api/v9/pods');
      await api.get(`/apis/${api.group}`);
      await api.get('/nothing');
    },
    'returns 404 for versions, resources, and subresources that a definition does not declare': async (api) => {
      await install(api, widgets(api));
      await api.get(`${widgetsOf(api)}/none`);
      await api.get(`/apis/${api.group}/v1/gadgets`);
      await api.get(`/apis/${api.group}/v2/widgets`);
      await api.get(`${widgetsOf(api)}/a/status`);
      await api.get(`${widgetsOf(api)}/a/scale`);
      await api.get(`${widgetsOf(api)}/a/b`);
    },
    'returns 404 for cluster-scoped resources in a namespace, and for namespaced resources without a namespace': async (
      api,
    ) => {
      await api.get(`/api/v1/namespaces/${api.namespace}/nodes`);
      await api.get(`/api/v1/namespaces/${api.namespace}/namespaces`);
      await api.get('/api/v1/configmaps/a');
      await api.post('/api/v1/configmaps', named('a'));
      await api.put('/api/v1/configmaps/a', named('a'));
      await api.delete('/api/v1/configmaps');
    },
    'returns 404 for a namespaced custom resource without a namespace': async (api) => {
      await install(api, widgets(api));
      const typed = { apiVersion: `${api.group}/v1`, kind: 'Widget', ...named('a') };
      await api.post(`/apis/${api.group}/v1/widgets`, typed);
      await api.get(`/apis/${api.group}/v1/widgets/a`);
    },
    'rejects methods that a path does not support': async (api) => {
      await api.put(configMaps(api), named('a'));
      await api.patch(configMaps(api), {});
      await api.post(`${configMaps(api)}/a`, named('a'));
      await api.request('OPTIONS', configMaps(api), {});
      await api.request('PROPFIND', configMaps(api), {});
      await api.post('/api/v1/nodes/n/proxy', {}, { only: ['code', 'reason'] });
      await api.delete('/api/v1/namespaces');
    },
    'rejects methods that a path of a custom resource does not support': async (api) => {
      await install(api, widgets(api));
      await api.put(widgetsOf(api), named('a'));
      await api.patch(widgetsOf(api), {});
      await api.post(`${widgetsOf(api)}/a`, named('a'));
      await api.request('OPTIONS', widgetsOf(api), {});
    },
    'rejects verbs that a subresource does not support': async (api) => {
      await api.post(`${deployments(api)}/a/status`, {});
      await api.delete(`${deployments(api)}/a/status`);
      await api.delete(`${deployments(api)}/a/scale`);
    },
    'does not normalize paths': async (api) => {
      const space = `/api/v1/namespaces/${api.namespace}`;
      await api.post(configMaps(api), named('a'), { quiet: true });
      for (const name of ['..', '.', '/a', 'a%2Fb', 'a%25b', '%2e%2e', 'a%20b', 'a"b', '%61']) {
        await api.get(`${configMaps(api)}/${name}`, { only: ['message', 'code', 'details', 'metadata.name'] });
      }
      for (const name of ['..', '.', '/a']) await api.delete(`${configMaps(api)}/${name}`);
      await api.put(`${configMaps(api)}/..`, named('a'));
      await api.patch(`${configMaps(api)}/..`, {});
      for (const path of [`${space}//configmaps`, `${space}/./configmaps`, '/api//v1', '//api/v1', '/api/v1//pods']) {
        await api.get(path);
      }
      await api.get(`${configMaps(api)}//`, { only: ['kind'] });
      await api.get(`${configMaps(api)}/%zz`);
    },
    'does not normalize paths of custom resources': async (api) => {
      await install(api, widgets(api));
      await api.post(widgetsOf(api), { apiVersion: `${api.group}/v1`, kind: 'Widget', ...named('a') }, { quiet: true });
      for (const name of ['..', '.', '/a', 'a%2Fb']) {
        await api.get(`${widgetsOf(api)}/${name}`);
        await api.delete(`${widgetsOf(api)}/${name}`);
      }
      await api.get(`/apis/${api.group}//v1`);
      await api.get(`/apis/${api.group}/v1/namespaces//widgets`, { only: ['kind'] });
      await api.post(`/apis/${api.group}/v1/namespaces//widgets`, {});
    },
    'supports HEAD for custom resources, but not for built-in resources': async (api) => {
      await install(api, widgets(api));
      for (const path of [configMaps(api), `${configMaps(api)}/a`, '/api/v1', '/apis/apps/v1', '/apis/apps']) {
        await api.request('HEAD', path, {});
      }
      const watch = `/api/v1/watch/namespaces/${api.namespace}/configmaps`;
      for (const method of ['POST', 'PUT', 'DELETE']) await api.request(method, watch, { body: {} });
      await api.request('HEAD', widgetsOf(api), {});
      await api.request('HEAD', `${widgetsOf(api)}/nobody`, {});
    },
    'rejects an unsupported content type': async (api) => {
      await api.post(configMaps(api), 'x', { type: 'text/plain' });
      await api.post(configMaps(api), 'x', { type: 'application/xml' });
      await api.post(configMaps(api), '{}', { type: 'application/merge-patch+json' });
      await api.put(`${configMaps(api)}/a`, 'x', { type: 'text/plain' });
      await api.delete(`${configMaps(api)}/a`, 'x', { type: 'text/plain' });
      await install(api, widgets(api));
      await api.post(widgetsOf(api), 'x', { type: 'text/plain' });
    },
    'rejects an unsupported patch type': async (api) => {
      await api.post(configMaps(api), named('a'), { quiet: true });
      await api.patch(`${configMaps(api)}/a`, {}, { type: 'application/json' });
      await api.patch(`${configMaps(api)}/a`, {}, { type: 'text/plain' });
      await install(api, widgets(api));
      await api.patch(`${widgetsOf(api)}/a`, {}, { type: 'application/strategic-merge-patch+json' });
    },
    'treats an invalid content type as unsupported': async (api) => {
      await install(api, widgets(api));
      for (const type of [';', 'application/json;a', 'application/json;a=b;a=c', 'application/json;']) {
        await api.post(`${configMaps(api)}?dryRun=All`, named('a'), { type, only: ['kind', 'message'] });
        await api.post(`${widgetsOf(api)}?dryRun=All`, {}, { type, only: ['kind', 'message'] });
      }
    },
    'accepts a content type with a parameter': async (api) => {
      await api.post(configMaps(api), named('a'), { type: 'application/json; charset=utf-8' });
      await api.patch(
        `${configMaps(api)}/a`,
        { data: { k: 'v' } },
        { type: 'application/merge-patch+json; charset=utf-8' },
      );
    },
    'rejects a body that is too large': async (api) => {
      await api.post(configMaps(api), JSON.stringify({ ...named('a'), data: { k: 'v'.repeat(3_200_000) } }));
    },
    'rejects JSON that is nested too deeply': async (api) => {
      const deep = `${'{"a":'.repeat(10_001)}1${'}'.repeat(10_001)}`;
      await api.post(configMaps(api), deep);
      await api.post(configMaps(api), named('a'), { quiet: true });
      await api.patch(`${configMaps(api)}/a`, deep);
    },
    'rejects invalid options': async (api) => {
      await api.post(`${configMaps(api)}?dryRun=Some`, named('a'));
      await api.post(`${configMaps(api)}?fieldValidation=Some`, named('a'));
      await api.post(`${configMaps(api)}?fieldManager=${'m'.repeat(129)}`, named('a'));
      await api.post(`${configMaps(api)}?fieldManager=${encodeURIComponent('a\u0001b')}`, named('a'));
      await api.put(`${configMaps(api)}/a?dryRun=Some&fieldValidation=Some`, named('a'));
      await api.patch(`${configMaps(api)}/a?dryRun=Some`, {});
      await api.patch(`${configMaps(api)}/a?force=true`, {});
      await api.patch(`${configMaps(api)}/a?fieldManager=${'m'.repeat(129)}`, {});
    },
    'rejects an invalid timeout of a request': async (api) => {
      const timeouts = ['x', '5', '-', '.s', '5y', '1h5', '1s2x', '99999999999999999999s', '10000000h', '1"', 'ü'];
      for (const timeout of timeouts) await api.get(`${configMaps(api)}?timeout=${encodeURIComponent(timeout)}`);
      await api.post(`${configMaps(api)}?timeout=x`, named('a'));
      await api.delete(`${configMaps(api)}/a?timeout=x`);
      await api.get('/version?timeout=x');
      await api.get(`${configMaps(api)}?timeout=x`, { as: 'wrong' });
    },
    'accepts an empty, zero, negative or long timeout of a request': async (api) => {
      const timeouts = ['', '0', '-1s', '+1m', '1.5m', '.5m', '1h1m', '2m3ms', '100h'];
      for (const timeout of timeouts) {
        await api.get(`${configMaps(api)}/a?timeout=${encodeURIComponent(timeout)}`, { only: ['reason'] });
      }
    },
    'returns 404 for a patch of an absent object': async (api) => {
      await api.patch(`${configMaps(api)}/none`, {});
      await api.patch(`${deployments(api)}/none`, {}, { type: 'application/strategic-merge-patch+json' });
      await api.patch(`${deployments(api)}/none/status`, {});
      await api.patch(`${deployments(api)}/none/scale`, {});
    },
    'rejects new objects in a terminating namespace': async (api) => {
      const going = api.name('going');
      const path = `/api/v1/namespaces/${going}/configmaps`;
      await api.post('/api/v1/namespaces', named(going), { quiet: true });
      await api.post(path, { metadata: { name: 'a', finalizers: ['example.com/f'] } }, { quiet: true });
      await api.delete(`/api/v1/namespaces/${going}`, undefined, { quiet: true });
      await api.post(path, named('b'));
      await api.patch(`${path}/a`, { data: { k: 'v' } }, { only: ['data'] });
      await api.patch(`${path}/a`, { metadata: { finalizers: null } }, { quiet: true });
    },
  },
);
