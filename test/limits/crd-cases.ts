import { json, keys, list, mostBytes } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

/** The path of CustomResourceDefinitions. Nothing is stored, so that a case leaves nothing behind. */
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All';
const names = { plural: 'others', singular: 'other', kind: 'Other', listKind: 'OtherList' };
const text = { type: 'string' };
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const properties = (count: number, property: (at: number) => object) =>
  object(Object.fromEntries(list(count, (at) => [`p${at}`, property(at)])));
const ruled = (rule: string, more: object = {}) => ({ ...text, 'x-kubernetes-validations': [{ rule, ...more }] });

function definition(spec: object, more: object = {}): object {
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
  path: definitions,
  type: json,
  body: JSON.stringify(body),
});
const wide = definition(properties(32_000, () => text));
const rules = definition(properties(13_000, (at) => ruled(`self != "a${at}"`)));

/** CustomResourceDefinitions that are expensive to check. */
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
    name: '60,000 keys of a list',
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
    name: '20,000 alternatives',
    request: create(definition(object({ a: text }, { anyOf: list(20_000, () => ({ required: ['a'] })) }))),
    status: 201,
  },
  {
    name: 'a default with 60,000 values',
    request: create(definition(object({ a: { type: 'object', additionalProperties: text, default: keys(60_000) } }))),
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
    name: 'printer columns with paths of 1.2 MB',
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
