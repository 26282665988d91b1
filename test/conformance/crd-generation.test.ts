import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { CustomResource, ExactlyOneOf, Field, Kind, Rule } from '@kubewright/api';
import { RuleValidator } from '@kubewright/api/cel';
import { ApiError } from '@kubewright/api/errors';
import { objectSchemaOf } from '@kubewright/api/metadata';
import type { TestEnvironment } from '@kubewright/testing';
import { startEnvironment } from '../server/start-environment.js';

class Disk {
  @Field.string() path!: string;
}
class Bucket {
  @Field.string() url!: string;
}
@ExactlyOneOf('disk', 'bucket')
@Rule({
  rule: 'self.size >= oldSelf.size',
  messageExpression: '"size cannot go below " + (oldSelf.size < 100 ? "a small one" : "a large one")',
  fieldPath: '.size',
  reason: 'FieldValueForbidden',
})
@Rule({
  rule: 'oldSelf.hasValue() || self.size < 100',
  message: 'a new volume is below 100',
  optionalOldSelf: true,
})
class VolumeSpec {
  @Field.int32({ minimum: 1 }) size!: number;
  @Field.object(Disk, { optional: true }) disk?: Disk;
  @Field.object(Bucket, { optional: true }) bucket?: Bucket;
  @Field.unknown({ optional: true }) extra?: unknown;
}
@Kind({ group: 'conformance.example.com', version: 'v1' })
class Volume extends CustomResource(VolumeSpec) {}

const onDisk = { size: 10, disk: { path: '/data' } };

describe('CustomResourceDefinitions that are generated from classes', () => {
  let env: TestEnvironment;
  before(async () => {
    env = await startEnvironment({ kinds: [Volume] });
  });
  after(() => env[Symbol.asyncDispose]());

  const create = (name: string, spec: object): Promise<Volume> =>
    env.client.create(new Volume({ metadata: { name, namespace: 'default' }, spec: spec as Volume['spec'] }));
  /** Returns the field and the message of each cause with which the server rejects the request. */
  const refusal = async (requested: Promise<unknown>): Promise<readonly string[]> => {
    const error: unknown = await requested.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof ApiError && error.status === 422, String(error));
    return (error.body?.details?.causes ?? []).map(({ field, message }) => `${field}: ${message}`).toSorted();
  };

  test('[CG-254] a union becomes a structural schema with all alternatives and a rule that exactly one is set', async () => {
    const spec = objectSchemaOf(Volume)?.properties?.spec;
    assert.deepEqual(Object.keys(spec?.properties ?? {}).toSorted(), ['bucket', 'disk', 'extra', 'size']);
    assert.deepEqual(spec?.required, ['size']);
    const both = await refusal(create('both', { ...onDisk, bucket: { url: 'https://example.com' } }));
    assert.match(both.join(), /exactly one of the fields in \[disk bucket\] must be set/);
    assert.equal((await create('one', onDisk)).spec.disk?.path, '/data');
  });

  test('[CG-258] the rules of the schema return the same results locally and on the server', async () => {
    const schema = objectSchemaOf(Volume);
    assert.ok(schema);
    const rules = RuleValidator.compile(schema);
    assert.ok(rules);
    const here = (object: object, old?: object): readonly string[] =>
      rules
        .validate(object, old)
        .errors.map(({ field, message }) => `${field}: ${message}`)
        .toSorted();

    const large = { metadata: { name: 'large', namespace: 'default' }, spec: { ...onDisk, size: 100 } };
    assert.deepEqual(await refusal(create('large', large.spec)), here(large));

    const volume = await create('ruled', onDisk);
    const grown = await env.client.patch(volume, (draft) => {
      draft.spec.size = 200;
    });
    assert.deepEqual(here(grown, volume), []);
    const shrunk = { ...grown, spec: { ...grown.spec, size: 150 } };
    assert.deepEqual(
      await refusal(
        env.client.patch(grown, (draft) => {
          draft.spec.size = 150;
        }),
      ),
      here(shrunk, grown),
    );
    assert.match(here(shrunk, grown).join(), /spec\.size: .*size cannot go below a large one/);
  });

  test('[CG-260] the server drops an undeclared field, and keeps the fields below a field that is declared with @Field.unknown', async () => {
    const { spec } = await create('undeclared', { ...onDisk, colour: 'red', extra: { any: ['thing'] } });
    assert.deepEqual(spec, { ...onDisk, extra: { any: ['thing'] } });
  });
});
