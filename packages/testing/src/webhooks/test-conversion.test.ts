import 'reflect-metadata';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConvertedContent,
  Converter,
  CustomResource,
  type Default,
  Defaulter,
  dynamicKind,
  type Draft,
  Field,
  Kind,
  type KubeObject,
} from '@kubewright/api';
import { testConversion } from './test-conversion.js';
import { testDefaulter } from './test-defaulter.js';

class Part {
  @Field.string() name!: string;
  @Field.int32({ minimum: 1, maximum: 9 }) size!: number;
}
class OldSpec {
  @Field.string({ minLength: 1 }) cron!: string;
  @Field.enum(['Allow', 'Forbid']) policy: Default<'Allow' | 'Forbid'> = 'Allow';
  @Field.list(Part, { optional: true, mapKeys: ['name'] }) parts?: Part[];
}
@Kind({ group: 'batch.example.com', version: 'v1alpha1', kind: 'CronJob' })
class OldCronJob extends CustomResource(OldSpec) {}
class Spec {
  @Field.string({ minLength: 1 }) schedule!: string;
  @Field.boolean() suspend: Default<boolean> = false;
}
@Kind({ group: 'batch.example.com', version: 'v1', kind: 'CronJob' })
class CronJob extends CustomResource(Spec) {}

@Converter({ from: OldCronJob, hub: CronJob })
class CronJobConverter implements Converter<OldCronJob, CronJob> {
  up({ spec }: OldCronJob): ConvertedContent<CronJob> {
    return { spec: { schedule: spec.cron, suspend: false } };
  }
  down({ spec }: CronJob): ConvertedContent<OldCronJob> {
    return { spec: { cron: spec.schedule, policy: 'Allow' } };
  }
}

test('testConversion reports the fields that each version cannot represent', () => {
  assert.deepEqual(testConversion(CronJobConverter), {
    objects: 200,
    kept: { up: ['spec.parts', 'spec.policy'], down: ['spec.suspend'] },
  });
  assert.equal(testConversion(new CronJobConverter(), { count: 10 }).objects, 20);
});

test('testConversion finds a converter that loses fields', () => {
  @Converter({ from: OldCronJob, hub: CronJob, lossless: false })
  class Lossy extends CronJobConverter {}
  assert.throws(() => testConversion(Lossy), {
    code: 'CONVERSION_NOT_REVERSIBLE',
    message: /^Lossy: down\(up\(object\)\) changes spec\.\w+.*; the object is \{/,
  });
});

test('testConversion finds a converter that is not pure', () => {
  @Converter({ from: OldCronJob, hub: CronJob })
  class Counting extends CronJobConverter {
    #calls = 0;
    override up(): ConvertedContent<CronJob> {
      return { spec: { schedule: String(this.#calls++), suspend: false } };
    }
  }
  assert.throws(() => testConversion(Counting), { code: 'CONVERSION_NOT_REVERSIBLE', message: /it must be pure/ });
});

test('testConversion finds objects that are not valid in the other version', () => {
  @Converter({ from: OldCronJob, hub: CronJob })
  class Empty extends CronJobConverter {
    override up(): ConvertedContent<CronJob> {
      return { spec: { schedule: '', suspend: false } };
    }
  }
  assert.throws(() => testConversion(Empty), {
    code: 'CONVERSION_INVALID',
    message: /up returns an object that is not valid in batch\.example\.com\/v1: spec\.schedule: /,
  });
});

test('testConversion requires a class with @Converter, and the option objects for kinds without a schema', () => {
  class Plain {}
  assert.throws(() => testConversion(Plain as never), { code: 'NOT_A_COMPONENT', message: /it has no @Converter/ });
  const [A, B] = [dynamicKind('example.com/v1alpha1', 'Disk'), dynamicKind('example.com/v1', 'Disk')];
  @Converter({ from: A, hub: B })
  class Dynamic implements Converter<KubeObject, KubeObject> {
    up() {
      return {};
    }
    down() {
      return {};
    }
  }
  assert.throws(() => testConversion(Dynamic), { code: 'CANNOT_GENERATE', message: /pass valid objects of this kind/ });
  const object = (apiVersion: string) => ({ apiVersion, kind: 'Disk', metadata: { name: 'a' } }) as KubeObject;
  const objects = [object('example.com/v1alpha1'), object('example.com/v1')];
  assert.equal(testConversion(Dynamic, { objects }).objects, 2);
});

test('testDefaulter accepts an idempotent defaulter, and finds one that is not idempotent', async () => {
  @Defaulter({ for: OldCronJob })
  class Good implements Defaulter<OldCronJob> {
    default(draft: Draft<OldCronJob>): void {
      draft.spec.parts ??= [];
    }
  }
  const { objects, changed } = await testDefaulter(Good);
  assert.equal(objects, 100);
  assert.ok(changed > 0 && changed < 100);
  @Defaulter({ for: OldCronJob })
  class Bad implements Defaulter<OldCronJob> {
    default(draft: Draft<OldCronJob>): void {
      draft.spec.cron += '!';
    }
  }
  await assert.rejects(testDefaulter(new Bad()), {
    code: 'DEFAULTER_NOT_IDEMPOTENT',
    message: /^Bad is not idempotent: a second call changes \/spec\/cron; only set fields that are not set yet/,
  });
});
