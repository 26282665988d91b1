import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Condition, CustomResource, type Default, defineKind, dynamicKind, Field, Kind, Rule } from '../index.js';
import { kindOf } from './kind-of.js';
import { objectSchemaOf, specSchemaOf } from './schema-of.js';

class MachineSpec {
  @Field.string({ minLength: 1 }) image!: string;
  @Field.int32({ minimum: 128 }) memory: Default<number> = 1024;
  @Field.list(Field.string(), { optional: true }) args?: string[];
}
class MachineStatus {
  @Field.conditions() conditions?: Condition[];
}
@Kind({ group: 'example.com', version: 'v1', shortNames: ['vm'] })
class Machine extends CustomResource(MachineSpec, MachineStatus) {}

const refuses = (code: string, pattern: RegExp, load: () => unknown): void => {
  assert.throws(load, (error: Error & { code?: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message, pattern);
    return true;
  });
};

describe('kindOf', () => {
  it('returns the names of a decorated class', () => {
    assert.deepEqual(kindOf(Machine), {
      group: 'example.com',
      version: 'v1',
      apiVersion: 'example.com/v1',
      kind: 'Machine',
      plural: 'machines',
      singular: 'machine',
      shortNames: ['vm'],
      categories: [],
      namespaced: true,
      hasStatus: true,
      dynamic: false,
      builtIn: false,
    });
  });
  it('returns the names of a kind from defineKind', () => {
    const Box = defineKind({
      group: 'example.com',
      version: 'v2',
      kind: 'Box',
      scope: 'Cluster',
      spec: { type: 'object' },
    });
    const { plural, namespaced, hasStatus, apiVersion } = kindOf(Box);
    assert.deepEqual([plural, namespaced, hasStatus, apiVersion], ['boxes', false, false, 'example.com/v2']);
  });
  it('leaves plural and scope of a dynamic kind undefined', () => {
    const { group, version, plural, namespaced, dynamic } = kindOf(dynamicKind('v1', 'Pod'));
    assert.deepEqual([group, version, plural, namespaced, dynamic], ['', 'v1', undefined, undefined, true]);
  });
  it('rejects a class without @Kind and names the class', () => {
    class Forgotten extends CustomResource(MachineSpec) {}
    refuses('MISSING_KIND', /class Forgotten as a kind: it has no @Kind decorator; add @Kind/, () => kindOf(Forgotten));
    class Child extends Machine {}
    refuses('MISSING_KIND', /class Child/, () => kindOf(Child));
  });
  it('rejects values that are not kinds', () => {
    refuses('NOT_A_KIND', /undefined as a kind/, () => kindOf(undefined as never));
    refuses('NOT_A_KIND', /class Date/, () => kindOf(Date as never));
  });
});

describe('new', () => {
  it('returns a plain object with apiVersion and kind', () => {
    const machine = new Machine({ metadata: { name: 'm' }, spec: { image: 'x', memory: 5 } });
    assert.equal(Object.getPrototypeOf(machine), Object.prototype);
    assert.deepStrictEqual(machine, {
      apiVersion: 'example.com/v1',
      kind: 'Machine',
      metadata: { name: 'm' },
      spec: { image: 'x', memory: 5 },
    });
  });
  it('fills in the defaults of the schema at every depth', () => {
    class Disk {
      @Field.string() name!: string;
      @Field.int32() size: Default<number> = 20;
    }
    class HostSpec {
      @Field.list(Disk, { mapKeys: ['name'] }) disks!: Disk[];
      @Field.map(Disk, { optional: true }) spare?: Record<string, Disk>;
      @Field.map(Field.string()) labels: Default<Record<string, string>> = { tier: 'web' };
      @Field.object(Disk) root: Default<Disk> = Object.assign(new Disk(), { name: 'root' });
    }
    @Kind({ group: 'example.com', version: 'v1' })
    class Host extends CustomResource(HostSpec) {}
    const host = new Host({
      metadata: { name: 'h' },
      spec: { disks: [{ name: 'a' }, { name: 'b', size: 1 }], spare: { c: { name: 'c' } } },
    });
    assert.deepStrictEqual(host.spec, {
      disks: [
        { name: 'a', size: 20 },
        { name: 'b', size: 1 },
      ],
      spare: { c: { name: 'c', size: 20 } },
      labels: { tier: 'web' },
      root: { name: 'root', size: 20 },
    });
    host.spec.labels satisfies Readonly<Record<string, string>>;
    const other = new Host({ metadata: { name: 'h' }, spec: { disks: [] } });
    assert.notEqual(other.spec.labels, host.spec.labels, 'two objects share a default');
  });
  it('fills in the defaults of a kind from defineKind', () => {
    const spec = { type: 'object', properties: { memory: { type: 'integer', default: 1024 } } };
    const Box = defineKind<{ memory?: number }>({ group: 'example.com', version: 'v1', kind: 'Box', spec });
    assert.equal(new Box({ metadata: { name: 'b' }, spec: {} }).spec.memory, 1024);
  });
  it('drops undefined fields and the prototypes of nested objects', () => {
    const spec = Object.assign(new MachineSpec(), { image: 'x' });
    const machine = new Machine({ metadata: { name: 'm', labels: undefined }, spec });
    assert.deepStrictEqual(JSON.parse(JSON.stringify(machine)), machine);
    assert.equal(Object.getPrototypeOf(machine.spec), Object.prototype);
  });
  it('reports the path of a value that JSON cannot represent', () => {
    const image = new Date(0) as unknown as string;
    refuses(
      'NOT_JSON',
      /Machine\.spec\.image: a Date/,
      () => new Machine({ metadata: { name: 'm' }, spec: { image } }),
    );
  });
});

describe('the schema of a class', () => {
  it('a class takes defaults from initializers, and requires fields that are neither optional nor have a default', () => {
    assert.deepEqual(specSchemaOf(Machine), {
      type: 'object',
      required: ['image'],
      properties: {
        image: { type: 'string', minLength: 1 },
        memory: { type: 'integer', format: 'int32', minimum: 128, default: 1024 },
        args: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
      },
    });
  });
  it('objectSchemaOf returns the same schema object in each call', () => {
    assert.equal(objectSchemaOf(Machine), objectSchemaOf(Machine));
  });
  it('objectSchemaOf returns undefined for a dynamic kind', () => {
    assert.equal(objectSchemaOf(dynamicKind('example.com/v1', 'Thing')), undefined);
  });
});

describe('@Kind', () => {
  it('rejects a class that does not extend CustomResource', () => {
    refuses('NOT_A_KIND', /kind Plain: .*extends CustomResource/, () => {
      class Plain {}
      Kind({ group: 'example.com', version: 'v1' })(Plain as never);
    });
  });
  it('accepts class names of one or two letters and rejects names that are not in PascalCase', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Db extends CustomResource(MachineSpec) {}
    @Kind({ group: 'example.com', version: 'v1' })
    class X extends CustomResource(MachineSpec) {}
    assert.deepEqual([kindOf(Db).kind, kindOf(X).kind], ['Db', 'X']);
    refuses('INVALID_KIND', /'t' is not a name in PascalCase and may be minified by a bundler/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      class t extends CustomResource(MachineSpec) {}
      return t;
    });
    @Kind({ group: 'example.com', version: 'v1', kind: 'Vm' })
    class V extends CustomResource(MachineSpec) {}
    assert.equal(kindOf(V).kind, 'Vm');
  });
  it('rejects names that the API server rejects', () => {
    for (const [bad, pattern] of [
      [{ group: 'example' }, /group 'example'/],
      [{ version: '1' }, /version '1'/],
      [{ plural: 'Machines' }, /plural 'Machines'/],
      [{ kind: 'A machine' }, /kind 'A machine' is not a valid name; use at most 63 letters, digits and '-', [^@]*$/],
      [{ kind: '1Machine' }, /kind '1Machine' is not a valid name; .*with a letter first and a letter or digit last$/],
    ] as const) {
      refuses('INVALID_KIND', pattern, () => {
        @Kind({ group: 'example.com', version: 'v1', ...bad })
        class Wrong extends CustomResource(MachineSpec) {}
        return Wrong;
      });
    }
    assert.throws(() => dynamicKind('example.com/v1', 'a/b'), { code: 'INVALID_KIND' });
  });
  it('accepts a lowercase kind option and rejects a lowercase class name', () => {
    @Kind({ group: 'acid.zalan.do', version: 'v1', kind: 'postgresql' })
    class Postgresql extends CustomResource(MachineSpec) {}
    const { kind, plural, singular } = kindOf(Postgresql);
    assert.deepEqual([kind, plural, singular], ['postgresql', 'postgresqls', 'postgresql']);
    assert.equal(kindOf(dynamicKind('acid.zalan.do/v1', 'postgresql')).kind, 'postgresql');
    refuses('INVALID_KIND', /'machine' is not a name in PascalCase/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      class machine extends CustomResource(MachineSpec) {}
      return machine;
    });
  });
  it('rejects a decorated field in the class of the kind, because the field would have no schema', () => {
    refuses(
      'INVALID_KIND',
      /kind Stray: field 'size' is declared in the class of the kind, .*; move it to MachineSpec$/,
      () => {
        @Kind({ group: 'example.com', version: 'v1' })
        class Stray extends CustomResource(MachineSpec) {
          @Field.int32({ optional: true }) size?: number;
        }
        return Stray;
      },
    );
  });
  it('rejects a class body that overwrites the values passed to new', () => {
    refuses('DEFINED_FIELDS', /kind Overwriting: its field 'spec'/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      class Overwriting extends CustomResource(MachineSpec) {
        override readonly spec = undefined as never;
      }
      return Overwriting;
    });
  });
  it('rejects a rule on a property without a field decorator', () => {
    refuses('INVALID_RULE', /class RuledSpec: @Rule is on 'other'/, () => {
      class RuledSpec {
        @Field.string() name!: string;
        @Rule({ rule: 'self != ""' }) other!: string;
      }
      @Kind({ group: 'example.com', version: 'v1' })
      class Ruled extends CustomResource(RuledSpec) {}
      return Ruled;
    });
  });
});

describe('CustomResource with top-level fields', () => {
  class Operation {
    @Field.int32() round: Default<number> = 1;
  }
  class DeliveryFields {
    @Field.object(Operation, { optional: true }) operation?: Operation;
    @Field.list(Field.string()) stops!: string[];
  }
  @Kind({ group: 'example.com', version: 'v1' })
  class Delivery extends CustomResource(MachineSpec, MachineStatus, { topLevel: DeliveryFields }) {}

  it('adds the top-level fields to the schema, the types and new objects', () => {
    const schema = objectSchemaOf(Delivery);
    assert.deepEqual(schema?.required, ['spec', 'stops']);
    assert.deepEqual(Object.keys(schema?.properties ?? {}).slice(3), ['spec', 'status', 'operation', 'stops']);
    const made = new Delivery({ metadata: { name: 'd' }, spec: { image: 'x' }, stops: ['a'], operation: {} });
    made.operation?.round satisfies number | undefined;
    assert.deepEqual(made.operation, { round: 1 });
    assert.deepEqual(made.stops, ['a']);
  });
  it('applies the rules of the class to the whole object', () => {
    @Rule({ rule: 'self.stops.size() > 0', message: 'a stop is missing' })
    class Ruled {
      @Field.list(Field.string(), { maxItems: 3 }) stops!: string[];
    }
    @Kind({ group: 'example.com', version: 'v1' })
    class Route extends CustomResource(undefined, undefined, { topLevel: Ruled }) {}
    const rules = objectSchemaOf(Route)?.['x-kubernetes-validations'];
    assert.deepEqual(rules, [{ rule: 'self.stops.size() > 0', message: 'a stop is missing' }]);
  });
  it('declares a kind without a spec', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Quorum extends CustomResource(undefined, MachineStatus) {}
    const quorum = new Quorum({ metadata: { name: 'q' } });
    quorum.status?.conditions satisfies readonly Condition[] | undefined;
    assert.deepEqual(quorum, { apiVersion: 'example.com/v1', kind: 'Quorum', metadata: { name: 'q' } });
    assert.equal(kindOf(Quorum).hasStatus, true);
    const schema = objectSchemaOf(Quorum);
    assert.deepEqual(Object.keys(schema?.properties ?? {}).slice(3), ['status']);
    assert.equal(schema?.required, undefined);
  });
  it('declares a status subresource without a status class if statusSubresource is true', () => {
    @Kind({ group: 'example.com', version: 'v1' })
    class Bare extends CustomResource(MachineSpec, undefined, { statusSubresource: true }) {}
    assert.equal(kindOf(Bare).hasStatus, true);
  });
  it('rejects a top-level field that every object has, a field that is declared twice, and an option without a class', () => {
    class Metadata {
      @Field.string() metadata!: string;
    }
    class Spec {
      @Field.string() spec!: string;
    }
    const load = (base: new (init: never) => object): void => {
      class Broken extends (base as typeof Delivery) {}
      Kind({ group: 'example.com', version: 'v1' })(Broken);
    };
    refuses('INVALID_KIND', /field 'metadata' of Metadata is a field of every object/, () =>
      load(CustomResource(MachineSpec, undefined, { topLevel: Metadata })),
    );
    refuses('INVALID_KIND', /Spec declares 'spec', which MachineSpec already declares/, () =>
      load(CustomResource(MachineSpec, undefined, { topLevel: Spec })),
    );
    refuses('INVALID_KIND', /it has specOptional, but no class for the spec/, () =>
      load(CustomResource(undefined, MachineStatus, { specOptional: true })),
    );
  });
  it('defineKind declares top-level fields', () => {
    const Plain = defineKind<never, { phase: string }, { operation?: { round: number } }>({
      group: 'example.com',
      version: 'v1',
      kind: 'Plain',
      status: { type: 'object' },
      topLevel: { type: 'object', properties: { operation: { type: 'object' } } },
    });
    assert.deepEqual(Object.keys(objectSchemaOf(Plain)?.properties ?? {}).slice(3), ['status', 'operation']);
    const made = new Plain({ metadata: { name: 'p' }, operation: { round: 2 } });
    made.operation?.round satisfies number | undefined;
    assert.deepEqual(made.operation, { round: 2 });
  });
});
