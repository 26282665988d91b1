import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finish, withBreak } from '@kubewright/api/apply';
import { SystemClock } from '@kubewright/api/clock';
import { ApiError } from '@kubewright/api/errors';
import { Store } from '../../storage/store.js';
import type { ApiObject } from '../objects/api-object.js';
import { objectAt, objectsAt, valueAt } from '../objects/json-object.js';
import { Registry } from '../registry.js';
import { systemContext } from '../requests/request-context.js';
import type { Resource } from '../resource.js';

const context = systemContext('test', 'create');
const key = { namespace: 'default', name: 'a' };

const schema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      required: ['size'],
      properties: {
        size: { type: 'integer', minimum: 1 },
        color: { type: 'string', default: 'red', enum: ['red', 'blue'] },
      },
    },
    status: { type: 'object', properties: { size: { type: 'integer' }, selector: { type: 'string' } } },
  },
};
const version = (name: string, more: object = {}) => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: schema },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.size',
      statusReplicasPath: '.status.size',
      labelSelectorPath: '.status.selector',
    },
  },
  additionalPrinterColumns: [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: [{ jsonPath: '.spec.color' }],
  ...more,
});
const crd = (more: object = {}) => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing', shortNames: ['th'], categories: ['all'] },
    versions: [version('v1', { storage: true }), version('v2')],
    ...more,
  },
});

function setUp(more: object = {}): { registry: Registry; definitions: Resource; created: ApiObject } {
  const registry = new Registry({ store: new Store(), clock: new SystemClock() });
  const definitions = registry.builtIn('apiextensions.k8s.io/v1/customresourcedefinitions');
  return { registry, definitions, created: definitions.create(crd(more), context) };
}

function things(registry: Registry, name = 'v1'): Resource {
  const definition = registry.find('example.com', name, 'things');
  assert.ok(definition);
  return registry.resource(definition);
}

function causes(act: () => unknown): readonly string[] {
  try {
    act();
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    return (error.body.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
  return [];
}

test('a new CustomResourceDefinition gets accepted names and the condition Established', () => {
  const { created: first, definitions, registry } = setUp();
  assert.deepEqual(first['status'], {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: ['v1'],
  });
  const created = definitions.get({ name: 'things.example.com' });
  assert.deepEqual(
    objectsAt(created, 'status', 'conditions').map(({ type, status, reason }) => [type, status, reason]),
    [
      ['NamesAccepted', 'True', 'NoConflicts'],
      ['Established', 'True', 'InitialNamesAccepted'],
    ],
  );
  assert.deepEqual(valueAt(created, 'status', 'storedVersions'), ['v1']);
  assert.deepEqual(structuredClone(objectAt(created, 'spec', 'names')), {
    plural: 'things',
    singular: 'thing',
    kind: 'Thing',
    listKind: 'ThingList',
    shortNames: ['th'],
    categories: ['all'],
  });
  const definition = registry.find('example.com', 'v2', 'things');
  assert.deepEqual(definition?.shortNames, ['th']);
  assert.deepEqual(definition?.categories, ['all']);
  assert.deepEqual([...(definition?.subresources.keys() ?? [])], ['status', 'scale']);
});

test('notifies listeners after a write to a CustomResourceDefinition and after its removal', () => {
  const { registry, definitions } = setUp();
  let changes = 0;
  registry.onChange(() => {
    changes += 1;
  });
  definitions.delete({ name: 'things.example.com' }, {}, context);
  definitions.update(
    { name: 'things.example.com' },
    (live) => ({ ...live, metadata: { ...live.metadata, finalizers: [] } }),
    context,
  );
  assert.equal(registry.find('example.com', 'v1', 'things'), undefined);
  assert.equal(changes, 2);
});

test('prunes, defaults and validates custom objects, and increments their generation', () => {
  const { registry } = setUp();
  const kind = things(registry);
  const created = kind.create(
    { kind: 'Thing', metadata: key, spec: { size: 1, odd: true }, status: { size: 9 } },
    context,
  );
  assert.deepEqual(structuredClone(created['spec']), { size: 1, color: 'red' });
  assert.equal(created['status'], undefined);
  assert.equal(created.metadata.generation, 1);
  assert.deepEqual(
    causes(() =>
      kind.create({ kind: 'Thing', metadata: { ...key, name: 'b' }, spec: { size: 0, color: 'green' } }, context),
    ).toSorted(),
    [
      'spec.color: Unsupported value: "green": supported values: "red", "blue"',
      'spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1',
    ],
  );
  const reported = kind.update(key, (live) => ({ ...live, status: { size: 1 } }), {
    ...context,
    subresource: 'status',
  });
  assert.equal(reported.metadata.generation, 1);
  const toFour = withBreak((scale: ApiObject) => ({ ...scale, spec: { replicas: 4 } }));
  const grown = finish(kind.updateScaleSteps(key, toFour, { ...context, subresource: 'scale' }));
  assert.deepEqual(grown['spec'], { replicas: 4 });
  assert.equal(kind.get(key).metadata.generation, 2);
});

test('a custom object differs between versions only in its apiVersion', () => {
  const { registry } = setUp();
  things(registry, 'v2').create({ kind: 'Thing', metadata: key, spec: { size: 1 } }, context);
  assert.equal(things(registry, 'v1').get(key).apiVersion, 'example.com/v1');
  assert.equal(things(registry, 'v2').get(key).apiVersion, 'example.com/v2');
  assert.equal(registry.store.get('example.com/things', key)?.apiVersion, 'example.com/v1');
});

test('printer columns define the cells of a table, and field selectors can use selectable fields', () => {
  const { registry } = setUp();
  const kind = things(registry);
  const created = kind.create({ kind: 'Thing', metadata: key, spec: { size: 2 } }, context);
  const { columns, strategy } = kind.definition;
  assert.deepEqual(
    columns.map(({ name, priority }) => [name, priority]),
    [
      ['Name', 0],
      ['Size', 0],
      ['Color', 1],
      ['Age', 0],
    ],
  );
  assert.deepEqual(strategy.cells(created, new Date(created.metadata.creationTimestamp)), ['a', 2, 'red', '0s']);
  assert.equal(kind.list({ fieldSelector: 'spec.color=red' }).items.length, 1);
  assert.equal(kind.list({ fieldSelector: 'spec.color=blue' }).items.length, 0);
  assert.throws(() => kind.list({ fieldSelector: 'spec.size=2' }), { message: 'field label not supported: spec.size' });
});

test('rejects an update of a custom object without a resourceVersion', () => {
  const { registry } = setUp();
  const kind = things(registry);
  kind.create({ kind: 'Thing', metadata: key, spec: { size: 2 } }, context);
  assert.deepEqual(
    causes(() => kind.update(key, () => ({ kind: 'Thing', metadata: key, spec: { size: 3 } }), context)),
    ['metadata.resourceVersion: Invalid value: 0: must be specified for an update'],
  );
});

const bad: readonly (readonly [object, string])[] = [
  [
    { group: 'other.com' },
    'metadata.name: Invalid value: "things.example.com": must be spec.names.plural+"."+spec.group',
  ],
  [{ scope: 'Galaxy' }, 'spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
  [
    { versions: [version('v1', { storage: true }), version('v1')] },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":true,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null},{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must contain unique version names',
  ],
  [
    { versions: [version('v1')] },
    'spec.versions: Invalid value: [{"Name":"v1","Served":true,"Storage":false,"Deprecated":false,"DeprecationWarning":null,"Schema":null,"Subresources":null,"AdditionalPrinterColumns":null,"SelectableFields":null}]: must have exactly one version marked as storage version',
  ],
  [
    { versions: [version('v1', { storage: true, schema: undefined })] },
    'spec.versions[0].schema.openAPIV3Schema: Required value',
  ],
  [
    {
      versions: [
        version('v1', { storage: true, additionalPrinterColumns: [{ name: 'x', type: 'text', jsonPath: '.x' }] }),
      ],
    },
    'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
  ],
];

test('omits a printer column with an invalid path and all later columns', () => {
  const columns = [
    { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
    { name: 'Broken', type: 'string', jsonPath: '.spec[' },
    { name: 'Color', type: 'string', jsonPath: '.spec.color' },
  ];
  const { registry } = setUp({ versions: [version('v1', { storage: true, additionalPrinterColumns: columns })] });
  const shown = things(registry).definition.columns.map(({ name }) => name);
  assert.deepEqual(shown, ['Name', 'Size']);
});

for (const [more, expected] of bad) {
  test(`rejects a CustomResourceDefinition: ${expected}`, () => {
    const found = causes(() => setUp(more));
    assert.ok(found.includes(expected), found.join('\n'));
  });
}

test('compiles the CEL rules of a CustomResourceDefinition, and validates its custom objects with these rules', () => {
  const ruled = (rule: string) => {
    const spec = { type: 'object', properties: { size: { type: 'integer' } }, 'x-kubernetes-validations': [{ rule }] };
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
    return { versions: [version('v1', { storage: true, schema, selectableFields: [] })] };
  };
  const [wrong = ''] = causes(() => setUp(ruled('self.sise > 1')));
  assert.match(wrong, /^spec\.validation\..*\[0\]\.rule: Invalid value: .*undefined field 'sise'/);
  const { registry } = setUp(ruled('self.size >= (1 + 1)'));
  const [refused = ''] = causes(() =>
    things(registry).create({ kind: 'Thing', metadata: key, spec: { size: 1 } }, context),
  );
  assert.equal(refused, 'spec: Invalid value: failed rule: self.size >= (1 + 1)');
});

test('only a write that changes the spec or the accepted names replaces the ResourceDefinition', () => {
  const { registry, definitions } = setUp();
  const before = things(registry).definition;
  const labels = { a: 'b' };
  definitions.update(
    { name: 'things.example.com' },
    (live) => ({ ...live, metadata: { ...live.metadata, labels } }),
    context,
  );
  assert.equal(things(registry).definition, before);
  definitions.update(
    { name: 'things.example.com' },
    (live) => ({
      ...live,
      spec: { ...crd().spec, versions: [version('v1', { storage: true, additionalPrinterColumns: [] })] },
    }),
    context,
  );
  assert.notEqual(things(registry).definition, before);
});

test('a CustomResourceDefinition whose accepted names exceed the storage limit is stored but not served', () => {
  const categories = Array.from({ length: 20_000 }, (_, at) => `${'c'.repeat(50)}${at}`);
  const names = { plural: 'things', kind: 'Thing', categories };
  const { registry, definitions } = setUp({ names });
  assert.ok(definitions.find({ name: 'things.example.com' }));
  assert.equal(registry.find('example.com', 'v1', 'things'), undefined);
});

test('validates fields at the root whose names begin with metadata or status', () => {
  const schemaOf = {
    type: 'object',
    properties: { metadataPolicy: { type: 'string' }, statusText: { type: 'string' } },
  };
  const versions = [
    {
      ...version('v1', { storage: true }),
      schema: { openAPIV3Schema: schemaOf },
      selectableFields: [],
      subresources: {},
    },
  ];
  const { registry } = setUp({ versions });
  const created = (fields: object): readonly string[] =>
    causes(() =>
      things(registry).create({ apiVersion: 'example.com/v1', kind: 'Thing', metadata: key, ...fields }, context),
    );
  assert.deepEqual(created({ metadataPolicy: 1, statusText: 2 }), [
    'metadataPolicy: Invalid value: "integer": metadataPolicy in body must be of type string: "integer"',
    'statusText: Invalid value: "integer": statusText in body must be of type string: "integer"',
  ]);
  assert.deepEqual(created({ metadataPolicy: 'a', statusText: 'b' }), []);
});
