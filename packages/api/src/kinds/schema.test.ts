import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crdFor } from '../crd/crd-for.js';
import { Field } from '../fields/field.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { CustomResource } from './custom-resource.js';
import { Kind } from './kind.js';
import type { KindRef } from '../objects/kube-object.js';
import { Schema } from './schema.js';

@Schema({ 'x-kubernetes-map-type': 'atomic', title: 'A reference' })
class SecretRef {
  @Field.string() name!: string;
}
@Schema({ 'x-kubernetes-preserve-unknown-fields': true })
class Settings {}
@Schema({ minProperties: 1 })
class BucketSpec {
  @Field.object(SecretRef, { optional: true }) secret?: SecretRef;
  @Field.object(Settings, { optional: true }) settings?: Settings;
  @Field.schema({ type: 'integer' }, { optional: true, title: 'Size' }) size?: number;
  @Field.list(Field.schema({ type: 'integer', enum: [1, 2] }), { optional: true, listType: 'atomic' }) tiers?: (
    | 1
    | 2
  )[];
}
class BucketStatus {
  @Field.string({ optional: true }) phase?: string;
}
@Kind({ group: 'example.com', version: 'v1' })
@Schema({ oneOf: [{ required: ['spec'] }] })
class Bucket extends CustomResource(BucketSpec, BucketStatus, { specOptional: true, statusSubresource: false }) {}

function versionOf(kind: KindRef) {
  const version = crdFor(kind).spec.versions[0];
  assert.ok(version);
  return { version, schema: version.schema?.openAPIV3Schema as StructuralSchema };
}

describe('@Schema', () => {
  const { spec } = versionOf(Bucket).schema.properties ?? {};
  it('adds keywords to the schema of a class', () => {
    assert.deepEqual(spec?.properties?.['secret'], {
      type: 'object',
      title: 'A reference',
      'x-kubernetes-map-type': 'atomic',
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    assert.equal(spec?.minProperties, 1);
  });
  it('makes a class without fields one that can be used', () => {
    assert.deepEqual(spec?.properties?.['settings'], {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });
  it('says on a kind what holds for the whole object', () => {
    assert.deepEqual(versionOf(Bucket).schema.oneOf, [{ required: ['spec'] }]);
  });
});

describe('Field.schema', () => {
  const { properties = {} } = versionOf(Bucket).schema.properties?.['spec'] ?? {};
  it('is the schema that it is given, with the options of every field', () => {
    assert.deepEqual(properties['size'], { type: 'integer', title: 'Size' });
  });
  it('is a schema for items', () => {
    assert.deepEqual(properties['tiers']?.items, { type: 'integer', enum: [1, 2] });
  });
});

describe('CustomResource with options', () => {
  it('lets objects be without a spec', () => {
    assert.equal(versionOf(Bucket).schema.required, undefined);
    const bucket = new Bucket({ metadata: { name: 'a' } });
    assert.equal(bucket.spec?.size, undefined);
  });
  it('leaves the status to those who write the spec', () => {
    assert.equal(versionOf(Bucket).version.subresources, undefined);
    assert.ok(versionOf(Bucket).schema.properties?.['status']);
  });
});
