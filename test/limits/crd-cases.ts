import { definitions, json, keys, list, mostBytes } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

/** Most cases store nothing, because they are dry runs. */
const dryRun = `${definitions}?dryRun=All`;
const names = { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' };
const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const properties = (count: number, property: (at: number) => object) =>
  object(Object.fromEntries(list(count, (at) => [`p${at}`, property(at)])));
const ruled = (rule: string, more: object = {}) => ({ ...text, 'x-kubernetes-validations': [{ rule, ...more }] });

const storedNames = ['readers', 'encoders', 'indexes', 'documents', 'labels', 'fields', 'types', 'deletions'] as const;

/** A pattern whose automaton reaches a new state at each character of `mixed`. */
const slowPattern = '(a.{400}b|b.{400}a)*$';
const mixed = list(30_000, (at) => 'ab'[Math.floor(1e6 * Math.sin(at)) & 1]).join('');

function definition(spec: object, more: object = {}) {
  const schema = { openAPIV3Schema: object({ spec }) };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'others.limits.example.com' },
    spec: {
      group: 'limits.example.com',
      scope: 'Namespaced',
      names,
      versions: [{ name: 'v1', served: true, storage: true, schema, ...more }],
    },
  };
}

const create = (body: object): LimitRequest => ({
  method: 'POST',
  path: dryRun,
  type: json,
  body: JSON.stringify(body),
});
const wide = definition(properties(32_000, () => text));

/** Returns a request that stores the wide definition under a separate name, so that no case depends on the end of a deletion. */
function store(plural: (typeof storedNames)[number]): LimitRequest {
  const kind = `Stored${plural}`;
  const spec = { ...wide.spec, names: { plural, singular: plural, kind, listKind: `${kind}List` } };
  const body = { ...wide, metadata: { name: `${plural}.limits.example.com` }, spec };
  return { ...create(body), path: definitions };
}

const patch = (plural: (typeof storedNames)[number], body: object): LimitRequest => ({
  method: 'PATCH',
  path: `${definitions}/${plural}.limits.example.com`,
  type: 'application/merge-patch+json',
  body: JSON.stringify(body),
});
const get = (path: string, accept?: string): LimitRequest => ({
  method: 'GET',
  path,
  ...(accept === undefined ? {} : { accept }),
});
const rules = definition(properties(13_000, (at) => ruled(`self != "a${at}"`)));

/** CustomResourceDefinitions whose validation is expensive. */
export const crdCases: readonly LimitCase[] = [
  { name: 'a definition with 32,000 properties', request: create(wide), status: 201 },
  {
    name: '40,000 properties without a type',
    request: create(definition(properties(40_000, () => ({})))),
    status: 422,
  },
  {
    name: '21,000 patterns',
    request: create(definition(properties(21_000, (at) => ({ ...text, pattern: `^a${at}$` })))),
    status: 201,
  },
  {
    name: '50 large patterns',
    request: create(definition(properties(50, (at) => ({ ...text, pattern: `(?i)((a?b){0,30}){30}${at}` })))),
    status: 201,
  },
  {
    name: 'a pattern of 600 KB',
    request: create(definition({ ...text, pattern: 'a|b[c]*'.repeat(85_000) })),
    status: 422,
  },
  { name: '13,000 rules', request: create(rules), status: 201 },
  {
    name: 'a list with 60,000 map keys',
    request: create(
      definition({
        type: 'array',
        items: { type: 'object' },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': list(60_000, (at) => `k${at}`),
      }),
    ),
    status: 422,
  },
  {
    name: '20,000 alternatives in anyOf',
    request: create(definition(object({ a: text }, { anyOf: list(20_000, () => ({ required: ['a'] })) }))),
    status: 201,
  },
  {
    name: 'a default with 60,000 values',
    request: create(definition(object({ a: { type: 'object', additionalProperties: text, default: keys(60_000) } }))),
    status: 201,
  },
  {
    name: 'a default whose pattern takes a long time to match',
    request: create(definition({ ...text, pattern: slowPattern, default: mixed })),
    status: 201,
  },
  {
    name: 'a default whose rule takes a long time to evaluate',
    request: create(definition({ ...ruled(`self.matches('${slowPattern}')`), maxLength: 30_000, default: mixed })),
    status: 201,
  },
  {
    name: '9,000 versions',
    request: create({
      ...definition({}),
      spec: {
        group: 'limits.example.com',
        scope: 'Namespaced',
        names,
        versions: list(9000, (at) => ({
          name: `v${at + 1}`,
          served: true,
          storage: at === 0,
          schema: { openAPIV3Schema: { type: 'object' } },
        })),
      },
    }),
    status: 422,
  },
  {
    name: 'three printer columns with paths of 370 KB each',
    request: create(
      definition(
        { type: 'object' },
        {
          additionalPrinterColumns: list(3, (at) => ({
            name: `c${at}`,
            type: 'string',
            jsonPath: '.a[0].b'.repeat(mostBytes / 60),
          })),
        },
      ),
    ),
    status: 201,
  },
];

/** Requests that read, change or delete a large stored definition. */
export const storedDefinitionCases: readonly LimitCase[] = [
  {
    name: 'a read of the OpenAPI 2 document with a definition of 32,000 properties',
    before: [store('readers')],
    request: get('/openapi/v2'),
    status: 200,
  },
  {
    name: 'a read of the OpenAPI 2 document in protobuf with a definition of 32,000 properties',
    before: [store('encoders')],
    request: get('/openapi/v2', 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf'),
    status: 200,
  },
  {
    name: 'a read of the OpenAPI 3 index with a definition of 32,000 properties',
    before: [store('indexes')],
    request: get('/openapi/v3'),
    status: 200,
  },
  {
    name: 'a read of the OpenAPI 3 document of a definition with 32,000 properties',
    before: [store('documents')],
    request: get('/openapi/v3/apis/limits.example.com/v1', json),
    status: 200,
  },
  {
    name: 'a new label for a definition with 32,000 properties',
    before: [store('labels')],
    request: patch('labels', { metadata: { labels: { a: 'b' } } }),
    status: 200,
  },
  {
    name: 'a patch with two unknown fields of a definition with 32,000 properties',
    before: [store('fields')],
    request: patch('fields', { x: 1, y: 1 }),
    status: 200,
  },
  {
    name: 'a patch with a value of a wrong type of a definition with 32,000 properties',
    before: [store('types')],
    request: patch('types', { spec: { group: 1 } }),
    status: 422,
  },
  {
    name: 'a deletion of a definition with 32,000 properties',
    before: [store('deletions')],
    request: { method: 'DELETE', path: `${definitions}/deletions.limits.example.com` },
    status: 200,
  },
];

/** Requests that delete the definitions of a case. */
export const clearDefinitions: readonly LimitRequest[] = storedNames.map((name) => ({
  method: 'DELETE',
  path: `${definitions}/${name}.limits.example.com`,
}));
