import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CustomResource, Field, Kind } from '@kubewright/api';
import { crdFor } from '@kubewright/api/metadata';
import { describeSources } from './describe-sources.js';

const disk = (version: string, field: string) => `
import { Named as Base } from '../named.js';
import type { Nothing } from './nothing.js';
/** Not the description of a class. */
const size = 'ü € 😀';

/** The desired disk in ${version}. */
export class DiskSpec extends Base {
  /** In GiB, ${version}. */
  @Field.int32({ minimum: 1 }) ${field}!: number;
  /** Replaced by the last comment. */
  // Not a doc comment.
  /** Where it is. */
  @Field.object(Place, { optional: true, /** not this */ nullable: true })
  /* nor this */
  readonly 'place'?: Place;
  @Field.string() plain!: string; /** Of plain, at most. */
  @Field.string() bare!: string;
}
/** A disk of ${version}. */
@Kind({ group: 'example.com', version: '${version}' })
export class Disk extends CustomResource(DiskSpec) {}
/** Not exported. */
class Place {
  /** North or south. */
  @Field.string() half!: string;
}
`;
const sources = describeSources([
  { path: 'src/api/v1/disk.ts', text: disk('v1', 'size') },
  { path: 'src/api/v2/disk.ts', text: disk('v2', 'capacity') },
  {
    path: 'src/api/named.ts',
    text: '/** @file Names. */\nexport class Named {\n  /** Its name. */ @Field.string() name!: string;\n}',
  },
  { path: 'src/api/index.ts', text: "export * from './v1/disk.js';" },
  { path: 'src/broken.ts', text: 'class {' },
]);

class Named {
  @Field.string() name!: string;
}
function first() {
  class Place {
    @Field.string() half!: string;
  }
  class DiskSpec extends Named {
    @Field.int32() size!: number;
    @Field.object(Place, { optional: true }) place?: Place;
    @Field.string() plain!: string;
    @Field.string() bare!: string;
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Disk extends CustomResource(DiskSpec) {}
  return { Disk, DiskSpec };
}
function second() {
  class Place {
    @Field.string() half!: string;
  }
  class DiskSpec extends Named {
    @Field.int32() capacity!: number;
    @Field.map(Field.list(Place)) place!: Record<string, Place[]>;
    @Field.string() plain!: string;
    @Field.string() bare!: string;
  }
  @Kind({ group: 'example.com', version: 'v2' })
  class Disk extends CustomResource(DiskSpec) {}
  return { Disk, default: 1, answer: () => 42 };
}
const v1 = first();
const v2 = second();
const descriptions = sources.of([
  { source: 'src/api/index.ts', exports: v1 },
  { source: 'src/api/v1/disk.ts', exports: v1 },
  { source: 'src/api/v2/disk.ts', exports: v2 },
  { source: 'src/gone.ts', exports: v2 },
]);
const schemaOf = (kind: Parameters<typeof crdFor>[0]) =>
  crdFor(kind, { descriptions }).spec.versions[0]?.schema?.openAPIV3Schema;

describe('descriptions', () => {
  it('descriptions come from the module of the class if two versions have classes with the same name', () => {
    for (const [kind, version, field] of [
      [v1.Disk, 'v1', 'size'],
      [v2.Disk, 'v2', 'capacity'],
    ] as const) {
      const schema = schemaOf(kind);
      const spec = schema?.properties?.['spec'];
      assert.equal(schema?.description, `A disk of ${version}.`);
      assert.equal(spec?.description, `The desired disk in ${version}.`);
      assert.equal(spec?.properties?.[field]?.description, `In GiB, ${version}.`);
    }
  });
  it('descriptions include the comments of base classes and of classes that are not exported', () => {
    const spec = schemaOf(v1.Disk)?.properties?.['spec'];
    assert.equal(spec?.properties?.['place']?.description, 'Where it is.');
    assert.equal(spec?.properties?.['place']?.properties?.['half']?.description, 'North or south.');
    assert.equal(spec?.properties?.['name']?.description, 'Its name.');
    const lists = schemaOf(v2.Disk)?.properties?.['spec']?.properties?.['place'];
    assert.equal(lists?.description, 'Where it is.');
    assert.match(JSON.stringify(lists), /"description":"Not exported."/);
  });
  it('descriptions exclude comments after a declaration on the same line', () => {
    const spec = schemaOf(v1.Disk)?.properties?.['spec'];
    assert.equal(spec?.properties?.['plain']?.description, undefined);
    assert.equal(spec?.properties?.['bare']?.description, undefined);
  });
  it('a class has no description if several classes have the same name and the same fields', () => {
    const far = (path: string) => ({
      path,
      text: '/** A part. */ export class Part { @Field.string() name!: string; }',
    });
    const host = {
      path: 'host.ts',
      text: "import { Part } from '#parts'; export class Spec { @Field.object(Part) part!: Part; }",
    };
    class Part {
      @Field.string() name!: string;
    }
    class Spec {
      @Field.object(Part) part!: Part;
    }
    const modules = [{ source: 'host.ts', exports: { Spec } }];
    assert.equal(describeSources([host, far('a.ts')]).of(modules)(Part), 'A part.');
    assert.equal(describeSources([host, far('a.ts'), far('b.ts')]).of(modules)(Part), undefined);
  });
});

describe('fields without a decorator', () => {
  it('fields without a decorator are reported with file and class if the class is a kind or has other decorated fields', () => {
    const text = `
      export class Part { @Field.string() name!: string; size?: number; static most = 3; #secret = 1; private own = 2;
        declare alias: string; greet = () => 'hi'; }
      export class DiskSpec extends Part { @Field.object(Part, { optional: true }) part?: Part; 'in-use'!: boolean; @Other() labels = {}; }
      export class Plain { name = ''; }
      @Kind({ group: 'example.com', version: 'v1' }) export class Disk extends CustomResource(DiskSpec) { spec!: DiskSpec; data?: string; }`;
    class Part {
      @Field.string() name!: string;
    }
    class DiskSpec extends Part {
      @Field.object(Part, { optional: true }) part?: Part;
    }
    class Plain {}
    @Kind({ group: 'example.com', version: 'v1' })
    class Disk extends CustomResource(DiskSpec) {}
    const source = 'src/api/v1/disk.ts';
    const reported = describeSources([{ path: source, text }]).forgottenFields([
      { source, exports: { Plain, DiskSpec, Disk } },
    ]);
    const dropped = 'so no schema contains it and API servers drop its value;';
    const why = `has no decorator, ${dropped} add @Field.… to it, or remove it`;
    assert.deepEqual(reported, [
      `${source}: field 'data' of Disk is declared in the class of a kind, ${dropped} move it to DiskSpec with @Field.…, or remove it`,
      `${source}: field 'in-use' of DiskSpec ${why}`,
      `${source}: field 'labels' of DiskSpec ${why}`,
      `${source}: field 'size' of Part ${why}`,
    ]);
  });
});
