import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JobTemplateSpec } from '../generated/batch/v1.js';
import { ResourceRequirements } from '../generated/core/v1.js';
import {
  AtLeastOneOf,
  AtMostOneOf,
  type Condition,
  CustomResource,
  type Default,
  defineKind,
  dynamicKind,
  ExactlyOneOf,
  Field,
  Kind,
  type KindRef,
  type KubeObject,
  PrintColumn,
  Rule,
  Scale,
  SelectableField,
} from '../index.js';
import { Pod } from '../generated/core/v1.js';
import type { StructuralSchema } from '../schema/structural-schema.js';
import { crdFor, crdsFor } from './crd-for.js';

class MachineSpec {
  @Field.string({ minLength: 1 }) image!: string;
  @Field.int32({ minimum: 128 }) memory: Default<number> = 1024;
  @Field.int32({ minimum: 0 }) replicas: Default<number> = 1;
}
class MachineStatus {
  @Field.enum(['Creating', 'Complete'], { optional: true }) phase?: 'Creating' | 'Complete';
  @Field.int32({ optional: true }) replicas?: number;
  @Field.string({ optional: true }) selector?: string;
  @Field.dateTime({ optional: true }) since?: string;
}
@Kind({ group: 'example.com', version: 'v1', shortNames: ['vm'], categories: ['all'] })
@PrintColumn({ name: 'Phase', jsonPath: '.status.phase' })
@PrintColumn({ name: 'Memory', jsonPath: '.spec.memory', priority: 1 })
@PrintColumn({ name: 'Since', jsonPath: '.status.since' })
@PrintColumn({ name: 'Owner', jsonPath: '.metadata.labels.owner' })
@SelectableField('.spec.image')
@Scale({ specReplicas: '.spec.replicas', statusReplicas: '.status.replicas', labelSelector: '.status.selector' })
class Machine extends CustomResource(MachineSpec, MachineStatus) {}

const schemaOf = (ref: KindRef): StructuralSchema =>
  crdFor(ref).spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema;
const specOf = (spec: abstract new () => object): StructuralSchema => {
  @Kind({ group: 'example.com', version: 'v1' })
  class Sample extends CustomResource(spec) {}
  return schemaOf(Sample).properties?.spec ?? {};
};
const refuses = (pattern: RegExp, load: () => unknown): void => {
  assert.throws(load, (error: Error & { code?: string }) => {
    assert.equal(error.code, 'INVALID_KIND');
    assert.match(error.message, pattern);
    return true;
  });
};

const refusesField = (pattern: RegExp, load: () => unknown): void => {
  assert.throws(load, (error: Error & { code?: string }) => {
    assert.deepEqual([error.code, pattern.test(error.message)], ['INVALID_FIELD', true], error.message);
    return true;
  });
};

const integer = (minimum: number, fallback: number) => ({
  type: 'integer',
  format: 'int32',
  minimum,
  default: fallback,
});
const columns = (ref: KindRef) => crdFor(ref).spec.versions[0]?.additionalPrinterColumns?.map(({ name }) => name);
const nameOf = (kind: string) =>
  crdFor(defineKind({ group: 'a.b', version: 'v1', kind, spec: { type: 'object' } })).metadata.name;
const build = (path: `.${string}`) => {
  @Kind({ group: 'example.com', version: 'v1' })
  class Wrong extends CustomResource(MachineSpec, MachineStatus) {}
  SelectableField(path)(Wrong as never);
  return crdFor(Wrong);
};
const version = (name: string, storage?: boolean, plural = 'disks') =>
  defineKind({
    group: 'example.com',
    version: name,
    kind: 'Disk',
    plural,
    spec: { type: 'object' },
    ...(storage === undefined ? {} : { storage }),
  });

describe('crdFor', () => {
  it('[CG-252] [CG-259] generates the complete definition of a kind from its class', () => {
    assert.deepStrictEqual(crdFor(Machine), {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'machines.example.com' },
      spec: {
        group: 'example.com',
        names: {
          kind: 'Machine',
          listKind: 'MachineList',
          plural: 'machines',
          singular: 'machine',
          shortNames: ['vm'],
          categories: ['all'],
        },
        scope: 'Namespaced',
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: {
              openAPIV3Schema: {
                type: 'object',
                required: ['spec'],
                properties: {
                  apiVersion: { type: 'string' },
                  kind: { type: 'string' },
                  metadata: { type: 'object' },
                  spec: {
                    type: 'object',
                    required: ['image'],
                    properties: {
                      image: { type: 'string', minLength: 1 },
                      memory: integer(128, 1024),
                      replicas: integer(0, 1),
                    },
                  },
                  status: {
                    type: 'object',
                    properties: {
                      phase: { type: 'string', enum: ['Creating', 'Complete'] },
                      replicas: { type: 'integer', format: 'int32' },
                      selector: { type: 'string' },
                      since: { type: 'string', format: 'date-time' },
                    },
                  },
                },
              },
            },
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.replicas',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            },
            additionalPrinterColumns: [
              { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
              { name: 'Memory', type: 'integer', jsonPath: '.spec.memory', priority: 1 },
              { name: 'Since', type: 'date', jsonPath: '.status.since' },
              { name: 'Owner', type: 'string', jsonPath: '.metadata.labels.owner' },
              { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            ],
            selectableFields: [{ jsonPath: '.spec.image' }],
          },
        ],
      },
    });
  });
  it('omits the Age column for a kind with ageColumn: false', () => {
    @Kind({ group: 'example.com', version: 'v1', ageColumn: false })
    class Ageless extends CustomResource(MachineSpec) {}
    assert.equal(crdFor(Ageless).spec.versions[0]?.additionalPrinterColumns, undefined);
    @Kind({ group: 'example.com', version: 'v1', ageColumn: false })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    class Imaged extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Imaged), ['Image']);
  });
  it('[CG-259] adds only the Age column to a kind without columns, and rejects a duplicate column', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Bare extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Bare), ['Age']);
    assert.equal(crdFor(Bare).spec.versions[0]?.subresources, undefined);
    @Kind({ group: 'example.com', version: 'v1' })
    @PrintColumn({ name: 'Age', jsonPath: '.metadata.creationTimestamp' })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    class Aged extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Aged), ['Age', 'Image']);
    @Kind({ group: 'example.com', version: 'v1' })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    class Doubled extends CustomResource(MachineSpec) {}
    refuses(/two print columns have the name 'Image' and the path '.spec.image'; remove one/, () => crdFor(Doubled));
  });
  it('allows two columns of the same name for different fields', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    @PrintColumn({ name: 'Image', jsonPath: '.metadata.annotations.image' })
    class Twice extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Twice), ['Image', 'Image', 'Age']);
  });
  it('derives the English plural of a resource name', () => {
    assert.deepEqual(['Proxy', 'Gateway', 'Box', 'Switch', 'Class', 'Disk'].map(nameOf), [
      'proxies.a.b',
      'gateways.a.b',
      'boxes.a.b',
      'switches.a.b',
      'classes.a.b',
      'disks.a.b',
    ]);
  });
  it('generates the definition of a kind created by defineKind', () => {
    const Plain = defineKind({
      group: 'example.com',
      version: 'v1',
      kind: 'Plain',
      scope: 'Cluster',
      deprecated: 'use v2',
      spec: { type: 'object', properties: { memory: { type: 'integer', default: 1024 } } },
      status: { type: 'object' },
    });
    const { spec } = crdFor(Plain);
    assert.equal(spec.scope, 'Cluster');
    const [version] = spec.versions;
    assert.deepEqual([version?.deprecated, version?.deprecationWarning, version?.storage], [true, 'use v2', true]);
    assert.deepEqual(version?.subresources, { status: {} });
  });
  it('rejects built-in kinds, dynamic kinds and an empty list', () => {
    refuses(/Pod: the kind is part of Kubernetes/, () => crdFor(Pod));
    refuses(/Thing: the schema of the kind is unknown/, () => crdFor(dynamicKind('example.com/v1', 'Thing')));
    refuses(/no kind is given/, () => crdFor([]));
  });
  it('rejects a selectable field and a scale path that do not exist in the schema', () => {
    refuses(/Wrong: @SelectableField\('\.spec\.imge'\)/, () => build('.spec.imge'));
    refuses(/Scaled: @Scale names '\.spec\.image'/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      @Scale({ specReplicas: '.spec.image', statusReplicas: '.status.replicas' })
      class Scaled extends CustomResource(MachineSpec, MachineStatus) {}
      return crdFor(Scaled);
    });
  });
});

describe('crdFor with descriptions', () => {
  class Named {
    @Field.string() name!: string;
  }
  class Disk extends Named {
    @Field.int32() size!: number;
  }
  class HostSpec {
    @Field.object(Disk) root!: Disk;
    @Field.list(Disk) disks!: Disk[];
    @Field.map(Disk) mounts!: Record<string, Disk>;
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Host extends CustomResource(HostSpec) {}
  const texts = new Map<unknown, Record<string, string>>([
    [Named, { name: 'Its name.' }],
    [Disk, { '': 'A disk.', size: 'In GiB.' }],
    [HostSpec, { '': 'What is wanted.', root: 'The first one.' }],
    [Host, { '': 'A host.' }],
  ]);
  const { spec } = crdFor(Host, { descriptions: (shape, field = '') => texts.get(shape)?.[field] });
  const schema = spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema;
  const { root, disks, mounts } = schema.properties?.spec?.properties ?? {};
  it('sets the descriptions of the kind, its classes and its fields, including inherited fields', () => {
    assert.deepEqual([schema.description, schema.properties?.spec?.description], ['A host.', 'What is wanted.']);
    const { name, size } = root?.properties ?? {};
    assert.deepEqual(
      [root?.description, name?.description, size?.description],
      ['The first one.', 'Its name.', 'In GiB.'],
    );
  });
  it('sets the description of a nested class on the items or values, and not on the list or map', () => {
    assert.deepEqual([disks?.description, disks?.items?.description], [undefined, 'A disk.']);
    const values = mounts?.additionalProperties as StructuralSchema;
    assert.deepEqual([mounts?.description, values.description], [undefined, 'A disk.']);
  });
  it('omits descriptions by default', () => {
    assert.doesNotMatch(JSON.stringify(crdFor(Host)), /description/);
  });
});

describe('crdFor with several versions', () => {
  it('[CG-253] merges the versions and marks exactly one version as the storage version', () => {
    const { versions } = crdFor([version('v1'), version('v2', true)]).spec;
    assert.deepEqual(
      versions.map(({ name, storage }) => [name, storage]),
      [
        ['v1', false],
        ['v2', true],
      ],
    );
  });
  it('sorts the versions from oldest to newest', () => {
    const names = ['v10', 'v2', 'v1beta2', 'v1', 'v1alpha1', 'v1beta10'];
    const { versions } = crdFor(names.map((name) => version(name, name === 'v1'))).spec;
    assert.deepEqual(
      versions.map(({ name }) => name),
      ['v1alpha1', 'v1beta2', 'v1beta10', 'v1', 'v2', 'v10'],
    );
  });
  it('[CG-253] rejects zero or two storage versions, duplicate versions, different names and different kinds', () => {
    refuses(/no version is the storage version; set storage: true/, () => crdFor([version('v1'), version('v2')]));
    refuses(/versions v1 and v2 are all storage versions/, () => crdFor([version('v1', true), version('v2', true)]));
    refuses(/two classes declare version v1/, () => crdFor([version('v1', true), version('v1')]));
    refuses(/version v2 has different names/, () => crdFor([version('v1', true), version('v2', false, 'discs')]));
    refuses(/is not a version of Disk/, () => crdFor([version('v1', true), Machine]));
  });
  it('merges the labels and annotations of all versions', () => {
    const of = (name: string, metadata: object) =>
      defineKind({
        group: 'b.k8s.io',
        version: name,
        kind: 'Disk',
        storage: name === 'v1',
        spec: { type: 'object' },
        ...metadata,
      });
    const approval = { 'api-approved.kubernetes.io': 'https://example.com/approval' };
    const { metadata } = crdFor([
      of('v1', { labels: { a: '1' }, annotations: approval }),
      of('v2', { labels: { a: '1', b: '2' } }),
    ]);
    assert.deepEqual(metadata, { name: 'disks.b.k8s.io', labels: { a: '1', b: '2' }, annotations: approval });
    refuses(/Disk: its versions set labels 'a' to '1' and '2'; set it in one version/, () =>
      crdFor([of('v1', { labels: { a: '1' } }), of('v2', { labels: { a: '2' } })]),
    );
  });
  it('crdsFor generates one definition per kind', () => {
    const definitions = crdsFor([version('v1'), Machine, version('v2', true), Machine]);
    assert.deepEqual(
      definitions.map(({ metadata }) => metadata.name),
      ['disks.example.com', 'machines.example.com'],
    );
  });
});

describe('the schema of a field', () => {
  it('contains the constraints of each Field decorator', () => {
    class Every {
      @Field.string({ pattern: /^a+$/, maxLength: 5, format: 'hostname', title: 'Name', example: 'aa' }) text!: string;
      @Field.boolean() flag: Default<boolean> = false;
      @Field.int64() big!: number;
      @Field.double({ exclusiveMinimum: true, minimum: 0, multipleOf: 0.5 }) ratio!: number;
      @Field.quantity() size!: string;
      @Field.unknown({ optional: true }) anything?: unknown;
      @Field.embedded({ optional: true }) template?: KubeObject;
      @Field.int32({ nullable: true }) count!: number | null;
      @Field.map(Field.int32(), { maxProperties: 3, mapType: 'atomic' }) counts!: Record<string, number>;
      @Field.conditions() conditions?: Condition[];
    }
    const { properties, required } = specOf(Every);
    const { conditions, size, ...others } = properties ?? {};
    assert.deepEqual(others, {
      text: { title: 'Name', type: 'string', pattern: '^a+$', maxLength: 5, format: 'hostname', example: 'aa' },
      flag: { type: 'boolean', default: false },
      big: { type: 'integer', format: 'int64', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      ratio: { type: 'number', format: 'double', minimum: 0, exclusiveMinimum: true, multipleOf: 0.5 },
      anything: { 'x-kubernetes-preserve-unknown-fields': true },
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      count: { type: 'integer', format: 'int32', nullable: true },
      counts: {
        type: 'object',
        maxProperties: 3,
        additionalProperties: { type: 'integer', format: 'int32' },
        'x-kubernetes-map-type': 'atomic',
      },
    });
    assert.deepEqual(required, ['text', 'big', 'ratio', 'size', 'count', 'counts']);
    assert.equal(size?.['x-kubernetes-int-or-string'], true);
    assert.match('1.5Gi', new RegExp(size?.pattern ?? 'none'));
    assert.deepEqual(conditions?.['x-kubernetes-list-map-keys'], ['type']);
  });
  it('[CG-255] does not require an optional enum, and makes a nullable enum nullable', () => {
    class Enums {
      @Field.enum(['a', 'b'], { optional: true }) maybe?: 'a' | 'b';
      @Field.enum(['a', 'b'], { optional: true, nullable: true }) nothing?: 'a' | 'b' | null;
    }
    assert.deepEqual(specOf(Enums), {
      type: 'object',
      properties: {
        maybe: { type: 'string', enum: ['a', 'b'] },
        nothing: { type: 'string', nullable: true, allOf: [{ enum: ['a', 'b'] }] },
      },
    });
  });
  it('[CG-256] supports an optional int-or-string', () => {
    class Port {
      @Field.intOrString({ optional: true, nullable: true, pattern: /^\d+%$/ }) port?: string | number | null;
    }
    assert.deepEqual(specOf(Port).properties?.port, {
      anyOf: [{ type: 'integer' }, { type: 'string' }],
      'x-kubernetes-int-or-string': true,
      pattern: '^\\d+%$',
      nullable: true,
    });
  });
  it('the schema of a list field has the list type that server-side apply needs', () => {
    class Item {
      @Field.string() name!: string;
    }
    class Lists {
      @Field.list(Item, { mapKeys: ['name'], minItems: 1 }) keyed!: Item[];
      @Field.list(Field.enum(['x', 'y'])) letters!: ('x' | 'y')[];
      @Field.list(Field.list(Field.int32())) matrix!: number[][];
      @Field.list(Field.string(), { listType: 'set' }) words!: string[];
    }
    const { keyed, letters, matrix, words } = specOf(Lists).properties ?? {};
    assert.deepEqual(keyed, {
      type: 'array',
      minItems: 1,
      items: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    });
    assert.equal(letters?.['x-kubernetes-list-type'], 'set');
    assert.equal(matrix?.items?.['x-kubernetes-list-type'], 'atomic');
    assert.equal(words?.['x-kubernetes-list-type'], 'set');
  });
  it('contains the CEL rules of kind, class and field, and the rules of immutable and one-of decorators', () => {
    @ExactlyOneOf('git', 'http')
    @AtMostOneOf('git', 'tag')
    class Source {
      @Field.string({ optional: true }) git?: string;
      @Field.string({ optional: true }) http?: string;
      @Field.string({ optional: true, immutable: true }) tag?: string;
    }
    class RuledSpec {
      @Field.object(Source) source!: Source;
      @Rule({ rule: 'self == oldSelf.orValue(self)', optionalOldSelf: true, reason: 'FieldValueForbidden' })
      @Field.string()
      name!: string;
    }
    @Rule({ rule: 'self.spec.name != "x"', message: 'no x' })
    @Kind({ group: 'example.com', version: 'v1' })
    class Ruled extends CustomResource(RuledSpec) {}
    const schema = schemaOf(Ruled);
    assert.deepEqual(schema['x-kubernetes-validations'], [{ rule: 'self.spec.name != "x"', message: 'no x' }]);
    const { source, name } = schema.properties?.spec?.properties ?? {};
    assert.deepEqual(name?.['x-kubernetes-validations'], [
      { rule: 'self == oldSelf.orValue(self)', optionalOldSelf: true, reason: 'FieldValueForbidden' },
    ]);
    assert.deepEqual(source?.['x-kubernetes-validations'], [
      {
        rule: '(has(self.git)?1:0)+(has(self.http)?1:0) == 1',
        message: 'exactly one of the fields in [git http] must be set',
      },
      {
        rule: '(has(self.git)?1:0)+(has(self.tag)?1:0) <= 1',
        message: 'at most one of the fields in [git tag] may be set',
      },
      { rule: '!has(oldSelf.tag) || has(self.tag)', message: 'field tag is immutable once set' },
    ]);
    assert.deepEqual(source?.properties?.tag?.['x-kubernetes-validations'], [
      { rule: 'self == oldSelf', message: 'field is immutable' },
    ]);
  });
  it('lists the rules of a field before the rules of its type', () => {
    const Even = Field.custom('Even', Field.string({ rules: [{ rule: 'self.size() % 2 == 0' }] }));
    @Rule({ rule: 'self.name != ""' })
    class Part {
      @Even({ rules: [{ rule: 'self != "b"' }], immutable: true }) @Rule({ rule: 'self != "a"' }) name!: string;
    }
    class Parts {
      @Field.object(Part) @Rule({ rule: 'true' }) part!: Part;
      @Field.list(Field.int32({ rules: [{ rule: 'self > 0', message: 'is above 0' }] })) counts!: number[];
    }
    const { part, counts } = specOf(Parts).properties ?? {};
    const rules = (schema: StructuralSchema | undefined) =>
      schema?.['x-kubernetes-validations']?.map(({ rule }) => rule);
    assert.deepEqual(rules(part), ['true', 'self.name != ""']);
    assert.deepEqual(rules(part?.properties?.name), [
      'self != "a"',
      'self != "b"',
      'self.size() % 2 == 0',
      'self == oldSelf',
    ]);
    assert.deepEqual(counts?.items?.['x-kubernetes-validations'], [{ rule: 'self > 0', message: 'is above 0' }]);
  });
  it('requires at least one of several fields and escapes their names in the rule', () => {
    @AtLeastOneOf('a-b', 'in')
    class Target {
      @Field.string({ optional: true }) 'a-b'?: string;
      @Field.string({ optional: true, immutable: true }) in?: string;
    }
    assert.deepEqual(specOf(Target)['x-kubernetes-validations'], [
      {
        rule: 'has(self.a__dash__b)||has(self.__in__)',
        message: 'at least one of the fields in [a-b in] must be set',
      },
      { rule: '!has(oldSelf.__in__) || has(self.__in__)', message: 'field in is immutable once set' },
    ]);
  });
  it('contains the options of objects, numeric enums and int-or-strings', () => {
    class Inner {
      @Field.int32() size: Default<number> = 1;
    }
    class Every {
      @Field.object(Inner, {
        minProperties: 1,
        maxProperties: 2,
        mapType: 'atomic',
        preserveUnknownFields: true,
        default: {},
        example: { size: 2 },
        description: 'Described here.',
        externalDocs: { url: 'https://example.com/inner' },
      })
      inner!: Inner;
      @Field.enum([0, 1, 3]) code!: 0 | 1 | 3;
      @Field.enum([0.5, 1]) ratio!: 0.5 | 1;
      @Field.enum([1, 'foo'], { default: 'foo' }) mixed!: 1 | 'foo';
      @Field.intOrString({ minLength: 1, maxLength: 4, pattern: '%$' }) share!: string | number;
      @Field.list(Field.string({ description: '' }), { default: ['a'] }) words!: string[];
    }
    const { inner, code, ratio, mixed, share, words } = specOf(Every).properties ?? {};
    assert.deepEqual(inner, {
      type: 'object',
      description: 'Described here.',
      externalDocs: { url: 'https://example.com/inner' },
      properties: { size: { type: 'integer', format: 'int32', default: 1 } },
      minProperties: 1,
      maxProperties: 2,
      default: {},
      example: { size: 2 },
      'x-kubernetes-map-type': 'atomic',
      'x-kubernetes-preserve-unknown-fields': true,
    });
    assert.deepEqual(code, { type: 'integer', enum: [0, 1, 3] });
    assert.deepEqual(ratio, { type: 'number', enum: [0.5, 1] });
    const either = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };
    assert.deepEqual(mixed, { ...either, enum: [1, 'foo'], default: 'foo' });
    assert.deepEqual(share, { ...either, minLength: 1, maxLength: 4, pattern: '%$' });
    assert.deepEqual(words, {
      type: 'array',
      items: { type: 'string' },
      default: ['a'],
      'x-kubernetes-list-type': 'atomic',
    });
  });
  it('combines the constraints of a custom decorator with the constraints of the field', () => {
    const Name = Field.custom('Name', Field.string({ minLength: 4, maxLength: 255, pattern: /^a/ }));
    const Port = Field.custom('Port', Field.int32({ minimum: 1, exclusiveMinimum: true, maximum: 10 }));
    const Labels = Field.custom('Labels', Field.map(Field.string(), { maxProperties: 3 }));
    const Hosts = Field.custom('Hosts', Field.list(Name({ maxLength: 9 }), { minItems: 1 }));
    class Narrow {
      @Name({ minLength: 10, maxLength: 300, pattern: /z$/ }) name!: string;
      @Port({ minimum: 1, maximum: 5, multipleOf: 2 }) port!: number;
      @Labels({ minProperties: 1, maxProperties: 2 }) labels!: Record<string, string>;
      @Hosts({ minItems: 2, maxItems: 3 }) hosts!: string[];
    }
    const { name, port, labels, hosts } = specOf(Narrow).properties ?? {};
    assert.deepEqual(name, {
      type: 'string',
      minLength: 10,
      maxLength: 255,
      pattern: '^a',
      allOf: [{ pattern: 'z$' }],
    });
    assert.deepEqual(port, {
      type: 'integer',
      format: 'int32',
      minimum: 1,
      exclusiveMinimum: true,
      maximum: 5,
      multipleOf: 2,
    });
    assert.deepEqual([labels?.minProperties, labels?.maxProperties], [1, 2]);
    assert.deepEqual([hosts?.minItems, hosts?.maxItems, hosts?.items?.maxLength], [2, 3, 9]);
    refusesField(/field 'name' of Empty: @Name has minLength 300, which is greater than maxLength 255/, () => {
      class Empty {
        @Name({ minLength: 300 }) name!: string;
      }
      return Empty;
    });
  });
  it('converts the schemas of built-in types to schemas that the API server accepts in a definition', () => {
    class Parts {
      @Field.object(JobTemplateSpec) template!: JobTemplateSpec;
      @Field.object(ResourceRequirements, { optional: true }) resources?: ResourceRequirements;
    }
    const schema = specOf(Parts);
    assert.doesNotMatch(JSON.stringify(schema), /x-kubernetes-patch|\$ref/);
    const pod = schema.properties?.template?.properties?.spec?.properties?.template?.properties?.spec;
    assert.deepEqual(pod?.required, ['containers']);
    const { creationTimestamp, labels } = schema.properties?.template?.properties?.metadata?.properties ?? {};
    assert.deepEqual([creationTimestamp?.nullable, labels?.type], [true, 'object']);
    assert.equal(pod?.properties?.imagePullSecrets?.items?.properties?.name?.default, '');
  });
  it('options of a field take precedence over options of its custom decorator', () => {
    const Port = Field.custom('Port', Field.int32({ minimum: 1, maximum: 65535, title: 'Port' }));
    class Ports {
      @Port({ default: 80 }) port!: number;
      @Port({ optional: true, title: 'Metrics' }) metrics?: number;
      @Field.list(Port()) ports!: number[];
    }
    const { port, metrics, ports } = specOf(Ports).properties ?? {};
    assert.deepEqual(port, {
      title: 'Port',
      type: 'integer',
      format: 'int32',
      minimum: 1,
      maximum: 65535,
      default: 80,
    });
    assert.equal(metrics?.title, 'Metrics');
    assert.equal(ports?.items?.maximum, 65535);
  });
  it('inherits the fields of the base class', () => {
    class Named {
      @Field.string() name!: string;
    }
    class Sized extends Named {
      @Field.int32() size: Default<number> = 1;
    }
    assert.deepEqual(Object.keys(specOf(Sized).properties ?? {}), ['name', 'size']);
    assert.deepEqual(Object.keys(specOf(Named).properties ?? {}), ['name']);
  });
  it('marks a kind in a protected Kubernetes group as unapproved', () => {
    @Kind({ group: 'samplecontroller.k8s.io', version: 'v1alpha1' })
    class Foo extends CustomResource(MachineSpec) {}
    assert.deepEqual(crdFor(Foo).metadata.annotations, {
      'api-approved.kubernetes.io': 'unapproved, not part of Kubernetes',
    });
    assert.equal(crdFor(Machine).metadata.annotations, undefined);
  });
});
