import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JobTemplateSpec } from '../generated/batch/v1.js';
import { ResourceRequirements } from '../generated/core/v1.js';
import {
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
  it('[CG-252] [CG-259] makes the whole definition of a kind from its class', () => {
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
  it('[CG-259] gives a kind with no column Age alone, and none twice', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Bare extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Bare), ['Age']);
    assert.equal(crdFor(Bare).spec.versions[0]?.subresources, undefined);
    @Kind({ group: 'example.com', version: 'v1' })
    @PrintColumn({ name: 'Age', jsonPath: '.metadata.creationTimestamp' })
    @PrintColumn({ name: 'Image', jsonPath: '.spec.image' })
    class Aged extends CustomResource(MachineSpec) {}
    assert.deepEqual(columns(Aged), ['Age', 'Image']);
  });
  it('names the resource in English plural', () => {
    assert.deepEqual(['Proxy', 'Gateway', 'Box', 'Switch', 'Class', 'Disk'].map(nameOf), [
      'proxies.a.b',
      'gateways.a.b',
      'boxes.a.b',
      'switches.a.b',
      'classes.a.b',
      'disks.a.b',
    ]);
  });
  it('makes the same definition of defineKind', () => {
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
  it('refuses kinds that have no definition of ours', () => {
    refuses(/Pod: it is part of Kubernetes/, () => crdFor(Pod));
    refuses(/Thing: only its name is known/, () => crdFor(dynamicKind('example.com/v1', 'Thing')));
    refuses(/of no kind/, () => crdFor([]));
  });
  it('refuses a selectable field and a scale path that lead to no such field', () => {
    refuses(/Wrong: @SelectableField\('\.spec\.imge'\)/, () => build('.spec.imge'));
    refuses(/Scaled: @Scale names '\.spec\.image'/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      @Scale({ specReplicas: '.spec.image', statusReplicas: '.status.replicas' })
      class Scaled extends CustomResource(MachineSpec, MachineStatus) {}
      return crdFor(Scaled);
    });
  });
});

describe('descriptions', () => {
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
  it('are those of kind, classes and fields, inherited ones too', () => {
    assert.deepEqual([schema.description, schema.properties?.spec?.description], ['A host.', 'What is wanted.']);
    const { name, size } = root?.properties ?? {};
    assert.deepEqual(
      [root?.description, name?.description, size?.description],
      ['The first one.', 'Its name.', 'In GiB.'],
    );
  });
  it('stand on items and values, and not on the list or map', () => {
    assert.deepEqual([disks?.description, disks?.items?.description], [undefined, 'A disk.']);
    const values = mounts?.additionalProperties as StructuralSchema;
    assert.deepEqual([mounts?.description, values.description], [undefined, 'A disk.']);
  });
  it('are not there unless they are given', () => {
    assert.doesNotMatch(JSON.stringify(crdFor(Host)), /description/);
  });
});

describe('crdFor of several versions', () => {
  it('[CG-253] joins them, one of them stored', () => {
    const { versions } = crdFor([version('v1'), version('v2', true)]).spec;
    assert.deepEqual(
      versions.map(({ name, storage }) => [name, storage]),
      [
        ['v1', false],
        ['v2', true],
      ],
    );
  });
  it('[CG-253] refuses none or two stored, the same twice, other names and other kinds', () => {
    refuses(/no version is stored; write storage: true/, () => crdFor([version('v1'), version('v2')]));
    refuses(/versions v1 and v2 are stored/, () => crdFor([version('v1', true), version('v2', true)]));
    refuses(/two classes are version v1/, () => crdFor([version('v1', true), version('v1')]));
    refuses(/version v2 has other names/, () => crdFor([version('v1', true), version('v2', false, 'discs')]));
    refuses(/is another kind than Disk/, () => crdFor([version('v1', true), Machine]));
  });
  it('crdsFor makes one definition a kind', () => {
    const definitions = crdsFor([version('v1'), Machine, version('v2', true), Machine]);
    assert.deepEqual(
      definitions.map(({ metadata }) => metadata.name),
      ['disks.example.com', 'machines.example.com'],
    );
  });
});

describe('the schema of a field', () => {
  it('says what each decorator of Field says', () => {
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
  it('[CG-255] makes an optional enum not required, and a nullable one nullable', () => {
    class Enums {
      @Field.enum(['a', 'b'], { optional: true }) maybe?: 'a' | 'b';
      @Field.enum(['a', 'b'], { optional: true, nullable: true }) nothing?: 'a' | 'b' | null;
    }
    assert.deepEqual(specOf(Enums), {
      type: 'object',
      properties: {
        maybe: { type: 'string', enum: ['a', 'b'] },
        nothing: { type: 'string', enum: ['a', 'b'], nullable: true },
      },
    });
  });
  it('[CG-256] makes an optional int-or-string', () => {
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
  it('has the list type that server-side apply needs', () => {
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
  it('carries CEL rules of kind, class and field, and those of immutable and one-of', () => {
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
        rule: '[has(self.git),has(self.http)].filter(x,x==true).size() == 1',
        message: 'exactly one of the fields in [git http] must be set',
      },
      {
        rule: '[has(self.git),has(self.tag)].filter(x,x==true).size() <= 1',
        message: 'at most one of the fields in [git tag] may be set',
      },
      { rule: '!has(oldSelf.tag) || has(self.tag)', message: 'tag is immutable' },
    ]);
    assert.deepEqual(source?.properties?.tag?.['x-kubernetes-validations'], [
      { rule: 'self == oldSelf', message: 'Value is immutable' },
    ]);
  });
  it('holds built-in parts as a definition may carry them', () => {
    class Parts {
      @Field.object(JobTemplateSpec) template!: JobTemplateSpec;
      @Field.object(ResourceRequirements, { optional: true }) resources?: ResourceRequirements;
    }
    const schema = specOf(Parts);
    assert.doesNotMatch(JSON.stringify(schema), /x-kubernetes-patch|\$ref/);
    const pod = schema.properties?.template?.properties?.spec?.properties?.template?.properties?.spec;
    assert.deepEqual(pod?.required, ['containers']);
    assert.equal(pod?.properties?.imagePullSecrets?.items?.properties?.name?.default, '');
  });
  it('takes the options of a decorator of your own before those it was made with', () => {
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
  it('inherits the fields of a class it extends', () => {
    class Named {
      @Field.string() name!: string;
    }
    class Sized extends Named {
      @Field.int32() size: Default<number> = 1;
    }
    assert.deepEqual(Object.keys(specOf(Sized).properties ?? {}), ['name', 'size']);
    assert.deepEqual(Object.keys(specOf(Named).properties ?? {}), ['name']);
  });
  it('says of a kind in a group of Kubernetes that it is not approved, without which the server refuses it', () => {
    @Kind({ group: 'samplecontroller.k8s.io', version: 'v1alpha1' })
    class Foo extends CustomResource(MachineSpec) {}
    assert.deepEqual(crdFor(Foo).metadata.annotations, {
      'api-approved.kubernetes.io': 'unapproved, not part of Kubernetes',
    });
    assert.equal(crdFor(Machine).metadata.annotations, undefined);
  });
});
