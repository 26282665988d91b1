import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CustomResource, type Default, Field, Kind, type KubeObject, Scale, SelectableField } from '@kubewright/api';
import { ConfigMap, ResourceRequirements } from '@kubewright/api/core/v1';
import { TestEnvironment } from './test-environment.js';

class Source {
  @Field.string({ optional: true, format: 'uri' }) git?: string;
  @Field.string() branch: Default<string> = 'main';
}
class Port {
  @Field.int32() number!: number;
  @Field.string() protocol: Default<string> = 'TCP';
}
class Item {
  @Field.string() name!: string;
  @Field.int32() weight: Default<number> = 1;
  @Field.list(Port) ports: Default<Port[]> = [];
  @Field.object(Source, { optional: true }) source?: Source;
}
class PoolSpec {
  @Field.int32({ minimum: 0 }) minimum!: number;
  @Field.int32({ minimum: 0 }) maximum: Default<number> = 10;
  @Field.int64({ nullable: true }) budget!: number | null;
  @Field.string({ optional: true, nullable: true }) note?: string | null;
  @Field.boolean() spare: Default<boolean> = false;
  @Field.double() ratio: Default<number> = 0.5;
  @Field.enum(['a']) one!: 'a';
  @Field.object(Source, { optional: true }) source?: Source;
  @Field.object(ResourceRequirements, { optional: true }) resources?: ResourceRequirements;
  @Field.list(Item, { mapKeys: ['name'], maxItems: 8 }) items!: Item[];
  @Field.list(Field.enum(['x', 'y'])) letters!: ('x' | 'y')[];
  @Field.list(Field.list(Field.int32())) matrix!: number[][];
  @Field.list(Field.list(Item)) groups!: Item[][];
  @Field.map(Field.string()) labels: Default<Record<string, string>> = {};
  @Field.map(Item) named!: Record<string, Item>;
  @Field.intOrString() port!: number | string;
  @Field.quantity() size!: string;
  @Field.dateTime({ optional: true }) at?: string;
  @Field.unknown({ optional: true }) anything?: unknown;
  @Field.embedded({ optional: true }) template?: KubeObject;
}
class PoolStatus {
  @Field.int32({ optional: true }) replicas?: number;
}
@Kind({ group: 'example.com', version: 'v1' })
@SelectableField('.spec.one')
@Scale({ specReplicas: '.spec.minimum', statusReplicas: '.status.replicas' })
class Pool extends CustomResource(PoolSpec, PoolStatus) {}

const least = {
  minimum: 1,
  budget: null,
  one: 'a',
  items: [],
  letters: [],
  matrix: [],
  groups: [],
  named: {},
  port: 80,
  size: '1Gi',
} as const;

const rich = {
  ...least,
  budget: 1,
  note: null,
  source: { git: 'https://example.com' },
  resources: { limits: { cpu: '1' } },
  items: [{ name: 'i' }, { name: 'j', ports: [{ number: 1 }, { number: 2, protocol: 'UDP' }], source: {} }],
  letters: ['x', 'y'],
  matrix: [[1], [], [2, 3]],
  groups: [[{ name: 'k' }], [{ name: 'l', weight: 3, source: { branch: 'dev' } }]],
  labels: { a: 'b' },
  named: { m: { name: 'm' }, n: { name: 'n', ports: [{ number: 4 }] } },
  port: 'http',
  at: '2026-01-02T03:04:05Z',
  anything: { deep: [{ value: null }, 1.5, ''] },
  template: new ConfigMap({ metadata: { name: 't' }, data: { a: 'b' } }),
} as const;

for (const [name, spec] of Object.entries({ least, rich })) {
  test(`the spec of a new object equals the spec from the server: ${name}`, async () => {
    await using environment = await TestEnvironment.start({ kinds: [Pool] });
    const made = new Pool({ metadata: { name, namespace: 'default' }, spec });
    const before = structuredClone(made.spec);
    const answered = await environment.client.create(made);
    const read = await environment.client.get(Pool, { namespace: 'default', name });
    assert.deepEqual(made.spec, before, 'create changed the passed object');
    assert.deepStrictEqual(plain(answered.spec), plain(made.spec));
    assert.deepStrictEqual(plain(read.spec), plain(made.spec));
    assert.deepEqual(read.spec, made.spec);
  });
}

/** Returns the value after JSON serialization. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
