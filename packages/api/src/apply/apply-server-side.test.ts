import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { ApplyConflictError } from './apply-conflict-error.js';
import { ApplyError } from './apply-error.js';
import { applyServerSide, type ApplyServerSideOptions } from './apply-server-side.js';
import { trackUpdate, type TrackUpdateOptions } from './track-update.js';

const template: StructuralSchema = {
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          image: { type: 'string' },
          args: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'string' } },
          env: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
    },
  },
};
const schema: StructuralSchema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { replicas: { type: 'integer' }, paused: { type: 'boolean' }, template } },
    status: { type: 'object', properties: { ready: { type: 'integer' } } },
  },
};

interface Deployment {
  readonly metadata: {
    readonly managedFields?: readonly Entry[];
    readonly labels?: object;
    readonly [key: string]: unknown;
  };
  readonly spec?: { readonly [key: string]: unknown };
}
interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly time?: string;
  readonly fieldsV1: unknown;
  readonly subresource?: string;
}

const T1 = '2026-01-01T00:00:00Z';
const T2 = '2026-01-02T00:00:00Z';
const object = (fields: object, metadata: object = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', ...metadata },
  ...fields,
});
function apply(live: object | undefined, applied: object, options: Partial<ApplyServerSideOptions> = {}): Deployment {
  return applyServerSide({ live, applied, schema, manager: 'a', force: false, now: T1, ...options })
    .object as Deployment;
}
function update(before: object | undefined, after: object, options: Partial<TrackUpdateOptions> = {}): Deployment {
  return trackUpdate({ before, after, schema, manager: 'u', now: T1, ...options }) as Deployment;
}
const owned = (result: Deployment, manager: string) =>
  result.metadata.managedFields?.find((entry) => entry.manager === manager)?.fieldsV1;
const specOf = ({ spec }: Deployment) => spec;

describe('a server-side apply', () => {
  test('an apply that creates an object owns its leaves, list items and map keys, but not apiVersion, kind or name', () => {
    const containers = [{ name: 'c', image: 'i', args: ['x'] }];
    const created = apply(
      undefined,
      object({ spec: { replicas: 1, template: { containers } } }, { labels: { app: 'web' } }),
    );
    assert.deepEqual(created.metadata.managedFields, [
      {
        manager: 'a',
        operation: 'Apply',
        apiVersion: 'apps/v1',
        time: T1,
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': { 'f:labels': { 'f:app': {} } },
          'f:spec': {
            'f:replicas': {},
            'f:template': {
              'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:name': {}, 'f:image': {}, 'f:args': {} } },
            },
          },
        },
      },
    ]);
    assert.deepEqual(specOf(created), { replicas: 1, template: { containers } });
  });

  test('a repeated apply of the same configuration changes nothing, including times', () => {
    const applied = object({ spec: { replicas: 1 } });
    const once = apply(undefined, applied);
    assert.deepEqual(apply(once, applied, { now: T2 }), once);
  });

  test('an apply removes fields that the manager applied before and no longer applies', () => {
    const first = apply(
      undefined,
      object({ spec: { replicas: 1, template: { containers: [{ name: 'a' }, { name: 'b', image: 'x' }] } } }),
    );
    const second = apply(first, object({ spec: { template: { containers: [{ name: 'b' }] } } }), { now: T2 });
    assert.deepEqual(specOf(second), { template: { containers: [{ name: 'b' }] } });
    assert.equal(second.metadata.managedFields?.[0]?.time, T2);
    const third = apply(second, object({}));
    assert.equal(third.spec, undefined);
    assert.equal(third.metadata.managedFields, undefined);
  });

  test('an apply keeps fields of other managers, including fields inside a list item that the manager applied', () => {
    const first = apply(undefined, object({ spec: { template: { containers: [{ name: 'c', image: 'x' }] } } }));
    const second = apply(first, object({ spec: { template: { containers: [{ name: 'c', args: ['1'] }] } } }), {
      manager: 'b',
    });
    const third = apply(second, object({}));
    assert.deepEqual(specOf(third), { template: { containers: [{ name: 'c', args: ['1'] }] } });
    assert.deepEqual(
      third.metadata.managedFields?.map(({ manager }) => manager),
      ['b'],
    );
  });

  test('an apply does not remove fields without an owner', () => {
    const first = apply(undefined, object({ spec: { replicas: 1 } }));
    const stored = { ...first, metadata: { ...first.metadata, uid: 'u', resourceVersion: '7', generation: 1 } };
    const second = apply(stored, object({ spec: { paused: true } })) as Deployment & { metadata: { uid?: string } };
    assert.deepEqual(specOf(second), { paused: true });
    assert.equal(second.metadata.uid, 'u');
    assert.equal(second.metadata['resourceVersion'], '7');
  });

  test('an apply shares ownership of a field that already has the applied value', () => {
    const first = apply(undefined, object({ spec: { replicas: 1 } }));
    const second = apply(first, object({ spec: { replicas: 1 } }), { manager: 'b', now: T2 });
    assert.deepEqual(owned(second, 'a'), { 'f:spec': { 'f:replicas': {} } });
    assert.deepEqual(owned(second, 'b'), { 'f:spec': { 'f:replicas': {} } });
    assert.deepEqual(
      second.metadata.managedFields?.map(({ time }) => time),
      [undefined, T1],
    );
    const third = apply(second, object({}));
    assert.deepEqual(specOf(third), { replicas: 1 });
  });

  test('an apply assigns the fields of an object without managedFields to the manager before-first-apply', () => {
    const live = object({ spec: { replicas: 1 } }, { uid: 'u' });
    assert.throws(() => apply(live, object({ spec: { replicas: 2 } })), {
      message: 'Apply failed with 1 conflict: conflict with "before-first-apply" using apps/v1: .spec.replicas',
    });
    const result = apply(live, object({ spec: { paused: true } }));
    assert.deepEqual(owned(result, 'before-first-apply'), { 'f:spec': { '.': {}, 'f:replicas': {} } });
  });

  test('applies to subresources have separate entries in managedFields', () => {
    const first = apply(undefined, object({ spec: { replicas: 1 } }));
    const second = apply(first, object({ status: { ready: 1 } }), { subresource: 'status' });
    assert.deepEqual(
      second.metadata.managedFields?.map(({ subresource }) => subresource),
      [undefined, 'status'],
    );
    assert.deepEqual(specOf(second), { replicas: 1 });
  });

  test('an apply that removes all fields of a map stores null for the map', () => {
    const first = apply(undefined, object({ spec: { replicas: 1 } }));
    const second = apply(first, object({ spec: {} }));
    assert.equal(specOf(second), null);
    assert.deepEqual(owned(second, 'a'), { 'f:spec': {} });
  });

  test('an apply does not own the fields that its endpoint never writes', () => {
    const result = apply(undefined, object({ spec: { replicas: 1 }, status: { ready: 1 } }), {
      resetFields: [['status']],
    });
    assert.deepEqual(owned(result, 'a'), { 'f:spec': { 'f:replicas': {} } });
  });
});

describe('a conflict', () => {
  const live = update(undefined, object({ spec: { replicas: 1, paused: false } }), {
    manager: 'kubectl-client-side-apply',
  });

  test('a conflict reports the manager and the field in the format of Kubernetes', () => {
    assert.throws(
      () => apply(live, object({ spec: { replicas: 3 } })),
      (error) => {
        assert.ok(error instanceof ApplyConflictError);
        assert.equal(
          error.message,
          'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
        );
        assert.deepEqual(error.causes, [
          {
            reason: 'FieldManagerConflict',
            message: 'conflict with "kubectl-client-side-apply" using apps/v1',
            field: '.spec.replicas',
          },
        ]);
        return true;
      },
    );
  });

  test('a conflict over several fields groups the fields by manager', () => {
    const both = apply(live, object({ spec: { template: { containers: [{ name: 'c', image: 'x' }] } } }), {
      manager: 'b',
      subresource: 'scale',
    });
    assert.throws(
      () =>
        apply(
          both,
          object({ spec: { replicas: 3, paused: true, template: { containers: [{ name: 'c', image: 'y' }] } } }),
        ),
      {
        message: [
          'Apply failed with 3 conflicts: conflicts with "b" with subresource "scale":',
          '- .spec.template.containers[name="c"].image',
          'conflicts with "kubectl-client-side-apply" using apps/v1:',
          '- .spec.paused',
          '- .spec.replicas',
        ].join('\n'),
      },
    );
  });

  test('an apply with force has no conflict, and transfers the field to the new manager', () => {
    const result = apply(live, object({ spec: { replicas: 3, paused: false } }), { force: true });
    assert.deepEqual(specOf(result), { replicas: 3, paused: false });
    assert.deepEqual(owned(result, 'kubectl-client-side-apply'), { 'f:spec': { '.': {}, 'f:paused': {} } });
    assert.deepEqual(owned(result, 'a'), { 'f:spec': { 'f:paused': {}, 'f:replicas': {} } });
  });

  test('kubectl can change fields that it applied earlier on the client side without a conflict', () => {
    const last = JSON.stringify(object({ spec: { replicas: 1 } }));
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': last };
    const stored = update(undefined, object({ spec: { replicas: 1 } }, { annotations }), {
      manager: 'kubectl-client-side-apply',
    });
    const result = apply(stored, object({ spec: { replicas: 2 } }), { manager: 'kubectl' });
    assert.deepEqual(specOf(result), { replicas: 2 });
    const kept = (result.metadata['annotations'] as Record<string, string>)[
      'kubectl.kubernetes.io/last-applied-configuration'
    ];
    assert.equal((JSON.parse(kept ?? '') as Deployment).spec?.['replicas'], 2);
  });
});

describe('a rejected apply', () => {
  const refusals: readonly (readonly [object, number, string])[] = [
    [object({}, { managedFields: [] }), 400, 'metadata.managedFields must be nil'],
    [
      object({ spec: { nope: 1 } }),
      500,
      'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.nope: field not declared in schema',
    ],
    [
      object({ spec: { template: { containers: [{ name: 'c' }, { name: 'c' }] } } }),
      500,
      'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.template.containers: duplicate entries for key [name="c"]',
    ],
    [
      object({ spec: { template: { containers: [{ image: 'c' }] } } }),
      500,
      `failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.template.containers: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn't have default values for any key fields)`,
    ],
    [
      object({ spec: { replicas: 'x' } }),
      500,
      'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.replicas: expected numeric (int or float), got string',
    ],
  ];
  for (const [applied, status, message] of refusals) {
    test(`an apply fails with ${status}: ${message}`, () => {
      assert.throws(
        () => apply(undefined, applied),
        (error) => {
          assert.ok(error instanceof ApplyError);
          assert.equal(error.message, message);
          return error.status === status;
        },
      );
    });
  }
});

test('an apply fails if managedFields cannot be decoded, and an update drops these managedFields', () => {
  const entry = {
    manager: 'a',
    operation: 'Apply',
    apiVersion: 'apps/v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'k:{': {} },
  };
  const live = object({ spec: { replicas: 1 } }, { uid: 'u', managedFields: [entry] });
  assert.throws(() => apply(live, object({})), { status: 500, message: /^failed to decode managed fields: / });
  assert.equal(update(live, object({ spec: { replicas: 2 } }, { uid: 'u' })).metadata.managedFields, undefined);
});

describe('an update', () => {
  test('an update that creates an object owns every field of the object', () => {
    const created = update(undefined, object({ spec: { replicas: 1 } }, { labels: { app: 'x' } }));
    assert.deepEqual(owned(created, 'u'), {
      'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
      'f:spec': { '.': {}, 'f:replicas': {} },
    });
  });

  test('an update owns the fields that it changes, and removes these fields from the entries of applies', () => {
    const live = apply(undefined, object({ spec: { replicas: 1, paused: true } }));
    const next = update(live, { ...live, spec: { replicas: 2, paused: true } }, { now: T2 });
    assert.deepEqual(owned(next, 'a'), { 'f:spec': { 'f:paused': {} } });
    assert.deepEqual(owned(next, 'u'), { 'f:spec': { 'f:replicas': {} } });
    assert.deepEqual(
      next.metadata.managedFields?.map(({ time }) => time),
      [T1, T2],
    );
  });

  test('an update that deletes a field removes the field from every manager', () => {
    const live = apply(undefined, object({ spec: { replicas: 1, paused: true } }));
    const next = update(live, { ...live, spec: { paused: true } });
    assert.deepEqual(owned(next, 'a'), { 'f:spec': { 'f:paused': {} } });
    assert.equal(owned(next, 'u'), undefined);
  });

  test('an update without changes keeps the entries and times of managedFields', () => {
    const live = update(undefined, object({ spec: { replicas: 1 } }));
    assert.deepEqual(update(live, live, { now: T2 }), live);
    const { managedFields: _dropped, ...metadata } = live.metadata;
    assert.deepEqual(update(live, { ...live, metadata }, { now: T2 }), live);
  });

  test('an update that sets managedFields to [] or [{}] removes all entries, and later updates add no entries', () => {
    const live = update(undefined, object({ spec: { replicas: 1 } }, { uid: 'u' }));
    for (const managedFields of [[], [{}]]) {
      const next = update(live, { ...live, metadata: { ...live.metadata, managedFields } });
      assert.equal(next.metadata.managedFields, undefined);
      assert.equal(update(next, { ...next, spec: { replicas: 2 } }).metadata.managedFields, undefined);
    }
  });

  test('an update of a subresource ignores the managedFields in the request', () => {
    const live = update(undefined, object({ spec: { replicas: 1 } }));
    const next = update(
      live,
      { ...live, metadata: { ...live.metadata, managedFields: [] } },
      { subresource: 'status' },
    );
    assert.deepEqual(next.metadata.managedFields, live.metadata.managedFields);
  });

  test('an update merges the oldest entries of updates if managedFields has more than ten entries', () => {
    let live = update(undefined, object({}, { labels: { l0: 'x' } }), { manager: 'm0' });
    for (let at = 1; at <= 11; at++) {
      const labels = { ...(live.metadata.labels as object), [`l${at}`]: 'x' };
      const now = `2026-01-01T00:00:${String(at).padStart(2, '0')}Z`;
      live = update(live, { ...live, metadata: { ...live.metadata, labels } }, { manager: `m${at}`, now });
    }
    const managers = live.metadata.managedFields?.map(({ manager }) => manager);
    assert.equal(managers?.length, 10);
    assert.deepEqual(managers?.slice(0, 2), ['ancient-changes', 'm3']);
    assert.deepEqual(owned(live, 'ancient-changes'), {
      'f:metadata': { 'f:labels': { '.': {}, 'f:l0': {}, 'f:l1': {}, 'f:l2': {} } },
    });
  });

  test('an update converts ownership of list items to ownership of the list after the list becomes atomic', () => {
    const live = apply(undefined, object({ spec: { template: { containers: [{ name: 'c', image: 'x' }] } } }));
    const atomic: StructuralSchema = JSON.parse(
      JSON.stringify(schema).replace('"x-kubernetes-list-type":"map"', '"x-kubernetes-list-type":"atomic"'),
    );
    const next = update(live, { ...live, status: { ready: 1 } }, { schema: atomic });
    assert.deepEqual(owned(next, 'a'), { 'f:spec': { 'f:template': { 'f:containers': {} } } });
  });
});

describe('random applies and updates', () => {
  const spec = fc.record(
    {
      replicas: fc.integer({ min: 0, max: 2 }),
      paused: fc.boolean(),
      template: fc.record({
        containers: fc.uniqueArray(
          fc.record(
            {
              name: fc.constantFrom('a', 'b', 'c'),
              image: fc.constantFrom('1', '2'),
              env: fc.dictionary(fc.constantFrom('X', 'Y'), fc.constantFrom('1', '2'), { noNullPrototype: true }),
            },
            { requiredKeys: ['name'], noNullPrototype: true },
          ),
          { minLength: 1, selector: ({ name }) => name },
        ),
      }),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  const step = fc.record({
    manager: fc.constantFrom('a', 'b'),
    spec,
    kind: fc.constantFrom('apply', 'apply', 'update'),
  });

  test('repeated applies change nothing, applied values are stored, and managers own only fields that exist', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 6 }), (steps) => {
        let live: Deployment | undefined;
        for (const { manager, spec: next, kind } of steps) {
          const desired = object({ spec: next });
          if (kind === 'update') {
            live = update(live, { ...live, ...desired, metadata: live?.metadata ?? desired.metadata }, { manager });
            continue;
          }
          live = withoutNulls(apply(live, desired, { manager, force: true }));
          assert.deepEqual(withoutNulls(apply(live, desired, { manager, now: T2 })), live);
          if (next.replicas !== undefined) assert.equal(live.spec?.['replicas'], next.replicas);
          assertOwnedFieldsExist(live);
        }
      }),
    );
  });
});

/** Returns the object with empty structs and lists instead of null values, like a read of a built-in kind. */
function withoutNulls(result: Deployment): Deployment {
  return JSON.parse(
    JSON.stringify(result, (key, value: unknown) => (value === null ? (key === 'containers' ? [] : {}) : value)),
  ) as Deployment;
}

function assertOwnedFieldsExist(result: Deployment): void {
  for (const { fieldsV1 } of result.metadata.managedFields ?? []) assertHas(result, fieldsV1 as Record<string, object>);
}

function assertHas(value: unknown, fields: Record<string, object>): void {
  for (const [key, below] of Object.entries(fields)) {
    if (key === '.') continue;
    const name = key.slice(2);
    const found = key.startsWith('f:')
      ? (value as Record<string, unknown>)[name]
      : (value as { name: string }[]).find((item) => item.name === (JSON.parse(name) as { name: string }).name);
    assert.notEqual(found, undefined, key);
    assertHas(found, below as Record<string, object>);
  }
}
