/** A request as a client sends it. */
export interface LimitRequest {
  readonly method: string;
  readonly path: string;
  readonly type?: string;
  readonly body?: string;
}

/** A request that could block other requests, and the requests that prepare it. */
export interface LimitCase {
  readonly name: string;
  readonly before?: readonly LimitRequest[];
  readonly request: LimitRequest;
  readonly status: number;
  /** The longest time in which no other request is served, in milliseconds of the reference machine. @default 100 */
  readonly mostMs?: number;
}

/** The size of the largest bodies, which is a little below what the server reads. */
const mostBytes = 3 * 1024 * 1024 - 1024;
const configMaps = '/api/v1/namespaces/default/configmaps';
const things = '/apis/limits.example.com/v1/namespaces/default/things';
const json = 'application/json';
const yaml = 'application/yaml';

const list = <T>(count: number, item: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => item(at));
const keys = (count: number, value = 'v') => Object.fromEntries(list(count, (at) => [`k${at}`, value]));
const filled = (piece: string): string => piece.repeat(Math.floor(mostBytes / piece.length));

const configMap = (data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', ...metadata },
  data,
});
const thing = (spec: object) => ({
  apiVersion: 'limits.example.com/v1',
  kind: 'Thing',
  metadata: { name: 'a' },
  spec,
});
const named = (count: number, value: string) => thing({ byName: list(count, (at) => ({ name: `n${at}`, value })) });

const text = (type: string, body: string): LimitRequest => ({ method: 'POST', path: configMaps, type, body });
const create = (body: object): LimitRequest => text(json, JSON.stringify(body));
const patch = (type: string, body: object): LimitRequest => ({
  method: 'PATCH',
  path: `${configMaps}/a`,
  type,
  body: JSON.stringify(body),
});
const applied = (path: string, body: object, manager = 'a'): LimitRequest => ({
  method: 'PATCH',
  path: `${path}/a?fieldManager=${manager}&force=true`,
  type: 'application/apply-patch+yaml',
  body: JSON.stringify(body),
});
const yamlMap = (lines: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n${lines}`;

const item = { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } };
const spec = {
  type: 'object',
  properties: {
    byName: {
      type: 'array',
      items: { ...item, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** Requests that prepare a server for all cases. */
export const preparing: readonly LimitRequest[] = [
  {
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    type: json,
    body: JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.limits.example.com' },
      spec: {
        group: 'limits.example.com',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    }),
  },
];

/** Requests that remove what a case has created. */
export const clearing: readonly LimitRequest[] = [configMaps, things].map((path) => ({ method: 'DELETE', path }));

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
