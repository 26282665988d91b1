import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { change, definitionOf, definitions, install, version, widgets } from './custom-kinds.js';
import { type Rule, ruledSchema, ruledVersion, ruledWidgets, type Schema } from './ruled-kinds.js';

const unlimited = { type: 'array', items: { type: 'string' } };

/** Sends a definition with the schema as a dry run, and compares the result. */
async function ask(api: ContractApi, schema: Schema, more: object = {}): Promise<void> {
  const only = ['message', 'reason', 'details', 'code', 'kind'];
  await api.post(`${definitions}?dryRun=All`, ruledWidgets(api, schema, more), { only });
}

/** Returns a case for one rule on the spec of a kind. The rule is an expression, or an object with further fields of a rule. */
function rule(given: string | Rule, properties?: Schema): ContractCase {
  const whole = typeof given === 'string' ? { rule: given } : given;
  return (api) => ask(api, ruledSchema([whole], properties));
}

/** Returns a case for a rule on a property of the spec. */
function within(property: Schema): ContractCase {
  return (api) => ask(api, ruledSchema([], { property }));
}

const selfIsOld = { 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] };
const short = { type: 'string', maxLength: 10 };

contract(
  'crd-rules',
  {},
  {
    'accepts a valid rule': rule("self.size > 1 && self.name.startsWith('a')"),
    'rejects an unknown field': rule('self.sise > 1'),
    'rejects a rule that does not return a boolean': rule('self.size'),
    'rejects operands of different types': rule("self.size == 'a'"),
    'rejects an unknown function': rule('self.name.sice() > 1'),
    'rejects an unknown variable': rule('spec.size > 1'),
    'rejects a function with a wrong argument type': rule('self.size.startsWith("a")'),
    'rejects a field of a type without fields': rule('self.size.value > 1'),
    'reports all errors of a rule': rule("self.a == 1 || self.b > 'x' || c"),
    'reports the line of an error': rule({
      rule: 'self.size > 1 &&\n\tself.sise < 2',
      message: 'two lines',
    }),
    'reports the column of an error after a non-ASCII character': rule("'é' == self.sise"),
    'rejects an incomplete rule': rule('self.size >'),
    'rejects a rule with trailing tokens': rule('self.size > 1)'),
    'rejects an unclosed parenthesis': rule('(self.size > 1'),
    'rejects an unclosed list': rule('[1, 2'),
    'rejects an unexpected character': rule('self.size @ 2'),
    'rejects a single equals sign': rule('self.size = 1'),
    'rejects an unterminated string': rule("self.name == 'abc"),
    'rejects a missing field name': rule('self.name.'),
    'rejects an integer out of range': rule('self.size == 99999999999999999999'),
    'rejects an invalid escape sequence': rule(String.raw`'\q' == self.name`),
    'rejects a reserved word as a variable': rule('if == 1'),
    'rejects has() without a field selection': rule('has(self)'),
    'rejects a macro whose variable is not an identifier': rule('self.names.all(1, true)'),
    'rejects a macro on a value that is neither a list nor a map': rule('self.size.all(x, true)'),
    'rejects duplicate variables of a macro': rule('self.names.all(i, i, true)'),
    'rejects an invalid constant duration': rule("duration('x') == duration('1s')"),
    'rejects an invalid constant timestamp': rule("timestamp('x') == timestamp(0)"),
    'rejects an invalid constant regular expression': rule("self.name.matches('a(')"),
    'rejects a constant that cannot be converted': rule("int('abc') == self.size"),
    'rejects a list with elements of several types': rule("[1, 'a'].size() == 2"),
    'rejects a format string with arguments of wrong types': rule("'%d %s'.format([self.name, 1]) == self.name"),
    'rejects a format string with too many arguments': rule("'%d'.format([1, 2]) == self.name"),
    'rejects an expression that is nested too deeply': rule(`${'('.repeat(300)}true${')'.repeat(300)}`),
    'rejects functions of other CEL environments': rule('cel.bind(a, self.size, a > 1) && math.abs(self.size) > 1'),
    'rejects the variable authorizer': rule("authorizer.path('/x').check('get').allowed()"),
    'rejects a comparison of a string with null': rule('self.name == null'),
    'rejects a comparison of an optional value with a plain value': rule("self.?name == 'a'"),
    'accepts the ordering of an int and a double, and rejects their equality': rule(
      'self.size < 1.5 && self.size == 1.0',
    ),
    'rejects an empty rule': rule('  '),
    'rejects an empty message': rule({ rule: 'true', message: ' ' }),
    'rejects a multi-line message': rule({ rule: 'true', message: 'a\nb' }),
    'rejects a multi-line rule without a message': rule('true &&\ntrue'),
    'rejects an empty messageExpression': rule({ rule: 'true', messageExpression: ' ' }),
    'rejects a messageExpression that does not return a string': rule({ rule: 'true', messageExpression: 'self.size' }),
    'rejects a messageExpression with an unknown field': rule({ rule: 'true', messageExpression: 'self.nope' }),
    'rejects a messageExpression that exceeds the cost limit': rule(
      { rule: 'true', messageExpression: "self.list.map(a, self.list.map(b, a + b).join('')).join('')" },
      { list: unlimited },
    ),
    'rejects an unknown reason': rule({ rule: 'true', reason: 'FieldValueWrong' }),
    'accepts a fieldPath that refers to a field of the schema': rule({ rule: 'true', fieldPath: ".labels['a.b/c']" }),
    'rejects a fieldPath to an unknown field': rule({ rule: 'true', fieldPath: '.nope' }),
    'rejects a fieldPath without a leading dot': rule({ rule: 'true', fieldPath: 'size' }),
    'rejects a fieldPath into a list': rule({ rule: 'true', fieldPath: '.names[0]' }),
    'rejects an empty fieldPath': rule({ rule: 'true', fieldPath: ' ' }),
    'rejects oldSelf in a list without keys': within({ type: 'array', maxItems: 5, items: { ...short, ...selfIsOld } }),
    'rejects oldSelf in a set': within({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'set',
      items: { ...short, ...selfIsOld },
    }),
    'reports the outermost list without keys that contains oldSelf': within({
      type: 'array',
      maxItems: 5,
      items: { type: 'array', maxItems: 5, items: { type: 'object', properties: { a: { ...short, ...selfIsOld } } } },
    }),
    'accepts oldSelf in a list with keys and in a map': within({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      items: {
        type: 'object',
        required: ['name'],
        properties: {
          name: short,
          map: { type: 'object', maxProperties: 5, additionalProperties: { ...short, ...selfIsOld } },
        },
        'x-kubernetes-validations': [{ rule: 'self.name == oldSelf.name' }],
      },
    }),
    'rejects optionalOldSelf in a rule without oldSelf': rule({ rule: 'true', optionalOldSelf: false }),
    'rejects a field access to oldSelf without optional syntax if optionalOldSelf is true': rule({
      rule: 'oldSelf.size == self.size',
      optionalOldSelf: true,
    }),
    'accepts optionalOldSelf in a rule with oldSelf': rule({
      rule: 'oldSelf.hasValue() && oldSelf.value().size == self.size',
      optionalOldSelf: true,
    }),
    'rejects a rule with quadratic cost on a list without maxItems': rule(
      'self.list.all(a, self.list.all(b, a == b))',
      {
        list: unlimited,
      },
    ),
    'rejects a rule that slightly exceeds the cost limit': rule(
      "self.a.matches('^(abcdefghij)+$') && self.a.matches('^(abcdefghij)*$')",
      {
        a: { type: 'string', maxLength: 3_200_000 },
      },
    ),
    'rejects a rule whose cost is several times the limit': rule('self.list.all(a, self.list.all(b, a < b))', {
      list: { type: 'array', maxItems: 2000, items: { type: 'string', maxLength: 20 } },
    }),
    'multiplies the cost of a rule by the number of elements': within({
      type: 'array',
      maxItems: 100_000,
      items: { type: 'string', maxLength: 1000, 'x-kubernetes-validations': [{ rule: "self.matches('^[a-z]+$')" }] },
    }),
    'multiplies the cost of a rule by the estimated number of elements of an unlimited list': within({
      type: 'array',
      items: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', maxLength: 100 } },
        'x-kubernetes-validations': [{ rule: "self.a.contains('xyz')" }],
      },
    }),
    'rejects rules that exceed the total cost limit': async (api) => {
      const costly = { rule: "self.matches('^[a-z]+$')" };
      const list = {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'string',
          maxLength: 100_000,
          'x-kubernetes-validations': Array.from({ length: 15 }, () => costly),
        },
      };
      await ask(api, ruledSchema([], { list }));
    },
    'estimates the sizes of values that functions and macros return': rule(
      "self.a.split(',').map(p, p + '-').join(';').lowerAscii().replace('a', 'bb').contains('x')",
      { a: { type: 'string', maxLength: 2000 } },
    ),
    'estimates the cost of list functions by the compared elements': rule(
      'self.list.sort() == self.list && self.list.distinct().size() > 1',
      {
        list: { type: 'array', maxItems: 3000, items: { type: 'string', maxLength: 10 } },
      },
    ),
    'accepts functions of all CEL libraries': rule(
      "isURL(self.name) && isIP(self.name) && isCIDR(self.name) && isQuantity(self.name) && isSemver(self.name) && format.named('uri').hasValue() && sets.contains(self.names, ['a']) && self.names.isSorted() && self.name.find('a') == '' && self.names.transformList(i, v, i).sum() > 1",
    ),
    'accepts apiVersion, kind, and metadata.name at the root': async (api) => {
      const rules = [
        {
          rule: "self.kind == 'a' && self.apiVersion == 'b' && self.metadata.name == 'c' && has(self.metadata.generateName)",
        },
      ];
      await ask(api, { type: 'object', 'x-kubernetes-validations': rules });
    },
    'rejects other metadata fields at the root': async (api) => {
      await ask(api, { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.metadata.labels.size() > 0' }] });
    },
    'accepts apiVersion, kind, and metadata.name of an embedded resource': rule(
      "self.pod.metadata.name == 'a' && self.pod.kind == 'b'",
      {
        pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
      },
    ),
    'treats an int-or-string field as a dynamic type': rule(
      "self.port > 1 && self.port == 'a' && type(self.port) == int",
      {
        port: { 'x-kubernetes-int-or-string': true },
      },
    ),
    'rejects access to a field that preserves unknown fields and has no type': rule('self.any == self.any', {
      any: { 'x-kubernetes-preserve-unknown-fields': true },
    }),
    'rejects access to unknown fields of an object that preserves unknown fields': rule('self.any.field == 1', {
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }),
    'accepts escaped field names': rule(
      "self.a__dash__b == '' && self.c__dot__d == '' && self.e__slash__f == '' && self.g__underscores__h == '' && self.__namespace__ == self.namespace",
      { 'a-b': short, 'c.d': short, 'e/f': short, g__h: short, namespace: short },
    ),
    'rejects a field name that must be escaped': rule("self.a-b == ''", { 'a-b': short }),
    'rejects field names that cannot be escaped': rule("self.a == ''", { a$b: short, '1a': short }),
    'accepts typed values of string formats': rule(
      "self.at > timestamp(0) && self.on.getFullYear() > 2000 && self.span < duration('1h') && self.data == b'a'",
      {
        at: { type: 'string', format: 'date-time' },
        on: { type: 'string', format: 'date' },
        span: { type: 'string', format: 'duration' },
        data: { type: 'string', format: 'byte', maxLength: 10 },
      },
    ),
    'rejects string functions on a date': rule("self.at.startsWith('2020')", {
      at: { type: 'string', format: 'date-time' },
    }),
    'rejects rules in allOf, anyOf, oneOf, and not': within({
      type: 'object',
      allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }],
    }),
    'does not compile rules of a schema that is not structural': within({
      type: 'object',
      properties: { a: {} },
      'x-kubernetes-validations': [{ rule: 'self.b == 1' }],
    }),
    'reports errors of rules per version': async (api) => {
      const versions = [
        ruledVersion(ruledSchema([{ rule: 'true' }])),
        { ...ruledVersion(ruledSchema([{ rule: 'self.b == 1' }])), name: 'v2', storage: false },
      ];
      await api.post(`${definitions}?dryRun=All`, widgets(api, { versions }), {
        only: ['message', 'reason', 'details', 'code'],
      });
    },
    'rejects an invalid rule in an update': async (api) => {
      await install(api, ruledWidgets(api, ruledSchema([{ rule: 'self.size > 1' }])));
      await change(api, { versions: [ruledVersion(ruledSchema([{ rule: 'self.sise > 1' }]))] });
      await api.get(definitionOf(api), { only: ['spec.versions'] });
    },
    'stores the rules of a definition unchanged': async (api) => {
      const rules = [
        { rule: ' true ', message: ' m ', messageExpression: "'a'", reason: 'FieldValueInvalid', fieldPath: '.size' },
      ];
      await api.post(definitions, ruledWidgets(api, ruledSchema(rules)), { only: ['spec.versions'] });
    },
    'rejects a default that violates a rule': within({
      type: 'object',
      properties: { a: short },
      default: {},
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'a is needed' }],
    }),
    'rejects a default that violates a nested rule': within({
      type: 'object',
      properties: { a: { ...short, 'x-kubernetes-validations': [{ rule: "self == 'x'", fieldPath: '' }] } },
      default: { a: 'y' },
    }),
    'accepts a default that satisfies the rules': within({
      type: 'object',
      properties: { a: { ...short, default: 'x', 'x-kubernetes-validations': [{ rule: "self == 'x'" }] } },
      default: { a: 'x' },
      'x-kubernetes-validations': [{ rule: 'self.a == oldSelf.a' }],
    }),
    'rejects a default that violates a transition rule': within({
      ...short,
      default: 'x',
      'x-kubernetes-validations': [
        { rule: "!oldSelf.hasValue() || self != 'x'", optionalOldSelf: true, message: 'not kept' },
        { rule: "oldSelf.hasValue() || self != 'x'", optionalOldSelf: true, message: 'not made' },
      ],
    }),
    'rejects a default with an invalid rule': within({
      ...short,
      default: 'x',
      'x-kubernetes-validations': [{ rule: 'self == 1' }],
    }),
    'ignores null as a default': async (api) => {
      const none = { type: 'string', default: null };
      const list = { type: 'array', items: { type: 'object', properties: { none } } };
      const map = { type: 'object', additionalProperties: { type: 'object', properties: { none } } };
      const spec = { type: 'object', properties: { none, list, map } };
      const schema = { openAPIV3Schema: { type: 'object', properties: { spec } } };
      const path = 'spec.versions.*.schema.openAPIV3Schema.properties.spec.properties';
      await api.post(`${definitions}?dryRun=All`, widgets(api, { versions: [{ ...version('v1'), schema }] }), {
        only: [path, 'message'],
      });
    },
  },
);
