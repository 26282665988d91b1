import { contract } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { install, widgets, widgetsOf } from './custom-kinds.js';

const configMaps = (api: ContractApi): string => `/api/v1/namespaces/${api.namespace}/configmaps`;
const json = 'application/json';
const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partial = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partials = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
const accepting = (accept: string): { headers: { accept: string } } => ({ headers: { accept } });
const columns = 'columnDefinitions.*.name';

async function make(api: ContractApi, name = 'a'): Promise<string> {
  await api.post(configMaps(api), { metadata: { name, labels: { app: 'x' } }, data: { k: 'v' } }, { quiet: true });
  return `${configMaps(api)}/${name}`;
}

/** Creates two objects that are each large enough for compression. */
async function makeLarge(api: ContractApi): Promise<void> {
  for (const name of ['large-a', 'large-b']) {
    const body = { metadata: { name, labels: { app: 'large' } }, data: { k: 'x'.repeat(200_000) } };
    await api.post(configMaps(api), body, { quiet: true });
  }
}
const large = (api: ContractApi): string => `${configMaps(api)}?labelSelector=app%3Dlarge`;
const packed = (
  encoding: string,
): { headers: { 'accept-encoding': string }; only: string[]; showHeaders: string[] } => ({
  headers: { 'accept-encoding': encoding },
  only: ['kind', 'metadata.name', 'items.*.metadata.name'],
  showHeaders: ['vary'],
});

contract(
  'negotiation',
  {},
  {
    'returns JSON by default': async (api) => {
      const path = await make(api);
      for (const accept of ['*/*', 'application/*', 'application/json', 'application/json; charset=utf-8', '']) {
        await api.get(path, { ...accepting(accept), only: ['kind', 'code', 'message'] });
      }
    },
    'returns JSON if the client accepts CBOR or JSON': async (api) => {
      const path = await make(api);
      await api.get(path, { ...accepting('application/xml;q=0.9, application/json;q=0.8'), only: ['kind'] });
      await api.get(path, { ...accepting('text/html, */*;q=0.1'), only: ['kind'] });
    },
    'returns 406 for unsupported media types': async (api) => {
      const path = await make(api);
      for (const accept of ['application/xml', 'text/plain', 'application/cbor', 'text/*'])
        await api.get(path, accepting(accept));
      await api.post(configMaps(api), { metadata: { name: 'b' } }, accepting('application/xml'));
      await api.get(configMaps(api), accepting('application/xml'));
    },
    'returns 406 for unsupported media types of a custom object': async (api) => {
      await install(api, widgets(api));
      await api.get(widgetsOf(api), accepting('application/xml'));
      await api.get(widgetsOf(api), {
        ...accepting('application/vnd.kubernetes.protobuf, application/json'),
        only: ['kind'],
      });
    },
    'parses the Accept header like a real server': async (api) => {
      await install(api, widgets(api));
      const path = await make(api);
      for (const accept of ['*', 'APPLICATION/JSON', `${json};as=`, `${json};as=Table;g=meta.k8s.io`, 'text/*', ',']) {
        for (const each of [path, widgetsOf(api)]) {
          await api.get(each, { ...accepting(accept), only: ['kind', 'message', 'details'] });
        }
      }
      await api.get(path, { ...accepting(table.replace('Table', '"Table"')), only: ['message'] });
    },
    'negotiates the media types of discovery and OpenAPI documents': async (api) => {
      await install(api, widgets(api));
      await api.until(`/apis/${api.group}/v1`, ({ status }) => status === 200);
      const documents = ['/api', '/apis', '/apis/apps', '/apis/apps/v1', `/apis/${api.group}/v1`, '/version'];
      for (const accept of ['', '*', 'application/*', 'text/html', table, `${table},${json}`]) {
        for (const path of documents)
          await api.get(path, { ...accepting(accept), only: ['kind', 'message', 'details'] });
      }
      await api.post('/version', {}, accepting('text/html'));
      await api.post('/api/v1', {}, accepting('text/html'));
    },
    'reads YAML bodies': async (api) => {
      const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: "1"\n  on: "yes"\n';
      await api.post(configMaps(api), yaml, { type: 'application/yaml' });
      await api.put(`${configMaps(api)}/a`, 'metadata: {name: a}\ndata: {k: "2"}\n', {
        type: 'application/yaml',
        only: ['data'],
      });
      await api.post(configMaps(api), 'a: [', { type: 'application/yaml', only: ['code', 'reason'] });
    },
    'reads the first document of YAML 1.1 bodies': async (api) => {
      const yaml = (name: string, data: string) =>
        `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  k: ${data}\n`;
      const options = { type: 'application/yaml', only: ['data', 'code', 'reason', 'metadata.name'] };
      for (const [at, value] of ['12:30', '2024-01-01', '!!binary aGVsbG8=', '0o644', '0644', 'on', 'y', '~'].entries())
        await api.post(configMaps(api), yaml(`v${at}`, value), options);
      await api.post(configMaps(api), `${yaml('first', 'a')}---\n${yaml('second', 'b')}`, options);
    },
    'rejects CBOR bodies': async (api) => {
      await api.post(configMaps(api), 'x', { type: 'application/cbor' });
      await api.patch(`${configMaps(api)}/a`, 'x', { type: 'application/apply-patch+cbor' });
    },
    'returns an object as a table': async (api) => {
      const path = await make(api);
      const only = ['kind', 'apiVersion', 'metadata', 'columnDefinitions', 'rows.*.object'];
      await api.get(path, { ...accepting(table), only });
      await api.get(path, { ...accepting(table.replace('v=v1', 'v=v1beta1')), only });
    },
    'returns a list as a table': async (api) => {
      await make(api, 'a');
      await make(api, 'b');
      const only = ['kind', 'apiVersion', 'metadata', columns, 'rows.*.object.metadata.name'];
      await api.get(`${configMaps(api)}?labelSelector=app`, { ...accepting(table), only });
      await api.get(`${configMaps(api)}?labelSelector=app&limit=1`, {
        ...accepting(table),
        only: ['metadata', 'rows.*.object.metadata.name'],
      });
      await api.get(`${configMaps(api)}?labelSelector=none`, { ...accepting(table), only: [columns, 'rows'] });
    },
    'includes metadata, the object, or nothing in the rows of a table': async (api) => {
      await make(api);
      for (const include of ['None', 'Metadata', 'Object', '', 'Some']) {
        await api.get(`${configMaps(api)}?labelSelector=app&includeObject=${include}`, {
          ...accepting(table),
          only: ['rows.*.object', 'code', 'message'],
        });
      }
    },
    'returns a custom list as a table': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' } },
        { quiet: true },
      );
      await api.get(widgetsOf(api), {
        ...accepting(table),
        only: ['kind', 'metadata', 'columnDefinitions', 'rows.*.object'],
      });
      await api.get(`${widgetsOf(api)}?includeObject=Object`, { ...accepting(table), only: ['rows.*.object'] });
    },
    'returns the result of a write as a table': async (api) => {
      await api.post(configMaps(api), { metadata: { name: 'a' } }, { ...accepting(table), only: ['kind', columns] });
      await api.delete(`${configMaps(api)}/a`, undefined, accepting(table));
    },
    'does not return an error as a table': async (api) => {
      await api.get(`${configMaps(api)}/none`, accepting(table));
      await api.get(`${configMaps(api)}/none`, accepting(partial));
    },
    'returns the metadata of an object': async (api) => {
      const path = await make(api);
      await api.get(path, accepting(partial));
      await api.get(path, accepting(partial.replace('v=v1', 'v=v1beta1')));
      await api.get(path, accepting(partials));
    },
    'returns the metadata of a list': async (api) => {
      await make(api);
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(partials));
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(partial));
      await api.get(`${configMaps(api)}?labelSelector=app`, accepting(`${partials},application/json`));
    },
    'returns the metadata of a custom list': async (api) => {
      await install(api, widgets(api));
      await api.post(
        widgetsOf(api),
        { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'w' }, spec: { size: 1 } },
        { quiet: true },
      );
      await api.get(widgetsOf(api), accepting(partials));
    },
    'sends only the metadata of objects in a watch': async (api) => {
      await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app`, {
        ...accepting(partial),
        until: (events) => events.length === 1,
      });
    },
    'sends bookmarks in a watch of metadata': async (api) => {
      await make(api);
      const query =
        'watch=1&labelSelector=app&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
      await api.watch(`${configMaps(api)}?${query}`, {
        ...accepting(partial),
        bookmarks: true,
        until: (events) => events.length === 2,
      });
    },
    'sends bookmarks in a watch of tables': async (api) => {
      await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app&allowWatchBookmarks=true`, {
        ...accepting(table),
        bookmarks: true,
        until: (events) => events.length === 2,
        only: ['type', 'object.kind', 'object.metadata', 'object.columnDefinitions.*.name', 'object.rows.*.object'],
      });
    },
    'after the first event, ends a watch that requests PartialObjectMetadataList': async (api) => {
      await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app`, {
        ...accepting(partials),
        until: () => false,
      });
    },
    'sends tables in a watch': async (api) => {
      await make(api);
      await api.watch(`${configMaps(api)}?watch=1&labelSelector=app`, {
        ...accepting(table),
        during: () => make(api, 'b'),
        until: (events) => events.length === 2,
        only: [
          'type',
          'object.kind',
          'object.columnDefinitions',
          'object.metadata',
          'object.rows.*.object.metadata.name',
        ],
      });
    },
    'returns 406 for an unknown representation': async (api) => {
      const path = await make(api);
      await api.get(path, accepting('application/json;as=Chair;v=v1;g=meta.k8s.io'));
      await api.get(path, accepting('application/json;as=Table;v=v9;g=meta.k8s.io'));
      await api.get(path, accepting('application/json;as=Table;v=v1;g=example.com'));
      await api.get(path, {
        ...accepting('application/json;as=Chair;v=v1;g=meta.k8s.io, application/json'),
        only: ['kind'],
      });
      await api.get(path, { ...accepting(`${table}, application/json`), only: ['kind'] });
    },
    'returns multi-line JSON with pretty=true': async (api) => {
      const path = await make(api);
      const pretty = await api.get(`${path}?pretty=true`, { only: ['kind'] });
      await api.get(`${path}?pretty=false`, { only: ['kind'] });
      if (pretty.status !== 200) throw new Error('the server rejected pretty=true');
    },
    'does not compress a small response': async (api) => {
      const path = await make(api);
      await api.get(path, {
        headers: { 'accept-encoding': 'gzip' },
        only: ['kind'],
        showHeaders: ['vary', 'content-encoding', 'cache-control'],
      });
    },
    'compresses a large response with gzip': async (api) => {
      await makeLarge(api);
      for (const encoding of ['gzip', 'br, gzip', 'gzip,deflate']) await api.get(large(api), packed(encoding));
      await api.get(`${configMaps(api)}/large-a`, packed('gzip'));
    },
    'does not compress a response for clients that do not accept gzip': async (api) => {
      await makeLarge(api);
      for (const encoding of ['', 'identity', 'deflate', '*', 'GZIP', 'gzip;q=0', 'gzip;q=1.0, deflate']) {
        await api.get(large(api), packed(encoding));
      }
      await api.get(large(api), { only: ['items.*.metadata.name'], showHeaders: ['vary'] });
    },
    'compresses large responses to writes': async (api) => {
      await makeLarge(api);
      const data = { k: 'y'.repeat(200_000) };
      await api.put(`${configMaps(api)}/large-a`, { metadata: { name: 'large-a' }, data }, packed('gzip'));
      await api.post(configMaps(api), { metadata: { name: 'large-c' }, data }, packed('gzip'));
      await api.delete(large(api), undefined, packed('gzip'));
    },
    'does not compress a small representation of a large object': async (api) => {
      await makeLarge(api);
      for (const accept of [table, partials]) {
        const { headers, ...options } = packed('gzip');
        await api.get(large(api), { ...options, headers: { ...headers, accept } });
      }
    },
    'does not compress a watch': async (api) => {
      await makeLarge(api);
      await api.watch(`${large(api)}&watch=1`, {
        until: (events) => events.length === 2,
        headers: { 'accept-encoding': 'gzip' },
        only: ['type', 'object.metadata.name'],
        showHeaders: ['vary'],
      });
    },
    'returns the same response headers as a real server': async (api) => {
      const path = await make(api);
      await api.get(path, { only: ['kind'], showHeaders: ['cache-control', 'vary', 'content-type'] });
      await api.get(`${configMaps(api)}/none`, {
        only: ['code'],
        showHeaders: ['cache-control', 'vary', 'content-type'],
      });
      await api.get('/version', { only: ['major'], showHeaders: ['cache-control', 'content-type'] });
      await api.get('/nothing', { showHeaders: ['cache-control', 'content-type'] });
    },
  },
);
