import {
  applied,
  configMap,
  configMaps,
  create,
  filled,
  json,
  keys,
  list,
  patch,
  text,
  thing,
  things,
  yaml,
} from './case-bodies.js';
import type { LimitCase } from './limit-case.js';

const named = (count: number, value: string) => thing({ byName: list(count, (at) => ({ name: `n${at}`, value })) });
const yamlMap = (lines: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n${lines}`;

const storable = configMap(keys(30_000));
const managed = (count: number) => ({
  managedFields: list(count, (at) => ({
    manager: `m${at}`,
    operation: 'Update',
    apiVersion: 'v1',
    time: '2026-01-01T00:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  })),
});
const owners = list(30_000, (at) => ({ apiVersion: 'v1', kind: 'Pod', name: `n${at}`, uid: `u${at}` }));
const ports = list(60_000, () => ({ containerPort: 1 }));
const operations = list(9000, (at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' }));

/** Requests of up to 3 MiB that are expensive to read, to judge, to store or to answer. */
export const limitCases: readonly LimitCase[] = [
  { name: 'a ConfigMap with 30,000 keys', request: create(storable), status: 201 },
  { name: 'an apply of 30,000 keys', request: applied(configMaps, storable), status: 201 },
  {
    name: 'an update of 30,000 keys',
    before: [create(storable)],
    request: { method: 'PUT', path: `${configMaps}/a`, type: json, body: JSON.stringify(configMap(keys(30_000, 'w'))) },
    status: 200,
  },
  {
    name: 'a JSON patch with 9,000 operations',
    before: [create(configMap({ a: 'b' }))],
    request: patch('application/json-patch+json', operations),
    status: 200,
  },
  { name: 'a value of 3 MiB', request: create(configMap({ a: filled('a') })), status: 422 },
  { name: 'a value of escapes', request: text(json, `{"data":{"a":"${filled('\\u0000')}"}}`), status: 422 },
  { name: '15,000 field managers', request: create(configMap({ a: 'b' }, managed(15_000))), status: 201 },
  { name: '30,000 owner references', request: create(configMap({}, { ownerReferences: owners })), status: 500 },
  {
    name: 'an apply of a list-map with 20,000 items',
    request: applied(things, named(20_000, 'v')),
    status: 500,
    mostMs: 200,
  },
  {
    name: 'a custom object with 30,000 undeclared fields',
    request: { ...create(thing({ open: keys(30_000) })), path: things },
    status: 201,
  },
  ...['!a ', '!!binary ', '[', '- ', '? '].map((piece) => ({
    name: `3 MiB of ${JSON.stringify(piece)} in YAML`,
    request: text(yaml, filled(piece)),
    status: 400,
  })),
  {
    name: 'a literal block of 3 MiB in YAML',
    request: text(yaml, yamlMap(`  a: |\n${filled('    text\n').slice(0, -100)}\n`)),
    status: 422,
  },
  { name: 'a ConfigMap with 100,000 keys', request: create(configMap(keys(100_000))), status: 500, mostMs: 500 },
  {
    name: 'an apply of 100,000 keys',
    request: applied(configMaps, configMap(keys(100_000))),
    status: 500,
    mostMs: 500,
  },
  {
    name: '100,000 keys in YAML',
    request: text(yaml, yamlMap(list(100_000, (at) => `  k${at}: v\n`).join(''))),
    status: 500,
    mostMs: 500,
  },
  {
    name: '60,000 ports with one number',
    request: {
      ...create({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'a' },
        spec: { containers: [{ name: 'a', image: 'a', ports }] },
      }),
      path: '/api/v1/namespaces/default/pods?dryRun=All',
    },
    status: 201,
    mostMs: 600,
  },
  { name: '150,000 unknown fields', request: create({ ...configMap({}), ...keys(150_000) }), status: 201, mostMs: 600 },
];
