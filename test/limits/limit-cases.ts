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
import type { LimitCase, LimitRequest } from './limit-case.js';

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
const owners = (count: number) => ({
  ownerReferences: list(count, (at) => ({ apiVersion: 'v1', kind: 'Pod', name: `n${at}`, uid: `u${at}` })),
});
const finalizers = (count: number, prefix: string) => ({ finalizers: list(count, (at) => `a.b/${prefix}${at}`) });
const pod = (containers: readonly object[]): LimitRequest => ({
  ...create({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers } }),
  path: '/api/v1/namespaces/default/pods?dryRun=All',
});
const ports = (count: number) => [{ name: 'a', image: 'a', ports: list(count, () => ({ containerPort: 1 })) }];
const containers = (count: number) => list(count, (at) => ({ name: `a${at}`, image: 'a' }));
const onThings = (request: LimitRequest): LimitRequest => ({ ...request, path: things });

const jsonPatch = 'application/json-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
const empty = [create(configMap({ a: 'b' }))];

/** Requests whose objects have slightly fewer values than the limit of the server. */
const belowTheCap: readonly LimitCase[] = [
  { name: 'a ConfigMap with 30,000 keys', request: create(storable), status: 201 },
  { name: 'an apply of 30,000 keys', request: applied(configMaps, storable), status: 201 },
  {
    name: 'an update of 30,000 keys',
    before: [create(storable)],
    request: { method: 'PUT', path: `${configMaps}/a`, type: json, body: JSON.stringify(configMap(keys(30_000, 'w'))) },
    status: 200,
  },
  {
    name: 'a merge patch with 30,000 keys',
    before: empty,
    request: patch('application/merge-patch+json', { data: keys(30_000) }),
    status: 200,
  },
  {
    name: 'a strategic merge patch with 30,000 keys',
    before: empty,
    request: patch(strategicPatch, { data: keys(30_000) }),
    status: 200,
  },
  {
    name: 'a strategic merge patch with 15,000 finalizers',
    before: [create(configMap({}, finalizers(15_000, 'c')))],
    request: patch(strategicPatch, { metadata: finalizers(15_000, 'd') }),
    status: 200,
  },
  {
    name: 'a strategic merge patch with 10,000 owner references',
    before: empty,
    request: patch(strategicPatch, { metadata: owners(10_000) }),
    status: 200,
  },
  {
    name: 'a JSON patch with 9,000 operations',
    before: empty,
    request: patch(
      jsonPatch,
      list(9000, (at) => ({ op: 'add', path: `/data/k${at}`, value: 'v' })),
    ),
    status: 200,
  },
  {
    name: 'a JSON patch with 9,000 insertions into a long list',
    before: [create(configMap({}, finalizers(20_000, 'c')))],
    request: patch(
      jsonPatch,
      list(9000, (at) => ({ op: 'add', path: '/metadata/finalizers/0', value: `a.b/d${at}` })),
    ),
    status: 200,
  },
  { name: '7,000 field managers', request: create(configMap({ a: 'b' }, managed(7000))), status: 201 },
  { name: '10,000 owner references', request: create(configMap({}, owners(10_000))), status: 201 },
  { name: 'an apply of a list-map with 9,000 items', request: applied(things, named(9000, 'v')), status: 201 },
  {
    name: 'a custom object with 30,000 undeclared fields',
    request: onThings(create(thing({ open: keys(30_000) }))),
    status: 201,
  },
  { name: '65,000 unknown fields', request: create({ ...configMap({}), ...keys(65_000) }), status: 201 },
  { name: '20,000 ports with the same number', request: pod(ports(20_000)), status: 201 },
  { name: '3,000 containers', request: pod(containers(3000)), status: 201 },
];

/** Requests whose bodies, results or objects have more values than the limit of the server. */
const aboveTheCap: readonly LimitCase[] = [
  { name: 'a ConfigMap with 100,000 keys', request: create(configMap(keys(100_000))), status: 413 },
  { name: 'an apply of 100,000 keys', request: applied(configMaps, configMap(keys(100_000))), status: 413 },
  {
    name: '100,000 keys in YAML',
    request: text(yaml, yamlMap(list(100_000, (at) => `  k${at}: v\n`).join(''))),
    status: 413,
  },
  {
    name: '100,000 values of aliases in YAML',
    request: text(yaml, `a: &a [${'1,'.repeat(5000)}]\nb: [${'*a,'.repeat(20)}]\n`),
    status: 413,
  },
  { name: '150,000 unknown fields', request: create({ ...configMap({}), ...keys(150_000) }), status: 413 },
  { name: 'a list of 1,500,000 numbers', request: text(json, `[${filled('1,')}1]`), status: 413 },
  {
    name: 'a list of 1,500,000 numbers without the closing bracket',
    request: text(json, `[${filled('1,')}1`),
    status: 400,
  },
  { name: '60,000 keys and their managed fields', request: create(configMap(keys(60_000))), status: 413 },
  {
    name: 'an apply of a list-map with 20,000 items',
    request: applied(things, named(20_000, 'v')),
    status: 413,
  },
  { name: '4,000 containers with the mounts of their tokens', request: pod(containers(4000)), status: 413 },
  { name: '21,000 containers with their defaults', request: pod(containers(21_000)), status: 413 },
  {
    name: '60,000 items with 1,000 defaults each',
    request: onThings(create(thing({ defaulted: list(60_000, () => ({})) }))),
    status: 413,
  },
  {
    name: 'a JSON patch with 9,000 copies of 100 values',
    before: [create(configMap(keys(100)))],
    request: patch(
      jsonPatch,
      list(9000, (at) => ({ op: 'copy', from: '/data', path: `/metadata/k${at}` })),
    ),
    status: 413,
  },
  {
    name: 'a merge patch whose result has 100,000 values',
    before: [create(storable)],
    request: patch('application/merge-patch+json', { other: keys(50_000) }),
    status: 413,
  },
];

/** Requests with long texts. */
const longTexts: readonly LimitCase[] = [
  { name: 'a value of 3 MiB', request: create(configMap({ a: filled('a') })), status: 422 },
  {
    name: 'a value of 3 MiB of escape sequences',
    request: text(json, `{"data":{"a":"${filled('\\u0000')}"}}`),
    status: 422,
  },
  ...['[', '{"a":', ' ', '1', '"'].map((piece) => ({
    name: `3 MiB of ${JSON.stringify(piece)} in JSON`,
    request: text(json, filled(piece)),
    status: 400,
  })),
  ...['!a ', '&a ', '"" ', '!!binary ', '[', '- ', '? '].map((piece) => ({
    name: `3 MiB of ${JSON.stringify(piece)} in YAML`,
    request: text(yaml, filled(piece)),
    status: 400,
  })),
  {
    name: 'a literal block of 3 MiB in YAML',
    request: text(yaml, yamlMap(`  a: |\n${filled('    text\n').slice(0, -100)}\n`)),
    status: 422,
  },
  {
    name: 'a literal block of 3 MiB of empty lines in YAML',
    request: text(yaml, yamlMap(`  a: |\n    text\n${filled('\n').slice(0, -100)}`)),
    status: 201,
  },
  {
    name: '3 MiB of comments in YAML',
    request: text(yaml, `${filled('#\n').slice(0, -100)}${yamlMap('  a: b\n')}`),
    status: 201,
  },
];

/** Requests of up to 3 MiB that are expensive to parse, validate, store or answer. */
export const limitCases: readonly LimitCase[] = [...belowTheCap, ...aboveTheCap, ...longTexts];
