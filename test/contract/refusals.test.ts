import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, statusAndScale, version, widgets, widgetSchema, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const deployments = (api: ContractApi): string => `/apis/apps/v1/namespaces/${api.namespace}/deployments`;
const jsonPatch = { type: 'application/json-patch+json' };
const strategicPatch = { type: 'application/strategic-merge-patch+json' };
const body = (name: string, more: object = {}): object => ({ metadata: { name }, ...more });

async function make(api: ContractApi, more: object = {}): Promise<string> {
  await api.post(configMaps(api), body('a', more), { quiet: true });
  return `${configMaps(api)}/a`;
}

async function makeWidget(api: ContractApi): Promise<string> {
  const later = version('v2', { storage: false });
  await install(api, widgets(api, { versions: [version('v1', { subresources: statusAndScale }), later] }));
  const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
  await api.post(widgetsOf(api), widget, { quiet: true });
  return `${widgetsOf(api)}/w`;
}

contract(
  'refusals',
  {},
  {
    'warns about unknown fields of an invalid object': async (api) => {
      await api.post(configMaps(api), body('A_', { nope: 1 }));
    },
    'warns about unknown fields in a conflict': async (api) => {
      const path = await make(api);
      await api.post(configMaps(api), body('a', { nope: 1 }));
      await api.put(path, { ...body('a', { nope: 1 }), metadata: { name: 'a', resourceVersion: '1' } });
    },
    'warns about unknown fields if the namespace does not exist': async (api) => {
      await api.post('/api/v1/namespaces/none-such/configmaps', body('a', { nope: 1 }));
    },
    'warns about unknown and duplicate fields of a rejected patch': async (api) => {
      const path = await make(api);
      await api.patch(path, '{"data":{"a":"1","a":"2"},"immutable":"x"}', { only: ['code', 'reason'] });
      await api.patch(path, { data: { 'a b': '1' }, nope: 1 });
      await api.patch(`${configMaps(api)}/none`, { nope: 1 });
    },
    'does not warn about an unreadable object': async (api) => {
      await api.post(configMaps(api), body('a', { nope: 1, immutable: 'x' }));
    },
    'warns about a deprecated kind in errors': async (api) => {
      const endpoints = `/api/v1/namespaces/${api.namespace}/endpoints`;
      await api.get(`${endpoints}/none`);
      await api.post(endpoints, body('A_', { nope: 1 }), { only: ['code', 'reason'] });
      await api.post(endpoints, body('a', { nope: 1 }), { only: ['kind', 'metadata.name'] });
    },
    'warns about unknown fields of an invalid custom object': async (api) => {
      await makeWidget(api);
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget' };
      await api.post(widgetsOf(api), { ...widget, ...body('b', { spec: { size: 0, nope: 1 }, other: 1 }) });
    },
    'reads the body of an update before it looks up the object': async (api) => {
      await api.put(`${configMaps(api)}/none`, body('none', { nope: 1 }));
      await api.put(`${configMaps(api)}/none`, body('other', { nope: 1 }));
      await api.put(`${configMaps(api)}/none`, body('none', { immutable: 'x' }));
    },
    'reads the body of an update of a custom object before it looks up the object': async (api) => {
      await makeWidget(api);
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', nope: 1 };
      for (const part of ['', '/status']) {
        await api.put(`${widgetsOf(api)}/none${part}`, { ...widget, metadata: { name: 'none' } });
        await api.put(`${widgetsOf(api)}/none${part}`, { ...widget, metadata: { name: 'other' } });
      }
      await api.put(`${widgetsOf(api)}/none/scale`, { metadata: { name: 'none' }, nope: 1 });
      await api.put(`${widgetsOf(api)}/none/scale`, { metadata: { name: 'other' }, nope: 1 });
    },
    'rejects a patch that changes the kind': async (api) => {
      const path = await make(api);
      await api.patch(path, { kind: 'Secret' });
      await api.patch(path, { kind: 'Nothing' });
      await api.patch(path, [{ op: 'replace', path: '/kind', value: 'Secret' }], jsonPatch);
    },
    'rejects a patch that changes the apiVersion': async (api) => {
      const path = await make(api);
      await api.patch(path, { apiVersion: 'v2' });
      await api.patch(path, { apiVersion: 'apps/v1' });
    },
    'rejects a patch that removes the apiVersion': async (api) => {
      const path = await make(api, { data: { k: 'v' } });
      await api.patch(path, { apiVersion: null });
      await api.patch(path, { apiVersion: '' });
      await api.patch(`${path}?fieldValidation=Ignore`, { apiVersion: null });
      await api.patch(`${path}?fieldValidation=Strict`, { apiVersion: null });
    },
    'accepts a patch that removes the kind': async (api) => {
      const path = await make(api);
      await api.patch(path, { kind: null });
      await api.patch(path, { kind: '' });
    },
    'rejects a patch whose result has an invalid kind or is not an object': async (api) => {
      const path = await make(api);
      await api.patch(path, { kind: 1 });
      await api.patch(path, { apiVersion: [] });
      await api.patch(path, [{ op: 'replace', path: '', value: [] }], jsonPatch);
    },
    'ignores kind and apiVersion of a strategic merge patch': async (api) => {
      const path = await make(api);
      await api.patch(path, { kind: 'Secret', data: { k: 'v' } }, strategicPatch);
      await api.patch(path, { kind: 'Nothing', apiVersion: 'v2' }, strategicPatch);
      await api.patch(path, { apiVersion: null }, strategicPatch);
    },
    'shows the fields of a rejected patched object in the order of a real server': async (api) => {
      const path = await make(api, { data: { z: '<&>', a: '2' } });
      await api.patch(path, { immutable: 'x' });
      await api.patch(path, { kind: 'X', metadata: { annotations: { z: '1', a: '2' } }, data: { c: '3' } });
      const annotations = { op: 'add', path: '/metadata/annotations', value: { z: '1', a: '2' } };
      await api.patch(path, [annotations, { op: 'replace', path: '/kind', value: 'Y' }], jsonPatch);
      await api.patch(`${path}?fieldValidation=Strict`, { zz: 1, metadata: { yy: 1 }, aa: 1 });
    },
    'warns about unknown fields of a patched object in alphabetical order': async (api) => {
      const path = await make(api);
      await api.patch(path, { zz: 1, metadata: { yy: 1 }, aa: 1 });
    },
    'rejects a status patch that changes the kind': async (api) => {
      const more = {
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      };
      const spec = { replicas: 0, paused: true, selector: { matchLabels: { a: 'b' } }, ...more };
      await api.post(deployments(api), body('d', { spec }), { quiet: true });
      for (const part of ['/status', '/scale']) {
        await api.patch(`${deployments(api)}/d${part}`, { kind: 'StatefulSet' }, { only: ['code', 'reason'] });
      }
    },
    'rejects an update of a custom object that changes the kind': async (api) => {
      const path = await makeWidget(api);
      await api.patch(path, { kind: 'Gadget' });
      await api.patch(path, [{ op: 'replace', path: '/kind', value: 'Gadget' }], jsonPatch);
      await api.put(path, { apiVersion: `${api.group}/v1`, kind: 'Gadget', metadata: { name: 'w' } });
    },
    'rejects an update of a custom object that changes the apiVersion': async (api) => {
      const path = await makeWidget(api);
      await api.patch(path, { apiVersion: 'v1' });
      await api.patch(path, { apiVersion: `${api.group}/v2` });
      await api.patch(path, { apiVersion: 'v1', kind: 'Gadget' });
      await api.patch(path, { apiVersion: null });
    },
    'rejects a patch that removes the kind of a custom object, or sets an invalid kind or apiVersion': async (api) => {
      const path = await makeWidget(api);
      for (const kind of [null, '', 1]) await api.patch(path, { kind });
      await api.patch(path, { apiVersion: 1 });
    },
    'rejects a patch of a custom object with invalid metadata': async (api) => {
      const path = await makeWidget(api);
      await api.patch(path, { metadata: [] });
      await api.patch(path, { metadata: null });
    },
    'reports unknown and duplicate fields in the order of the body': async (api) => {
      const text = '{"zz":1,"metadata":{"yy":1,"name":"c","name":"d"},"aa":1,"immutable":true,"immutable":false}';
      await api.post(configMaps(api), text);
      await api.post(`${configMaps(api)}?fieldValidation=Strict`, text);
    },
    'does not report duplicate fields in an unknown field': async (api) => {
      const text =
        '{"metadata":{"name":"a"},"nope":{"a":1,"a":2},"data":{"k":"1","k":"2"},"other":[{"x":1,"x":2}],"nope":1}';
      await api.post(configMaps(api), text);
      await api.post(`${configMaps(api)}?fieldValidation=Strict`, text);
    },
    'does not report duplicate fields in an unknown field of a custom object': async (api) => {
      await makeWidget(api);
      const text = `{"zz":1,"apiVersion":"${api.group}/v1","kind":"Widget","metadata":{"name":"x","name":"y"},"spec":{"b":1,"size":1,"size":2,"a":{"q":1,"q":2}}}`;
      await api.post(widgetsOf(api), text);
      await api.post(`${widgetsOf(api)}?fieldValidation=Strict`, text);
    },
    'truncates a long list of warnings': async (api) => {
      const names = Array.from({ length: 16 }, (_, at) => `${'n'.repeat(280)}${at}`);
      await api.post(configMaps(api), body('a', Object.fromEntries(names.map((name) => [name, 1]))));
      const few = names.slice(0, 14);
      await api.post(configMaps(api), body('b', Object.fromEntries(few.map((name) => [name, 1]))));
    },
    'encodes non-ASCII characters in warnings': async (api) => {
      await api.post(configMaps(api), body('a', { größe: 1, 大きさ: 2, 'with "quotes"': 3 }));
    },
    'rejects ConfigMaps that are too large': async (api) => {
      const data = { k: 'x'.repeat(1024 * 1024 + 1) };
      await api.post(configMaps(api), body('a', { data }));
      await api.post(configMaps(api), body('A_', { data: { ...data, 'a b': '' } }));
    },
    'reports schema violations of a patched custom object': async (api) => {
      await install(api, widgets(api, { versions: [version('v1', { schema: { openAPIV3Schema: widgetSchema } })] }));
      const widget = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } };
      await api.post(widgetsOf(api), widget, { quiet: true });
      await api.patch(`${widgetsOf(api)}/w`, { spec: { size: 'x', nope: 1 } });
    },
  },
);
