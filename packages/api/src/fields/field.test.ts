import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LocalObjectReference } from '../generated/core/v1.js';
import { type Condition, CustomResource, type Default, ExactlyOneOf, Field, Kind, Rule } from '../index.js';
import { classSchema } from './class-schema.js';

class Disk {
  @Field.string() name!: string;
  @Field.int32({ optional: true }) size?: number;
}

function refuses(code: string, pattern: RegExp, load: () => unknown): void {
  assert.throws(load, (error: Error & { code?: string }) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, pattern);
    return true;
  });
}

function loadStandard(): void {
  (Field.string() as unknown as (target: undefined, context: object) => void)(undefined, {
    kind: 'field',
    name: 'image',
  });
}

describe('loading a class', () => {
  it('rejects mapKeys that the item class does not declare, and lists the declared fields', () => {
    refuses(
      'INVALID_FIELD',
      /field 'disks' of Host: class Disk has no field 'nme' for mapKeys; its fields are name, size/,
      () => {
        class Host {
          @Field.list(Disk, { mapKeys: ['nme' as 'name'] }) disks!: Disk[];
        }
        return Host;
      },
    );
  });
  it('rejects mapKeys that are optional or not scalar', () => {
    refuses('INVALID_FIELD', /field 'size' of Disk is in mapKeys and cannot be optional/, () => {
      class Host {
        @Field.list(Disk, { mapKeys: ['size'] }) disks!: Disk[];
      }
      return Host;
    });
    refuses('INVALID_FIELD', /field 'inner' of Outer is not a string, number or boolean/, () => {
      class Outer {
        @Field.object(Disk) inner!: Disk;
      }
      class Host {
        @Field.list(Outer, { mapKeys: ['inner'] }) outers!: Outer[];
      }
      return Host;
    });
  });
  it('rejects a listType that conflicts with other options', () => {
    refuses('INVALID_FIELD', /mapKeys and listType 'set' exclude each other/, () => {
      class Host {
        @Field.list(Disk, { mapKeys: ['name'], listType: 'set' }) disks!: Disk[];
      }
      return Host;
    });
    refuses('INVALID_FIELD', /listType 'map' requires mapKeys; add the fields that identify an item/, () => {
      class Host {
        @Field.list(Disk, { listType: 'map' }) disks!: Disk[];
      }
      return Host;
    });
    refuses('INVALID_FIELD', /listType 'set' requires items that are strings/, () => {
      class Host {
        @Field.list(Disk, { listType: 'set' }) disks!: Disk[];
      }
      return Host;
    });
  });
  it('accepts mapKeys of a built-in type without a check', () => {
    class Host {
      @Field.list(LocalObjectReference, { mapKeys: ['name'] }) secrets!: LocalObjectReference[];
    }
    assert.deepEqual(classSchema(Host).properties?.secrets?.['x-kubernetes-list-map-keys'], ['name']);
  });
  it('[CG-257] rejects enums without values and enums with duplicate values', () => {
    refuses('INVALID_FIELD', /field 'policy' of Host: @Field.enum lists 'a' twice; remove the duplicate/, () => {
      class Host {
        @Field.enum(['a', 'a']) policy!: 'a';
      }
      return Host;
    });
    refuses('INVALID_FIELD', /lists no values/, () => {
      class Host {
        @Field.list(Field.enum([])) policies!: never[];
      }
      return Host;
    });
  });
  it('rejects invalid patterns and bounds', () => {
    refuses('INVALID_FIELD', /field 'name' of Host: @Field.string has a pattern with the flag 'i'/, () => {
      class Host {
        @Field.string({ pattern: /a/i }) name!: string;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /not a regular expression/, () => {
      class Host {
        @Field.string({ pattern: '(' }) name!: string;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /has a pattern with '\(\?=', which the API server does not support/, () => {
      class Host {
        @Field.string({ pattern: /^(?=a)/ }) name!: string;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /minimum 5, which is greater than maximum 4/, () => {
      class Host {
        @Field.int32({ minimum: 5, maximum: 4 }) count!: number;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /maximum 4294967296, which is outside the range of int32/, () => {
      class Host {
        @Field.int32({ maximum: 2 ** 32 }) count!: number;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /minimum 0.5, which is not an integer; use Field.double/, () => {
      class Host {
        @Field.int64({ minimum: 0.5 }) count!: number;
      }
      return Host;
    });
  });
  it('rejects contradictory bounds, an exclusive bound without a bound, and multipleOf 0', () => {
    refuses('INVALID_FIELD', /@Field.string has minLength 3, which is greater than maxLength 2; swap them/, () => {
      class Host {
        @Field.list(Field.string({ minLength: 3, maxLength: 2 })) names!: string[];
      }
      return Host;
    });
    refuses('INVALID_FIELD', /@Field.list has minItems 2, which is greater than maxItems 1/, () => {
      class Host {
        @Field.list(Field.string(), { minItems: 2, maxItems: 1 }) names!: string[];
      }
      return Host;
    });
    refuses('INVALID_FIELD', /@Field.double has exclusiveMaximum without maximum; set maximum/, () => {
      class Host {
        @Field.double({ exclusiveMaximum: true }) ratio!: number;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /@Field.double has multipleOf 0; use a number greater than 0/, () => {
      class Host {
        @Field.double({ multipleOf: 0 }) ratio!: number;
      }
      return Host;
    });
  });
  it('rejects a class that contains itself, has no fields or is not defined yet', () => {
    refuses('INVALID_FIELD', /field 'children' of Tree: a class cannot contain itself/, () => {
      class Tree {
        @Field.list(Tree) children!: Tree[];
      }
      return Tree;
    });
    refuses('INVALID_FIELD', /class Bare has no decorated fields/, () => {
      class Bare {
        name = '';
      }
      class Host {
        @Field.object(Bare) bare!: Bare;
      }
      return Host;
    });
    refuses('INVALID_FIELD', /field 'disk' of Host: the class of the field is not defined yet/, () => {
      const later = undefined as unknown as typeof Disk;
      class Host {
        @Field.object(later) disk!: Disk;
      }
      return Host;
    });
  });
});

describe('loading a class with wrong compiler settings', () => {
  it('reports missing emitDecoratorMetadata', () => {
    class Untyped {}
    const load = () => Field.string()(Untyped.prototype as never, 'name' as never);
    refuses(
      'DECORATOR_METADATA_MISSING',
      /field 'name' of Untyped: .*without emitDecoratorMetadata; set "experimental/,
      load,
    );
  });
  it('reports two copies of reflect-metadata', () => {
    class Untyped {}
    const { getOwnMetadata } = Reflect;
    Reflect.getOwnMetadata = ((...given: Parameters<typeof getOwnMetadata>) => getOwnMetadata(...given)) as never;
    try {
      const load = () => Field.string()(Untyped.prototype as never, 'name' as never);
      refuses(
        'DUPLICATE_REFLECT_METADATA',
        /field 'name' of Untyped: two copies of reflect-metadata are loaded; find them with npm ls/,
        load,
      );
    } finally {
      Reflect.getOwnMetadata = getOwnMetadata;
    }
  });
  it('reports standard decorators', () => {
    refuses('STANDARD_DECORATORS', /@Field.string on field 'image'.*experimentalDecorators/, loadStandard);
  });
  it('reports useDefineForClassFields, which overwrites the values of an inherited constructor', () => {
    class Parent {
      constructor() {
        Object.assign(this, { image: 'x' });
      }
    }
    class Spec extends Parent {
      @Field.string() image!: string;
      constructor() {
        super();
        Object.defineProperty(this, 'image', { value: undefined, enumerable: true });
      }
    }
    refuses('DEFINED_FIELDS', /field 'image' of Spec: .*"useDefineForClassFields" to false/, () => {
      @Kind({ group: 'example.com', version: 'v1' })
      class Machine extends CustomResource(Spec) {}
      return Machine;
    });
  });
});

describe('the defaults of a class', () => {
  it('initializers take precedence over the default option', () => {
    class Spec {
      @Field.int32({ default: 1 }) a: Default<number> = 2;
      @Field.int32({ default: 1 }) b!: number;
      @Field.list(Field.string()) c: Default<string[]> = ['x'];
      @Field.object(Disk) d: Default<Disk> = Object.assign(new Disk(), { name: 'root' });
    }
    const { properties, required } = classSchema(Spec);
    assert.deepStrictEqual(
      Object.values(properties ?? {}).map((field) => field.default),
      [2, 1, ['x'], { name: 'root' }],
    );
    assert.equal(required, undefined);
  });
  it('rejects a default that JSON cannot represent', () => {
    class Spec {
      @Field.dateTime() since: string = new Date(0) as unknown as string;
    }
    refuses('NOT_JSON', /the default of field 'since' of Spec: a Date has no JSON form; use date.toISOString\(\)/, () =>
      classSchema(Spec),
    );
  });
  it('rejects a class whose constructor needs parameters', () => {
    class Spec {
      @Field.string() name: string;
      constructor(from: { readonly name: string }) {
        this.name = from.name;
      }
    }
    refuses('CONSTRUCTOR_FAILED', /class Spec: the constructor threw an error while the defaults were read/, () =>
      classSchema(Spec),
    );
  });
});

describe('rules', () => {
  it('rejects an empty rule', () => {
    refuses('INVALID_RULE', /class Spec: the rule is empty/, () => {
      @Rule({ rule: ' ' })
      class Spec {
        @Field.string() name!: string;
      }
      return Spec;
    });
  });
  it('rejects a rule on a class without fields', () => {
    @Rule({ rule: 'true' })
    class Empty {}
    refuses('INVALID_RULE', /class Empty: @Rule is on a class without decorated fields/, () => classSchema(Empty));
  });
  it('rejects a one-of rule on a required field', () => {
    @ExactlyOneOf('git', 'http')
    class Source {
      @Field.string() git!: string;
      @Field.string({ optional: true }) http?: string;
    }
    refuses('INVALID_RULE', /class Source: field 'git' of a one-of rule is not optional; write 'git\?:'/, () =>
      classSchema(Source),
    );
  });
});

describe('a field decorator', () => {
  it('contains the schema of the field in the property schema', () => {
    assert.deepEqual(Field.string({ maxLength: 63 }).schema, { type: 'string', maxLength: 63 });
    const conditions: { schema: object; readonly of?: Condition } = Field.conditions();
    assert.equal((conditions.schema as { type: string }).type, 'array');
  });
});
