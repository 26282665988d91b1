import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PodTemplateSpec } from '../generated/core/v1.js';
import {
  CustomResource,
  type Default,
  defineKind,
  Field,
  Kind,
  type KindRef,
  PrintColumn,
  Rule,
  SelectableField,
} from '../index.js';
import { generateCrds } from './generate-crds.js';

const kindOfSpec = (spec: abstract new () => object): KindRef => {
  @Kind({ group: 'example.com', version: 'v1' })
  class Host extends CustomResource(spec) {}
  return Host;
};
const plain = (spec: object, more: object = {}) =>
  defineKind({ group: 'example.com', version: 'v1', kind: 'Plain', spec, ...more });
const refuses = (kinds: readonly KindRef[], ...sentences: readonly (string | RegExp)[]): void => {
  assert.throws(
    () => generateCrds(kinds),
    (error: Error & { code?: string }) => {
      assert.equal(error.code, 'INVALID_KIND', error.message);
      for (const sentence of sentences) {
        if (typeof sentence === 'string') assert.ok(error.message.includes(sentence), error.message);
        else assert.match(error.message, sentence);
      }
      return true;
    },
  );
};

describe('generateCrds with an invalid rule', () => {
  it('reports the field and the class of a rule that does not type-check', () => {
    class Disk {
      @Field.int32({ rules: [{ rule: "self > 'a'" }] }) size!: number;
    }
    @Rule({ rule: 'self.disk.sze > 1 && self.nme == ""' })
    class HostSpec {
      @Field.object(Disk) disk!: Disk;
    }
    refuses(
      [kindOfSpec(HostSpec)],
      'cannot generate the CustomResourceDefinition of Host: \n- ',
      "rule 'self > 'a'' on field 'size' of Disk (spec.disk.size) does not compile: found no matching overload for",
      "rule 'self.disk.sze > 1 && self.nme == \"\"' on class HostSpec (spec) does not compile: undefined field 'sze' (at column 10; did you mean 'size'?); undefined field 'nme' (at column 26)",
    );
  });
  it('reports the field and the class of a rule on another top-level field', () => {
    class Stop {
      @Field.int32({ rules: [{ rule: "self > 'a'" }] }) minute!: number;
    }
    class HostFields {
      @Field.list(Stop, { maxItems: 3 }) stops!: Stop[];
    }
    @Kind({ group: 'example.com', version: 'v1' })
    class Host extends CustomResource(undefined, undefined, { topLevel: HostFields }) {}
    refuses([Host], "rule 'self > 'a'' on field 'minute' of Stop (stops[].minute) does not compile");
  });
  it('rejects a messageExpression that is not a string and a message with line breaks', () => {
    class HostSpec {
      @Field.string({ rules: [{ rule: 'self != ""', messageExpression: 'self.size()' }] }) name!: string;
      @Field.string({ rules: [{ rule: 'self != ""', message: 'a\nb' }] }) zone!: string;
    }
    refuses(
      [kindOfSpec(HostSpec)],
      /the message of rule 'self != ""' on field 'zone' of HostSpec \(spec.zone\) is not valid: .*line breaks/,
      /the messageExpression of rule 'self != ""' on field 'name' of HostSpec \(spec.name\) is not valid: .*evaluate to a string/,
    );
  });
  it('reports the bounds that reduce the cost of a rule to the limit', () => {
    class HostSpec {
      @Field.list(Field.string(), { rules: [{ rule: 'self.all(a, self.exists_one(b, a == b))' }] }) names!: string[];
    }
    refuses(
      [kindOfSpec(HostSpec)],
      /the estimated cost of rule 'self.all\(a, self.exists_one\(b, a == b\)\)' on field 'names' of HostSpec \(spec.names\) is more than 100x the limit of the API server; set \{ maxItems: \d+ \} or less on field 'names' of HostSpec \(spec.names\) and \{ maxLength: \d+ \} or less on the items of field 'names' of HostSpec \(spec.names\[\]\)$/,
    );
  });
  it('reports the bound of an enclosing list or map', () => {
    class Disk {
      @Field.string({ maxLength: 63, rules: [{ rule: "self.matches('^(a|b)+$')" }] }) name!: string;
    }
    class HostSpec {
      @Field.map(Field.list(Disk)) disks!: Record<string, Disk[]>;
    }
    refuses(
      [kindOfSpec(HostSpec)],
      /estimated cost of .* on field 'name' of Disk \(spec.disks.\*\[\].name\) is .*; set \{ max(Properties|Items): \d+ \} or less on /,
    );
  });
  it('reports several bounds, or reports that no bound is sufficient', () => {
    const cubic = 'self.a.all(x, self.b.all(y, self.c.exists_one(z, z == x + y)))';
    @Rule({ rule: cubic })
    class HostSpec {
      @Field.list(Field.string()) a!: string[];
      @Field.list(Field.string()) b!: string[];
      @Field.list(Field.string()) c!: string[];
      @Field.string() other!: string;
    }
    refuses([kindOfSpec(HostSpec)], /set \{ max\w+: \d+ \} or less on .* and \{ max\w+: \d+ \} or less on/);
    assert.throws(
      () => generateCrds([kindOfSpec(HostSpec)]),
      (error: Error) => !error.message.includes("'other'"),
    );
    class Template {
      @Field.object(PodTemplateSpec, {
        rules: [
          {
            rule: 'self.spec.containers.all(a, self.spec.containers.all(b, self.spec.containers.all(c, a.name == b.name || b.name == c.name)))',
          },
        ],
      })
      template!: PodTemplateSpec;
    }
    refuses(
      [kindOfSpec(Template)],
      /estimated cost of .*; no bound reduces the cost enough; simplify the rule, or declare the rule on a nested field/,
    );
  });
  it('rejects oldSelf for list items without mapKeys', () => {
    class Disk {
      @Field.string({ immutable: true }) name!: string;
    }
    class HostSpec {
      @Field.list(Disk, { maxItems: 3 }) disks!: Disk[];
    }
    refuses(
      [kindOfSpec(HostSpec)],
      "rule 'self == oldSelf' on field 'name' of Disk (spec.disks[].name) uses oldSelf, but the API server cannot match the items of field 'disks' of HostSpec (spec.disks) with their old items; set mapKeys on the list",
    );
  });
  it('rejects rules whose total cost exceeds the limit', () => {
    const rules = Array.from({ length: 15 }, (_, at) => ({ rule: `self.all(x, x.contains('${at}'))` }));
    const spec = (maxItems: number) => ({
      type: 'object',
      properties: {
        names: {
          type: 'array',
          maxItems,
          items: { type: 'string', maxLength: 1000 },
          'x-kubernetes-validations': rules,
        },
      },
    });
    assert.equal(generateCrds([plain(spec(10))]).definitions.length, 1);
    refuses(
      [plain(spec(70_000))],
      "the estimated cost of rule 'self.all(x, x.contains('0'))' on spec.names is 2.8x the limit of the API server",
      /; set \{ maxItems: 10000 \} or less on spec.names/,
    );
    refuses(
      [plain(spec(20_000))],
      /the estimated cost of all rules is \S+ the limit of the API server; .*, first for the rules on spec.names/,
    );
  });
});

describe('generateCrds with an invalid schema', () => {
  it('reports a default that does not match its schema', () => {
    class Disk {
      @Field.int32({ minimum: 1 }) size: Default<number> = 0;
    }
    class HostSpec {
      @Field.object(Disk) disk!: Disk;
      @Field.enum(['a', 'b'], { default: 'c' as 'a' }) zone!: 'a' | 'b';
    }
    refuses(
      [kindOfSpec(HostSpec)],
      /- the default of field 'size' of Disk \(spec.disk.size\) does not match its schema: default: Invalid value: 0: .*greater than or equal to 1; correct the default or the schema/,
      /- the default of field 'zone' of HostSpec \(spec.zone\) does not match its schema: default: Unsupported value: "c"/,
    );
  });
  it('reports a schema that is not structural', () => {
    class HostSpec {
      @Field.schema({ properties: { a: { type: 'string' } } }) loose!: unknown;
      @Field.schema({ type: 'array', items: { type: 'string' }, uniqueItems: true }) names!: string[];
      @Field.string({ pattern: '\\p{Nothing}' }) name!: string;
    }
    refuses(
      [kindOfSpec(HostSpec)],
      "the schema of field 'loose' of HostSpec (spec.loose) is not valid: type: Required value: must not be empty for specified object fields; set the type of its values, or use Field.unknown",
      "the schema of field 'names' of HostSpec (spec.names) is not valid: uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic; set listType: 'set' instead",
      /the schema of field 'name' of HostSpec \(spec.name\) is not valid: pattern: Invalid value/,
    );
  });
  it('reports the path for a kind without classes', () => {
    refuses(
      [plain({ type: 'object', properties: { 'a.b': { type: 'array' } } })],
      'the schema of spec.a.b is not valid: items: Required value: must be specified',
    );
  });
  it('reports an error in a version that is not stored', () => {
    const version = (name: string, type: string) =>
      plain({ type: 'object', properties: { a: { type } } }, { version: name, storage: name === 'v1' });
    refuses(
      [version('v1', 'string'), version('v2', 'text')],
      'the schema of spec.a is not valid: type: Unsupported value',
    );
  });
});

describe('generateCrds with an invalid definition', () => {
  it('reports errors outside the schema', () => {
    class HostSpec {
      @Field.string() name!: string;
    }
    @Kind({ group: 'example.com', version: 'v1', deprecated: 'x'.repeat(300), categories: ['A'] })
    @PrintColumn({ name: 'Name', jsonPath: '.spec.name', format: 'none' })
    class Host extends CustomResource(HostSpec) {}
    refuses(
      [Host],
      /deprecationWarning: .*256/,
      /names.categories\[0\]: Invalid value: "A"/,
      /format: Invalid value: "none"/,
    );
  });
  it('rejects a duplicate selectable field', () => {
    class HostSpec {
      @Field.string() name!: string;
    }
    @Kind({ group: 'example.com', version: 'v1' })
    @SelectableField('.spec.name')
    @SelectableField('.spec.name')
    class Host extends CustomResource(HostSpec) {}
    refuses([Host], /Duplicate value: ".spec.name"/);
  });
  it('rejects a name that another kind of the group has', () => {
    const of = (kind: string, more: object = {}) => plain({ type: 'object' }, { kind, ...more });
    refuses([of('Disk'), of('Drive', { plural: 'disks' })], /disks.example.com|both have the name 'disks'/);
    refuses(
      [of('Disk', { shortNames: ['d'] }), of('Drive', { shortNames: ['d'] })],
      "kinds Disk and Drive of example.com both have the name 'd'; rename one of them",
    );
    refuses([of('Disk'), of('DiskList', { plural: 'lists' })], "both have the name 'DiskList'");
    assert.equal(generateCrds([of('Disk'), of('Disk', { group: 'other.com' })]).definitions.length, 2);
  });
  it('rejects a definition that exceeds the size limit of etcd', () => {
    const names = Array.from({ length: 45_000 }, (_, at) => [`a-long-name-for-a-field-${at}`, { type: 'string' }]);
    refuses(
      [plain({ type: 'object', properties: Object.fromEntries(names) })],
      /its size is 2\.\d MiB, but etcd accepts at most 1.5 MiB/,
    );
  });
});

describe('the warnings of generateCrds', () => {
  it('generateCrds warns about valid schemas that are probably not intended', () => {
    class Retry {
      @Field.int32() limit: Default<number> = 3;
      @Field.string({ optional: true }) reason?: string;
    }
    class Named {
      @Field.string() name!: string;
      @Field.int32() size: Default<number> = 1;
    }
    class Reference {
      @Field.string() name: Default<string> = '';
    }
    class HostSpec {
      @Field.object(Retry, { optional: true }) retry?: Retry;
      @Field.object(Reference, { optional: true }) reference?: Reference;
      @Field.object(Retry, { default: {} }) always!: Retry;
      @Field.object(Named, { optional: true }) named?: Named;
      @Field.object(PodTemplateSpec, { optional: true }) template?: PodTemplateSpec;
      @Field.schema({ type: 'string', format: 'speed' }) speed!: string;
      @Field.string({ maxLength: 3, example: 'long' }) name!: string;
    }
    assert.deepEqual(generateCrds([kindOfSpec(HostSpec)]).warnings, [
      "hosts.example.com: the API server does not validate the unknown format 'speed'",
      "hosts.example.com: the API server applies the defaults within field 'retry' of HostSpec (spec.retry) only if that field is set; add a default for the field if it must always be set",
      "hosts.example.com: the example of field 'name' of HostSpec (spec.name) does not match its schema: Too long: may not be more than 3 bytes",
    ]);
  });
  it('generateCrds warns about a definition that is too large for client-side kubectl apply', () => {
    const names = Array.from({ length: 12_000 }, (_, at) => [`a-name-${at}`, { type: 'string' }]);
    const { warnings } = generateCrds([plain({ type: 'object', properties: Object.fromEntries(names) })]);
    assert.match(warnings.join('\n'), /^plains.example.com: the size of the definition is \d+ KiB, .*--server-side/);
  });
  it('generateCrds warns about a nullable enum that rejects null', () => {
    const spec = { type: 'object', properties: { a: { type: 'string', enum: ['x'], nullable: true } } };
    assert.match(generateCrds([plain(spec)]).warnings.join(), /spec.a is nullable, but .* move the enum into allOf/);
  });
  it('generateCrds warns about fields that an object loses in another version', () => {
    const version = (name: string, properties: object, more: object = {}): KindRef =>
      defineKind({
        group: 'example.com',
        version: name,
        kind: 'Plain',
        spec: { type: 'object', properties },
        ...more,
      });
    const text = { type: 'string' };
    const list = (properties: object): object => ({ type: 'array', items: { type: 'object', properties } });
    const kept = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    const map = { type: 'object', additionalProperties: text };
    const both = { a: text, kept, map };
    const warningsOf = (...kinds: readonly KindRef[]): readonly string[] => generateCrds(kinds).warnings;
    const v1 = version('v1', { ...both, disks: list({ name: text, size: text }) }, { storage: true });
    const v2 = version('v2', {
      ...both,
      disks: list({ name: text, kind: text }),
      host: { type: 'object', properties: { name: text } },
      kept: { type: 'object', properties: { more: text } },
      map: { type: 'object', properties: { one: text } },
    });
    assert.deepEqual(warningsOf(v1, v2), [
      'plains.example.com: v1 does not have spec.disks[].kind of v2, spec.host of v2: without a conversion webhook, these values are ' +
        'lost at every write, because objects are stored as v1; add the fields to v1, or add a class with @Converter',
      'plains.example.com: v2 does not have spec.map.* of v1, spec.disks[].size of v1: without a conversion webhook, these values are ' +
        'lost when a client writes an object or its status as v2; add the fields to v2, or add a class with @Converter',
    ]);
    assert.deepEqual(generateCrds([v1, v2], { converted: [v1] }).warnings, []);
    assert.deepEqual(warningsOf(v1, version('v2', { a: text }, { served: false })), []);
    const many = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`f${at}`, text]));
    assert.match(
      warningsOf(version('v1', {}, { storage: true }), version('v2', many)).join(),
      /spec.f4 of v2, 2 more:/,
    );
  });
  it('generateCrds returns no warnings for a definition without problems', () => {
    class HostSpec {
      @Field.enum(['a', 'b'], { nullable: true, optional: true }) zone?: 'a' | 'b' | null;
    }
    const { warnings, definitions } = generateCrds([kindOfSpec(HostSpec)]);
    assert.deepEqual(warnings, []);
    assert.equal(definitions[0]?.metadata.name, 'hosts.example.com');
  });
});
