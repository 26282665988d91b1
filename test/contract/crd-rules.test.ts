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
    'a rule that holds together is let in': rule("self.size > 1 && self.name.startsWith('a')"),
    'an unknown field': rule('self.sise > 1'),
    'a rule that is no boolean': rule('self.size'),
    'operands of different types': rule("self.size == 'a'"),
    'an unknown function': rule('self.name.sice() > 1'),
    'an unknown variable': rule('spec.size > 1'),
    'a function applied to the wrong type': rule('self.size.startsWith("a")'),
    'a field of what has none': rule('self.size.value > 1'),
    'every problem of a rule is told': rule("self.a == 1 || self.b > 'x' || c"),
    'a problem in a later line is shown in its line': rule({
      rule: 'self.size > 1 &&\n\tself.sise < 2',
      message: 'two lines',
    }),
    'a mark beyond ASCII keeps its width': rule("'é' == self.sise"),
    'a rule that ends too early': rule('self.size >'),
    'a rule that goes on too long': rule('self.size > 1)'),
    'a bracket that is not closed': rule('(self.size > 1'),
    'a list that is not closed': rule('[1, 2'),
    'a character that belongs to nothing': rule('self.size @ 2'),
    'one equals sign': rule('self.size = 1'),
    'a text that does not end': rule("self.name == 'abc"),
    'a field without a name': rule('self.name.'),
    'a number that is too large': rule('self.size == 99999999999999999999'),
    'an escape that is none': rule(String.raw`'\q' == self.name`),
    'a reserved word as a variable': rule('if == 1'),
    'has takes a field': rule('has(self)'),
    'a macro takes a name': rule('self.names.all(1, true)'),
    'a macro takes lists and maps': rule('self.size.all(x, true)'),
    'variables of macros differ': rule('self.names.all(i, i, true)'),
    'a constant duration that is none': rule("duration('x') == duration('1s')"),
    'a constant timestamp that is none': rule("timestamp('x') == timestamp(0)"),
    'a constant pattern that is none': rule("self.name.matches('a(')"),
    'a constant that cannot be converted': rule("int('abc') == self.size"),
    'a list of several types': rule("[1, 'a'].size() == 2"),
    'a format whose arguments do not fit': rule("'%d %s'.format([self.name, 1]) == self.name"),
    'a format with too many arguments': rule("'%d'.format([1, 2]) == self.name"),
    'a nesting that is too deep': rule(`${'('.repeat(300)}true${')'.repeat(300)}`),
    'functions of other environments are unknown': rule('cel.bind(a, self.size, a > 1) && math.abs(self.size) > 1'),
    'there is no authorizer': rule("authorizer.path('/x').check('get').allowed()"),
    'a text is not compared with null': rule('self.name == null'),
    'an optional is not its value': rule("self.?name == 'a'"),
    'ints and doubles are ordered, but not equal': rule('self.size < 1.5 && self.size == 1.0'),
    'an empty rule': rule('  '),
    'an empty message': rule({ rule: 'true', message: ' ' }),
    'a message of several lines': rule({ rule: 'true', message: 'a\nb' }),
    'a rule of several lines without a message': rule('true &&\ntrue'),
    'an empty message expression': rule({ rule: 'true', messageExpression: ' ' }),
    'a message expression that is no text': rule({ rule: 'true', messageExpression: 'self.size' }),
    'a message expression with an unknown field': rule({ rule: 'true', messageExpression: 'self.nope' }),
    'a message expression that costs too much': rule(
      { rule: 'true', messageExpression: "self.list.map(a, self.list.map(b, a + b).join('')).join('')" },
      { list: unlimited },
    ),
    'an unknown reason': rule({ rule: 'true', reason: 'FieldValueWrong' }),
    'a field path to a field': rule({ rule: 'true', fieldPath: ".labels['a.b/c']" }),
    'a field path to no field': rule({ rule: 'true', fieldPath: '.nope' }),
    'a field path without a dot': rule({ rule: 'true', fieldPath: 'size' }),
    'a field path into a list': rule({ rule: 'true', fieldPath: '.names[0]' }),
    'an empty field path': rule({ rule: 'true', fieldPath: ' ' }),
    'oldSelf within a list without keys': within({ type: 'array', maxItems: 5, items: { ...short, ...selfIsOld } }),
    'oldSelf within a set': within({
      type: 'array',
      maxItems: 5,
      'x-kubernetes-list-type': 'set',
      items: { ...short, ...selfIsOld },
    }),
    'oldSelf deep within a list without keys names the outermost': within({
      type: 'array',
      maxItems: 5,
      items: { type: 'array', maxItems: 5, items: { type: 'object', properties: { a: { ...short, ...selfIsOld } } } },
    }),
    'oldSelf within a list with keys and within a map': within({
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
    'an optional oldSelf that is not used': rule({ rule: 'true', optionalOldSelf: false }),
    'an optional oldSelf is not its value': rule({ rule: 'oldSelf.size == self.size', optionalOldSelf: true }),
    'an optional oldSelf that is used': rule({
      rule: 'oldSelf.hasValue() && oldSelf.value().size == self.size',
      optionalOldSelf: true,
    }),
    'a rule about every pair of an unlimited list': rule('self.list.all(a, self.list.all(b, a == b))', {
      list: unlimited,
    }),
    'a rule that is a little too costly': rule(
      "self.a.matches('^(abcdefghij)+$') && self.a.matches('^(abcdefghij)*$')",
      {
        a: { type: 'string', maxLength: 3_200_000 },
      },
    ),
    'a rule that is several times too costly': rule('self.list.all(a, self.list.all(b, a < b))', {
      list: { type: 'array', maxItems: 2000, items: { type: 'string', maxLength: 20 } },
    }),
    'a cost is multiplied by the number of elements': within({
      type: 'array',
      maxItems: 100_000,
      items: { type: 'string', maxLength: 1000, 'x-kubernetes-validations': [{ rule: "self.matches('^[a-z]+$')" }] },
    }),
    'a cost is multiplied by the number of elements that fit into a request': within({
      type: 'array',
      items: {
        type: 'object',
        required: ['a'],
        properties: { a: { type: 'string', maxLength: 100 } },
        'x-kubernetes-validations': [{ rule: "self.a.contains('xyz')" }],
      },
    }),
    'rules that cost too much together': async (api) => {
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
    'sizes are followed through functions and macros': rule(
      "self.a.split(',').map(p, p + '-').join(';').lowerAscii().replace('a', 'bb').contains('x')",
      { a: { type: 'string', maxLength: 2000 } },
    ),
    'functions of lists cost what they compare': rule(
      'self.list.sort() == self.list && self.list.distinct().size() > 1',
      {
        list: { type: 'array', maxItems: 3000, items: { type: 'string', maxLength: 10 } },
      },
    ),
    'the libraries are known': rule(
      "isURL(self.name) && isIP(self.name) && isCIDR(self.name) && isQuantity(self.name) && isSemver(self.name) && format.named('uri').hasValue() && sets.contains(self.names, ['a']) && self.names.isSorted() && self.name.find('a') == '' && self.names.transformList(i, v, i).sum() > 1",
    ),
    'the root knows apiVersion, kind and the name': async (api) => {
      const rules = [
        {
          rule: "self.kind == 'a' && self.apiVersion == 'b' && self.metadata.name == 'c' && has(self.metadata.generateName)",
        },
      ];
      await ask(api, { type: 'object', 'x-kubernetes-validations': rules });
    },
    'the root knows no other metadata': async (api) => {
      await ask(api, { type: 'object', 'x-kubernetes-validations': [{ rule: 'self.metadata.labels.size() > 0' }] });
    },
    'an embedded resource is a root': rule("self.pod.metadata.name == 'a' && self.pod.kind == 'b'", {
      pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    }),
    'a number or text is of no certain type': rule("self.port > 1 && self.port == 'a' && type(self.port) == int", {
      port: { 'x-kubernetes-int-or-string': true },
    }),
    'what is preserved without a type cannot be reached': rule('self.any == self.any', {
      any: { 'x-kubernetes-preserve-unknown-fields': true },
    }),
    'fields that are preserved cannot be reached': rule('self.any.field == 1', {
      any: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    }),
    'names are escaped': rule(
      "self.a__dash__b == '' && self.c__dot__d == '' && self.e__slash__f == '' && self.g__underscores__h == '' && self.__namespace__ == self.namespace",
      { 'a-b': short, 'c.d': short, 'e/f': short, g__h: short, namespace: short },
    ),
    'a name is not written as it is': rule("self.a-b == ''", { 'a-b': short }),
    'names that cannot be escaped are out of reach': rule("self.a == ''", { a$b: short, '1a': short }),
    'formats have types': rule(
      "self.at > timestamp(0) && self.on.getFullYear() > 2000 && self.span < duration('1h') && self.data == b'a'",
      {
        at: { type: 'string', format: 'date-time' },
        on: { type: 'string', format: 'date' },
        span: { type: 'string', format: 'duration' },
        data: { type: 'string', format: 'byte', maxLength: 10 },
      },
    ),
    'a date is no text': rule("self.at.startsWith('2020')", { at: { type: 'string', format: 'date-time' } }),
    'rules have no place in alternatives': within({
      type: 'object',
      allOf: [{ 'x-kubernetes-validations': [{ rule: 'true' }] }],
    }),
    'rules are not looked at while the schema has no shape': within({
      type: 'object',
      properties: { a: {} },
      'x-kubernetes-validations': [{ rule: 'self.b == 1' }],
    }),
    'rules of versions that differ are told by version': async (api) => {
      const versions = [
        ruledVersion(ruledSchema([{ rule: 'true' }])),
        { ...ruledVersion(ruledSchema([{ rule: 'self.b == 1' }])), name: 'v2', storage: false },
      ];
      await api.post(`${definitions}?dryRun=All`, widgets(api, { versions }), {
        only: ['message', 'reason', 'details', 'code'],
      });
    },
    'a wrong rule is refused in a change, too': async (api) => {
      await install(api, ruledWidgets(api, ruledSchema([{ rule: 'self.size > 1' }])));
      await change(api, { versions: [ruledVersion(ruledSchema([{ rule: 'self.sise > 1' }]))] });
      await api.get(definitionOf(api), { only: ['spec.versions'] });
    },
    'the rules of a definition are kept as they are': async (api) => {
      const rules = [
        { rule: ' true ', message: ' m ', messageExpression: "'a'", reason: 'FieldValueInvalid', fieldPath: '.size' },
      ];
      await api.post(definitions, ruledWidgets(api, ruledSchema(rules)), { only: ['spec.versions'] });
    },
    'a default that a rule does not allow': within({
      type: 'object',
      properties: { a: short },
      default: {},
      'x-kubernetes-validations': [{ rule: 'has(self.a)', message: 'a is needed' }],
    }),
    'a default that a rule within does not allow': within({
      type: 'object',
      properties: { a: { ...short, 'x-kubernetes-validations': [{ rule: "self == 'x'", fieldPath: '' }] } },
      default: { a: 'y' },
    }),
    'a default that rules allow': within({
      type: 'object',
      properties: { a: { ...short, default: 'x', 'x-kubernetes-validations': [{ rule: "self == 'x'" }] } },
      default: { a: 'x' },
      'x-kubernetes-validations': [{ rule: 'self.a == oldSelf.a' }],
    }),
    'a default that rules about old values do not allow': within({
      ...short,
      default: 'x',
      'x-kubernetes-validations': [
        { rule: "!oldSelf.hasValue() || self != 'x'", optionalOldSelf: true, message: 'not kept' },
        { rule: "oldSelf.hasValue() || self != 'x'", optionalOldSelf: true, message: 'not made' },
      ],
    }),
    'a default of a rule that is none': within({
      ...short,
      default: 'x',
      'x-kubernetes-validations': [{ rule: 'self == 1' }],
    }),
    'null is no default, wherever it stands': async (api) => {
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
