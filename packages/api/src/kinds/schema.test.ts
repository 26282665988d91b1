import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crdFor } from '../crd/crd-for.js';
import { generateCrds } from '../crd/generate-crds.js';
import { Field } from '../fields/field.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { CustomResource } from './custom-resource.js';
import { defineKind } from './define-kind.js';
import { Kind } from './kind.js';
import type { Default } from '../objects/default.js';
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
  it('@Schema makes a class without fields valid', () => {
    assert.deepEqual(spec?.properties?.['settings'], {
      type: 'object',
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });
  it('applies the keywords of a kind to the whole object', () => {
    assert.deepEqual(versionOf(Bucket).schema.oneOf, [{ required: ['spec'] }]);
  });
});

describe('Field.schema', () => {
  const { properties = {} } = versionOf(Bucket).schema.properties?.['spec'] ?? {};
  it('uses the given schema with the options of every field', () => {
    assert.deepEqual(properties['size'], { type: 'integer', title: 'Size' });
  });
  it('can be the schema of list items', () => {
    assert.deepEqual(properties['tiers']?.items, { type: 'integer', enum: [1, 2] });
  });
});

describe('CustomResource with options', () => {
  it('allows objects without a spec', () => {
    assert.equal(versionOf(Bucket).schema.required, undefined);
    const bucket = new Bucket({ metadata: { name: 'a' } });
    assert.equal(bucket.spec?.size, undefined);
  });
  it('omits the status subresource if statusSubresource is false', () => {
    assert.equal(versionOf(Bucket).version.subresources, undefined);
    assert.ok(versionOf(Bucket).schema.properties?.['status']);
  });
});

describe('defaults of a whole spec and status', () => {
  class SizeSpec {
    @Field.int32() size: Default<number> = 3;
    @Field.string({ optional: true }) zone?: string;
  }
  class SizeStatus {
    @Field.int64({ optional: true }) observedGeneration?: number;
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Sized extends CustomResource(SizeSpec, SizeStatus, {
    specDefault: { zone: 'a' },
    statusDefault: { observedGeneration: -1 },
  }) {}

  it('specDefault and statusDefault are in the schema, and specDefault makes the spec optional', () => {
    const { required, properties } = versionOf(Sized).schema;
    assert.equal(required, undefined);
    assert.deepEqual(
      [properties?.['spec']?.default, properties?.['status']?.default],
      [{ zone: 'a' }, { observedGeneration: -1 }],
    );
    assert.deepEqual(versionOf(Sized).version.subresources, { status: {} });
  });
  it('new sets specDefault and statusDefault together with the defaults of the fields', () => {
    const { spec, status } = new Sized({ metadata: { name: 'a' } });
    assert.deepEqual([spec, status.observedGeneration], [{ zone: 'a', size: 3 }, -1]);
    assert.deepEqual(new Sized({ metadata: { name: 'a' }, spec: {} }).spec, { size: 3 });
  });
  it('a default of the spec in defineKind makes the spec optional', () => {
    const spec = { type: 'object', default: {} };
    assert.equal(
      versionOf(defineKind({ group: 'example.com', version: 'v1', kind: 'Plain', spec })).schema.required,
      undefined,
    );
  });
  it('specDefault is copied at declaration, and values without a JSON form or without a class are rejected', () => {
    const specDefault = { zone: 'a' };
    @Kind({ group: 'example.com', version: 'v1' })
    class Kept extends CustomResource(SizeSpec, undefined, { specDefault }) {}
    specDefault.zone = 'b';
    assert.deepEqual(versionOf(Kept).schema.properties?.['spec']?.default, { zone: 'a' });
    assert.throws(() => CustomResource(SizeSpec, undefined, { specDefault: { zone: new Date(0) as never } }), {
      code: 'NOT_JSON',
      message: /options of CustomResource\(SizeSpec, …\)\.specDefault\.zone/,
    });
    const without = { statusDefault: {} } as object;
    assert.throws(
      () =>
        Kind({ group: 'example.com', version: 'v1' })(
          class Lost extends CustomResource(SizeSpec, undefined, without) {},
        ),
      { code: 'INVALID_KIND', message: /kind Lost: it has statusDefault, but no class for the status/ },
    );
  });
  it('rejects a specDefault that does not match its schema', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Wrong extends CustomResource(SizeSpec, undefined, { specDefault: { size: 'XL' as never } }) {}
    assert.throws(() => generateCrds([Wrong]), {
      code: 'INVALID_KIND',
      message: /the default of class SizeSpec \(spec\) does not match its schema: default\.size/,
    });
  });
});
