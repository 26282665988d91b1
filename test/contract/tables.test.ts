import type { ContractApi } from './contract-api.js';
import { contract } from './contract.js';
import { install, version, widgets, widgetsOf } from './custom-kinds.js';

const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
const cells = { headers: table, only: ['kind', 'rows.*.cells'] };

const columns = [
  { name: 'Text', type: 'string', jsonPath: '.spec.value' },
  { name: 'Whole', type: 'integer', jsonPath: '.spec.value' },
  { name: 'Number', type: 'number', jsonPath: '.spec.value' },
  { name: 'Truth', type: 'boolean', jsonPath: '.spec.value' },
];

/** Installs a Widget kind that accepts any value, with the given columns. */
function printed(api: ContractApi, additionalPrinterColumns: readonly object[]): Promise<void> {
  const free = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: free, status: free } } };
  return install(api, widgets(api, { versions: [version('v1', { schema, additionalPrinterColumns })] }));
}

async function make(api: ContractApi, name: string, spec: object): Promise<void> {
  const object = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name }, spec };
  await api.post(widgetsOf(api), object, { quiet: true });
}

contract(
  'tables',
  {},
  {
    'returns the columns of a custom kind with types, formats, and priorities': async (api) => {
      await printed(api, [
        { name: 'Size', type: 'integer', format: 'int32', jsonPath: '.spec.size', description: 'How large.' },
        { name: 'Where', type: 'string', jsonPath: '.spec.where', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ]);
      await api.get(widgetsOf(api), { headers: table });
    },
    'returns name and age for a custom kind without columns': async (api) => {
      await printed(api, []);
      await api.get(widgetsOf(api), { headers: table, only: ['columnDefinitions', 'rows'] });
    },
    'formats cells of a string column': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: 'x' });
      await api.get(`${widgetsOf(api)}/a`, cells);
    },
    'formats cells of an integer column': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: 3 });
      await api.get(`${widgetsOf(api)}/a`, cells);
    },
    'formats cells of a number column': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: 2.75 });
      await api.get(`${widgetsOf(api)}/a`, cells);
    },
    'formats cells of large numbers': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: 12345678901 });
      await make(api, 'b', { value: 1e300 });
      await api.get(widgetsOf(api), cells);
    },
    'formats cells of booleans and null': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: true });
      await make(api, 'b', { value: null });
      await make(api, 'c', {});
      await api.get(widgetsOf(api), cells);
    },
    'formats cells of objects and lists': async (api) => {
      await printed(api, columns);
      await make(api, 'a', { value: { b: 1, a: ['x'] } });
      await make(api, 'b', { value: ['x', 1, null] });
      await make(api, 'c', { value: [] });
      await api.get(widgetsOf(api), cells);
    },
    'formats cells of a date column': async (api) => {
      const date = { name: 'When', type: 'date', jsonPath: '.spec.when' };
      await printed(api, [date]);
      await make(api, 'a', { when: '2001-01-01T00:00:00Z' });
      await make(api, 'b', { when: 'yesterday' });
      await make(api, 'c', { when: 5 });
      await make(api, 'd', {});
      await api.get(widgetsOf(api), {
        headers: table,
        only: ['columnDefinitions', 'rows.1.cells', 'rows.*.object.metadata.name'],
      });
      for (const name of ['b', 'c', 'd']) await api.get(`${widgetsOf(api)}/${name}`, cells);
    },
    'evaluates column paths with indexes, filters, and keys': async (api) => {
      await printed(api, [
        { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
        { name: 'Last', type: 'string', jsonPath: '.spec.list[-1]' },
        { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Key', type: 'string', jsonPath: '.metadata.labels.example\\.com/colour' },
      ]);
      const object = {
        apiVersion: `${api.group}/v1`,
        kind: 'Widget',
        spec: { list: ['x', 'y'] },
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      };
      await api.post(
        widgetsOf(api),
        { ...object, metadata: { name: 'a', labels: { 'example.com/colour': 'red' } } },
        { quiet: true },
      );
      await make(api, 'b', { list: [] });
      await api.get(widgetsOf(api), cells);
    },
    'omits columns after a column with an invalid path': async (api) => {
      await printed(api, [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
        { name: 'Broken', type: 'string', jsonPath: '.spec[' },
        { name: 'Where', type: 'string', jsonPath: '.spec.where' },
      ]);
      await make(api, 'a', { size: 1, where: 'x' });
      await api.get(widgetsOf(api), { headers: table, only: ['columnDefinitions.*.name', 'rows.*.cells'] });
    },
    'includes metadata, the object, or nothing in the rows': async (api) => {
      await printed(api, []);
      await make(api, 'a', { size: 1 });
      const one = `${widgetsOf(api)}/a`;
      const rows = { headers: table, only: ['rows.*.object', 'message', 'reason'] };
      await api.get(one, rows);
      await api.get(`${one}?includeObject=Metadata`, rows);
      await api.get(`${one}?includeObject=Object`, rows);
      await api.get(`${one}?includeObject=None`, rows);
      await api.get(`${one}?includeObject=Everything`, rows);
    },
    'returns the resourceVersion of the object or of the list': async (api) => {
      await printed(api, []);
      await make(api, 'a', {});
      await api.get(`${widgetsOf(api)}/a`, { headers: table, only: ['metadata'] });
      await api.get(`${widgetsOf(api)}?limit=1`, { headers: table, only: ['metadata', 'rows.*.object.metadata.name'] });
    },
    'returns a table of meta.k8s.io/v1beta1': async (api) => {
      await printed(api, []);
      const headers = { accept: 'application/json;as=Table;v=v1beta1;g=meta.k8s.io' };
      await make(api, 'a', {});
      await api.get(widgetsOf(api), {
        headers,
        only: ['kind', 'apiVersion', 'rows.*.object.kind', 'rows.*.object.apiVersion'],
      });
    },
    'returns 406 for a table of an unknown version or group': async (api) => {
      await printed(api, []);
      await api.get(widgetsOf(api), { headers: { accept: 'application/json;as=Table;v=v2;g=meta.k8s.io' } });
      await api.get(widgetsOf(api), { headers: { accept: 'application/json;as=Table;v=v1;g=example.com' } });
      await api.get(widgetsOf(api), { headers: { accept: 'application/json;as=Chart;v=v1;g=meta.k8s.io' } });
    },
    'returns the second media type if the first is not supported': async (api) => {
      await printed(api, []);
      const accept = 'application/json;as=Table;v=v2;g=meta.k8s.io,application/json';
      await api.get(widgetsOf(api), { headers: { accept }, only: ['kind'] });
      await api.get(widgetsOf(api), { headers: { accept: `${table.accept},application/json` }, only: ['kind'] });
    },
    'sends columns only with the first row of a watch': async (api) => {
      await printed(api, []);
      await make(api, 'a', {});
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        headers: table,
        during: () => api.patch(`${widgetsOf(api)}/a`, { spec: { size: 1 } }, { quiet: true }),
        until: (events) => events.length === 2,
        only: [
          'type',
          'object.kind',
          'object.apiVersion',
          'object.columnDefinitions',
          'object.rows.*.object.metadata.name',
        ],
      });
    },
    'returns a created object as a table': async (api) => {
      await printed(api, columns);
      const object = { apiVersion: `${api.group}/v1`, kind: 'Widget', metadata: { name: 'a' }, spec: { value: 1 } };
      await api.post(widgetsOf(api), object, cells);
      await api.patch(`${widgetsOf(api)}/a`, { spec: { value: 2 } }, cells);
    },
    'returns errors as Status for every media type': async (api) => {
      await api.get(`/api/v1/namespaces/${api.namespace}/configmaps/none`, { headers: table });
    },
    'returns a deletion as Status for a table request': async (api) => {
      const maps = `/api/v1/namespaces/${api.namespace}/configmaps`;
      await api.post(maps, { metadata: { name: 'a' } }, { quiet: true });
      await api.delete(`${maps}/a`, undefined, { headers: table });
    },
    'shows the number of data keys of ConfigMaps': async (api) => {
      const maps = `/api/v1/namespaces/${api.namespace}/configmaps`;
      await api.post(
        maps,
        { metadata: { name: 'a' }, data: { x: '1', y: '2' }, binaryData: { z: 'AA==' } },
        { quiet: true },
      );
      await api.get(`${maps}/a`, { headers: table, only: ['columnDefinitions', 'rows.0.object.metadata.name'] });
    },
    'returns a table without rows for an empty list': async (api) => {
      await api.get(`/api/v1/namespaces/${api.namespace}/secrets`, {
        headers: table,
        only: ['kind', 'columnDefinitions', 'rows'],
      });
    },
    'returns partial metadata of an object and of a list': async (api) => {
      await printed(api, []);
      await make(api, 'a', { size: 1 });
      const one = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' };
      const list = { accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io' };
      await api.get(`${widgetsOf(api)}/a`, { headers: one });
      await api.get(widgetsOf(api), { headers: list });
      await api.get(widgetsOf(api), { headers: one });
      await api.get(`${widgetsOf(api)}/a`, { headers: list });
    },
    'returns partial metadata in a watch': async (api) => {
      await printed(api, []);
      await make(api, 'a', { size: 1 });
      const accept = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
      await api.watch(`${widgetsOf(api)}?watch=1`, {
        headers: { accept },
        until: (events) => events.length === 1,
        only: ['type', 'object.kind', 'object.apiVersion', 'object.spec', 'object.metadata.name'],
      });
    },
  },
);
