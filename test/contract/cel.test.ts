import { contract, type ContractCase } from './contract.js';
import type { ContractApi } from './contract-api.js';
import { widgetsOf } from './custom-kinds.js';
import {
  create,
  installRuled,
  prepare,
  type Rule,
  ruledSchema,
  type Schema,
  specProperties,
  tighten,
  reported,
  typed,
  update,
  widget,
} from './ruled-kinds.js';

/** Returns a case that validates one object against all of the rules. */
function validated(rules: readonly (string | Rule)[], spec: object, properties?: Schema): ContractCase {
  return async (api) => {
    const whole = rules.map((rule) => (typeof rule === 'string' ? { rule } : rule));
    await installRuled(api, ruledSchema(whole, properties));
    await create(api, spec);
  };
}

/** Returns a case for transition rules that creates an object and updates it with each of the following specs. */
function changed(rules: readonly Rule[], specs: readonly object[], properties?: Schema): ContractCase {
  return async (api) => {
    await installRuled(api, ruledSchema(rules, properties));
    const [first = {}, ...rest] = specs;
    await create(api, first);
    for (const spec of rest) await update(api, spec);
  };
}

const keyed = (rules: readonly Rule[]): Schema => ({
  list: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name'],
    items: {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string', maxLength: 5 }, size: { type: 'integer' } },
      'x-kubernetes-validations': rules,
    },
  },
});

const plain: Schema = {
  text: { type: 'string', maxLength: 100 },
  url: { type: 'string', maxLength: 100 },
  at: { type: 'string', format: 'date-time' },
  span: { type: 'string', format: 'duration' },
  data: { type: 'string', format: 'byte', maxLength: 100 },
  whole: { type: 'integer' },
  number: { type: 'number' },
  port: { 'x-kubernetes-int-or-string': true, maxLength: 10 },
  other: { 'x-kubernetes-int-or-string': true, maxLength: 10 },
  words: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 } },
  numbers: { type: 'array', maxItems: 5, items: { type: 'integer' } },
  map: { type: 'object', maxProperties: 5, additionalProperties: { type: 'string', maxLength: 10 } },
  object: {
    type: 'object',
    properties: { a: { type: 'string', maxLength: 10 }, b: { type: 'string', maxLength: 10 } },
  },
};
const values = {
  text: 'hello wörld 😀',
  url: 'https://user@example.com:8080/p%20q/r?a=1&b=2&a=3',
  at: '2023-07-14T10:30:45.123Z',
  span: '1h30m',
  data: 'aMOpbGxv',
  whole: 5,
  number: 1.5,
  port: '50%',
  other: 5,
  words: ['b', 'a', 'c'],
  numbers: [3, 1, 2],
  map: { k1: 'v1', k2: 'v2' },
  object: { a: 'A' },
};

/** Returns a case for expressions over values of every type. The response lists the expressions that are false, with the reasons. */
function evaluated(...rules: readonly string[]): ContractCase {
  return validated(rules, values, plain);
}

contract(
  'cel',
  {},
  {
    'accepts an object that satisfies a rule': validated(['self.size > 1'], { size: 2 }),
    'reports a failed rule without a message by its expression': validated(['self.size > 1'], { size: 1 }),
    'reports all failed rules': validated(['self.size > 1', 'self.size > 0', 'self.size < 1'], { size: 1 }),
    'reports a failed rule by its message': validated([{ rule: 'false', message: ' it is wrong ' }], {}),
    'reports a failed multi-line rule by its message': validated(
      [{ rule: 'true &&\nfalse', message: 'two lines' }],
      {},
    ),
    'reports a failed rule by its messageExpression': validated(
      [
        {
          rule: 'self.size > 5',
          messageExpression: "'size is %d, not > %d'.format([self.size, 5])",
          message: 'static',
        },
      ],
      { size: 3 },
    ),
    'falls back to the message if the messageExpression has no usable result': validated(
      [
        { rule: 'false', messageExpression: "'a\\nb'", message: 'line break' },
        { rule: 'false', messageExpression: "'  '", message: 'empty' },
        { rule: 'false', messageExpression: 'self.name', message: 'error' },
        { rule: 'false', messageExpression: 'self.name' },
        { rule: 'false', messageExpression: "' trimmed '", message: 'not shown' },
      ],
      {},
    ),
    'uses the reason of a rule for a scalar field': async (api) => {
      const reasons = ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'];
      const rules = reasons.map((reason) => ({ rule: 'false', reason, message: `a ${reason}` }));
      await installRuled(api, ruledSchema([], { size: { type: 'integer', 'x-kubernetes-validations': rules } }));
      await create(api, { size: 3 });
    },
    'uses the reason of a rule for an object': validated(
      ['FieldValueInvalid', 'FieldValueForbidden', 'FieldValueRequired', 'FieldValueDuplicate'].map((reason) => {
        return { rule: 'false', reason, message: `a ${reason}` };
      }),
      {},
    ),
    'reports a failed rule at its fieldPath': validated(
      [
        { rule: 'false', fieldPath: '.size' },
        { rule: 'false', fieldPath: ".labels['a.b']", reason: 'FieldValueRequired' },
        { rule: 'false', fieldPath: '.labels.c' },
      ],
      {},
    ),
    'reports a failed rule of the root at its fieldPath': async (api) => {
      const schema = ruledSchema([]);
      const rules = [{ rule: 'false', fieldPath: '.spec.size' }, { rule: 'false' }];
      await installRuled(api, { ...schema, 'x-kubernetes-validations': rules });
      await create(api, {});
    },
    'reports the path of failed rules in lists and maps': async (api) => {
      const word = { type: 'string', maxLength: 10, 'x-kubernetes-validations': [{ rule: "self != 'bad'" }] };
      const properties = {
        list: { type: 'array', maxItems: 5, items: word },
        map: { type: 'object', maxProperties: 5, additionalProperties: { type: 'array', maxItems: 5, items: word } },
      };
      await installRuled(api, ruledSchema([], properties));
      await create(api, { list: ['ok', 'bad'] });
      await create(api, { map: { 'x.y/z': ['ok', 'bad'] } });
    },
    'does not evaluate a transition rule for a new object': changed(
      [{ rule: 'self.size >= oldSelf.size', message: 'it shrinks' }],
      [{ size: 2 }, { size: 3 }, { size: 1 }],
    ),
    'a transition rule of a field permits setting and unsetting the field': async (api) => {
      const size = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'immutable' }] };
      await installRuled(api, ruledSchema([], { size, name: { type: 'string', maxLength: 9 } }));
      await create(api, {});
      await update(api, { size: 1 });
      await update(api, { size: 2 });
      await update(api, {});
    },
    'a transition rule of the parent can prevent unsetting a field': changed(
      [{ rule: '!has(oldSelf.size) || has(self.size)', message: 'it may not go' }],
      [{}, { size: 1 }, {}],
    ),
    'evaluates a rule with optionalOldSelf for new objects': changed(
      [{ rule: 'oldSelf.hasValue() ? self.size == oldSelf.value().size + 1 : self.size == 1', optionalOldSelf: true }],
      [{ size: 2 }],
    ),
    'provides the old value to a rule with optionalOldSelf': changed(
      [{ rule: 'self.size == oldSelf.optMap(o, o.size + 1).orValue(1)', optionalOldSelf: true, message: 'one by one' }],
      [{ size: 1 }, { size: 2 }, { size: 4 }],
    ),
    'matches old and new list elements by their keys': changed(
      [],
      [
        {
          list: [
            { name: 'a', size: 1 },
            { name: 'b', size: 2 },
          ],
        },
        {
          list: [
            { name: 'c', size: 9 },
            { name: 'b', size: 2 },
            { name: 'a', size: 1 },
          ],
        },
        { list: [{ name: 'b', size: 3 }] },
      ],
      keyed([{ rule: 'self.size == oldSelf.size', message: 'it changed' }]),
    ),
    'matches old and new map values by their keys': changed(
      [],
      [{ map: { a: 'x' } }, { map: { a: 'x', b: 'y' } }, { map: { a: 'z', b: 'y' } }],
      {
        map: {
          type: 'object',
          maxProperties: 5,
          additionalProperties: {
            type: 'string',
            maxLength: 5,
            'x-kubernetes-validations': [{ rule: 'self == oldSelf' }],
          },
        },
      },
    ),
    'ratchets a new rule for unchanged values': async (api) => {
      await installRuled(api, ruledSchema([]));
      await prepare(api, { size: 1, name: 'a' });
      await tighten(api, ruledSchema([{ rule: 'self.size > 1' }]), { size: 1 });
      await api.patch(`${widgetsOf(api)}/a`, { metadata: { labels: { x: 'y' } } }, { only: reported });
      await update(api, { size: 1, name: 'b' });
      await update(api, { size: 2, name: 'b' });
    },
    'ratchets a new rule for unchanged sibling fields': async (api) => {
      const size = { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 1' }] };
      await installRuled(api, ruledSchema([]));
      await prepare(api, { size: 1, name: 'a' });
      await tighten(api, ruledSchema([], { ...specProperties, size }), { size: 1 });
      await update(api, { size: 1, name: 'b' });
      await update(api, { size: 0, name: 'b' });
    },
    'ratchets a new schema limit for unchanged values': async (api) => {
      await installRuled(api, ruledSchema([]));
      await prepare(api, { size: 1, name: 'long name', names: ['too long', 'b'] });
      const short = { type: 'string', maxLength: 3 };
      const names = { type: 'array', items: short };
      await tighten(api, ruledSchema([], { ...specProperties, name: short, names }), { name: 'long' });
      await update(api, { size: 2, name: 'long name', names: ['too long', 'b'] });
      await update(api, { size: 2, name: 'longer name', names: ['too long', 'b'] });
      await update(api, { size: 2, name: 'long name', names: ['too long', 'c'] });
    },
    'ratchets a new schema limit for unchanged list elements with keys': async (api) => {
      const size = { type: 'integer', maximum: 5 };
      const tight = keyed([]);
      const list = tight['list'] as { items: { properties: object } };
      list.items.properties = { ...list.items.properties, size };
      await installRuled(api, ruledSchema([], keyed([])));
      await prepare(api, { list: [{ name: 'a', size: 9 }] });
      await tighten(api, ruledSchema([], tight), { list: [{ name: 'a', size: 9 }] });
      await update(api, {
        list: [
          { name: 'b', size: 1 },
          { name: 'a', size: 9 },
        ],
      });
      await update(api, {
        list: [
          { name: 'b', size: 9 },
          { name: 'a', size: 9 },
        ],
      });
    },
    'reports a newly required field on the next change': async (api) => {
      await installRuled(api, ruledSchema([]));
      await prepare(api, { size: 1 });
      const schema = ruledSchema([]) as { properties: { spec: object } };
      await tighten(api, { ...schema, properties: { spec: { ...schema.properties.spec, required: ['name'] } } }, {});
      await api.patch(`${widgetsOf(api)}/a`, { metadata: { labels: { x: 'y' } } }, { only: reported });
      await update(api, { size: 2 });
      await update(api, { size: 2, name: 'a' });
    },
    'does not evaluate rules if a field has a wrong type': validated(['self.size > 1'], { size: 'x' }),
    'does not evaluate rules if required fields are missing': async (api) => {
      const schema = ruledSchema([{ rule: 'self.size > 1' }]) as { properties: { spec: object } };
      await installRuled(api, { ...schema, properties: { spec: { ...schema.properties.spec, required: ['name'] } } });
      await create(api, { size: 1 });
    },
    'evaluates rules in addition to other value validations': validated(
      ['self.size > 7'],
      { size: 1 },
      {
        size: { type: 'integer', minimum: 5 },
      },
    ),
    'evaluates rules after defaulting': validated(
      ['self.size == 3', 'self.size == 4'],
      {},
      { size: { type: 'integer', default: 3 } },
    ),
    'evaluates rules after pruning': async (api) => {
      await installRuled(api, ruledSchema([{ rule: "!has(self.name) || self.name == 'a'" }]));
      const pruned = { ...typed(api), ...widget({ unknown: 1, name: 'b' }) };
      await api.post(widgetsOf(api), pruned, { only: reported });
    },
    'does not evaluate rules of a null value': async (api) => {
      const name = { type: 'string', maxLength: 5, nullable: true, 'x-kubernetes-validations': [{ rule: 'false' }] };
      await installRuled(api, ruledSchema([{ rule: '!has(self.name)', message: 'it is there' }], { name }));
      await create(api, { name: null });
      await create(api, { name: 'a' });
    },
    'provides metadata.name to rules of the root': async (api) => {
      const rules = [{ rule: "self.metadata.name.startsWith('x') && self.kind == 'Widget'", message: 'the name' }];
      await installRuled(api, { ...ruledSchema([]), 'x-kubernetes-validations': rules });
      await create(api, {});
      await api.post(widgetsOf(api), { ...typed(api), ...widget({}, { name: 'x' }) }, { only: reported });
    },
    'provides metadata.generateName to rules of the root': async (api) => {
      const rules = [
        { rule: "!has(self.metadata.generateName) || self.metadata.generateName == 'x-'", message: 'the prefix' },
      ];
      await installRuled(api, { ...ruledSchema([]), 'x-kubernetes-validations': rules });
      await api.post(
        widgetsOf(api),
        { ...typed(api), ...widget({}, { generateName: 'x-' }) },
        { only: ['spec', 'code'] },
      );
    },
    'provides metadata.name to rules of embedded resources': validated(
      ["self.pod.metadata.name == 'a'", "self.pod.kind == 'Job'"],
      { pod: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { x: 1 } } },
      { pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true } },
    ),
    'evaluates rules of the status for status updates': async (api) => {
      const schema = ruledSchema([{ rule: 'self.size > 1' }]) as { properties: object };
      const status = {
        type: 'object',
        properties: { size: { type: 'integer' } },
        'x-kubernetes-validations': [{ rule: 'self.size > 5' }, { rule: 'self.size >= oldSelf.size' }],
      };
      await installRuled(
        api,
        { ...schema, properties: { ...schema.properties, status } },
        { subresources: { status: {} } },
      );
      await create(api, { size: 2 });
      const path = `${widgetsOf(api)}/a/status`;
      for (const size of [7, 6, 3]) await api.patch(path, { status: { size } }, { only: reported });
      await api.patch(path, { spec: { size: 0 }, status: { size: 8 } }, { only: reported });
    },
    'evaluates rules of the object for scale updates': async (api) => {
      const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
      const schema = ruledSchema([{ rule: 'self.size < 5', message: 'too many' }]) as { properties: object };
      const status = { type: 'object', properties: { size: { type: 'integer' } } };
      await installRuled(api, { ...schema, properties: { ...schema.properties, status } }, { subresources: { scale } });
      await prepare(api, { size: 1 });
      await api.patch(`${widgetsOf(api)}/a/scale`, { spec: { replicas: 9 } }, { only: reported });
      await api.patch(`${widgetsOf(api)}/a/scale`, { spec: { replicas: 3 } }, { only: ['spec'] });
    },
    'evaluates rules for every patch type': async (api) => {
      await installRuled(api, ruledSchema([{ rule: 'self.size < 5', message: 'too large' }]));
      await prepare(api, { size: 1 });
      const path = `${widgetsOf(api)}/a`;
      await api.patch(path, { spec: { size: 9 } }, { only: reported });
      const replace = [{ op: 'replace', path: '/spec/size', value: 9 }];
      await api.patch(path, replace, { type: 'application/json-patch+json', only: reported });
      const applied = { ...typed(api), ...widget({ size: 9 }) };
      await api.patch(`${path}?fieldManager=m&force=true`, applied, {
        type: 'application/apply-patch+yaml',
        only: reported,
      });
    },
    'evaluates rules for a dry run': async (api) => {
      await installRuled(api, ruledSchema([{ rule: 'self.size < 5' }]));
      await api.post(`${widgetsOf(api)}?dryRun=All`, { ...typed(api), ...widget({ size: 9 }) }, { only: reported });
    },
    'stops the evaluation when the cost limit is exceeded': validated(
      ['true', 'lists.range(999).all(a, lists.range(999).size() > 1)', 'false'],
      {},
    ),
    'compares sets regardless of their order': validated(
      [
        "self.tags == ['b', 'a']",
        "self.tags + ['c', 'a'] == ['c', 'b', 'a']",
        "['b', 'a'] == self.tags",
        "self.tags == ['a']",
      ],
      { tags: ['a', 'b'] },
    ),
    'merges two lists by their keys with the operator +': validated(
      [
        '(self.list + self.list).size() == 2',
        'self.list.map(e, e.name) == self.list.map(e, e.name)',
        'self.list == []',
      ],
      { list: [{ name: 'a' }, { name: 'b' }] },
      keyed([]),
    ),
    'reports an access to a missing field as an error': evaluated(
      "self.object.b == 'x'",
      "self.map['nope'] == 'x'",
      'self.words[3] == self.words[-1]',
      "self.object.b == 'x' || self.whole == 5",
      "self.whole == 5 && self.object.b == 'x'",
      "self.whole == 6 && self.object.b == 'x'",
      "self.words.exists(w, self.map[w] == 'x' || w == 'c')",
      "self.words.all(w, self.map[w] == 'x')",
      "self.words.exists_one(w, self.map[w] == 'x')",
    ),
    'accesses missing fields with optional syntax': evaluated(
      "self.object.?b.orValue('d') == 'd'",
      'self.?object.?a.optMap(v, v.size()).orValue(0) == 1',
      "self.map[?'k1'].hasValue() && !self.words[?7].hasValue()",
      "self.object.?b.value() == 'x'",
      "[?self.object.?a, ?self.object.?b] == ['A']",
      "optional.of(1).or(optional.none()).value() == 1 && !optional.ofNonZeroValue('').hasValue()",
    ),
    'reports integer overflows and divisions by zero': evaluated(
      'self.whole + 9223372036854775807 > 0',
      'self.whole * 9223372036854775807 > 0',
      'self.whole / 0 == 1',
      'self.whole % 0 == 1',
      '-7 / 2 == -3 && -7 % 2 == -1',
      'uint(self.whole - 6) == 1u',
      'int(self.number * 1e300) == 1',
      'self.number / 0.0 > 1e300',
      'self.whole < 5.5 && 5u < self.whole + 1',
    ),
    'distinguishes integers and strings of int-or-string fields': evaluated(
      "self.port == '50%' && self.other == 5",
      'self.port > 5',
      'self.port + 1 == 51',
      "self.other.matches('x')",
      'self.other.size() == 1',
      "type(self.other) == int && type(self.port) == string && int(self.port.replace('%', '')) == 50",
      "self.other in [5, 6] && self.port in ['50%']",
    ),
    'reports failed type conversions': evaluated(
      'int(self.text) == 1',
      'double(self.text) == 1.0',
      'bool(self.text)',
      'timestamp(self.text) == self.at',
      'duration(self.text) == self.span',
      "string(self.number) == '1.5' && string(self.span) == '5400s' && string(self.at) == '2023-07-14T10:30:45.123Z'",
      "string(self.data) == 'héllo' && bytes('héllo') == self.data",
      "string(1234567.0) == '1.234567e+06' && string(100000.0) == '100000' && string(0.00001) == '1e-05'",
    ),
    'evaluates string functions': evaluated(
      'self.text.size() == 13',
      "self.text.charAt(14) == ''",
      "self.text.substring(6, 11) == 'wörld'",
      'self.text.substring(11, 6) == self.text.substring(99)',
      "self.words.join('-') == 'b-a-c' && self.text.split(' ') == ['hello', 'wörld', '😀'] && self.text.split('', 3) == ['h', 'e', 'llo wörld 😀']",
      "self.text.replace('l', 'L', 1) == 'heLlo wörld 😀' && self.text.upperAscii() == 'HELLO WöRLD 😀'",
      "self.text.indexOf('o', 5) == 7 && self.text.lastIndexOf('o') == 4",
      "' a '.trim() == 'a' && strings.quote('a\"b') == '\"a\\\\\"b\"'",
      "'%s %d %x %.2f %e %%'.format(['a', 12, 255, 1234.567, 1234.5]) == ''",
      "'%s %s %s'.format([self.words, {'b': 1.5, 'a': true}, self.at]) == ''",
    ),
    'evaluates regular expression functions': evaluated(
      "self.text.matches('w.rld') && !self.text.matches('^w')",
      "self.text.find('w[^ ]+') == 'wörld' && self.text.find('zzz') == ''",
      "self.text.findAll('[a-zö]+', 2) == ['hello', 'wörld']",
      "self.text.matches('(' + self.words[0])",
      "self.text.find('(?=a)' + self.words[0]) == ''",
    ),
    'evaluates list functions': evaluated(
      'self.numbers.sum() == 6 && self.numbers.max() == 3 && self.numbers.min() == 1 && !self.numbers.isSorted()',
      "self.numbers.sort() == [1, 2, 3] && self.words.sort() == ['a', 'b', 'c'] && self.numbers.sortBy(n, -n) == [3, 2, 1]",
      'self.numbers.slice(1, 3) == [1, 2] && self.numbers.reverse() == [2, 1, 3]',
      'self.numbers.slice(2, 5) == []',
      'self.numbers.filter(n, n > 9).max() == 1',
      '[[1], [2]].flatten() == [1, 2] && [1, 1].distinct() == [1] && lists.range(2) == [0, 1]',
      'self.numbers.indexOf(1) == 1 && self.numbers.first().value() == 3 && self.numbers.last() == optional.of(2)',
      'sets.contains(self.numbers, [1]) && sets.equivalent(self.numbers, [1, 2, 3, 3]) && sets.intersects(self.numbers, [9])',
    ),
    'evaluates macros with two variables': evaluated(
      "self.map.all(k, v, k.endsWith('1') ? v == 'v1' : v == 'v2')",
      "self.words.exists(i, w, i == 2 && w == 'c') && self.words.exists_one(i, w, i > 1)",
      "self.map.transformMap(k, v, v + k) == {'k1': 'v1k1', 'k2': 'v2k2'}",
      "self.words.transformList(i, w, i > 0, w) == ['a', 'c']",
      "self.map.transformMapEntry(k, v, {'same': k}) == {}",
    ),
    'evaluates timestamp and duration functions': evaluated(
      'self.at.getFullYear() == 2023 && self.at.getMonth() == 6 && self.at.getDate() == 14 && self.at.getDayOfMonth() == 13',
      'self.at.getDayOfWeek() == 5 && self.at.getDayOfYear() == 194 && self.at.getMilliseconds() == 123',
      "self.at.getHours('Europe/Berlin') == 12 && self.at.getHours('-08:00') == 2",
      "self.at.getHours('Nowhere/Land') == 1",
      "self.at - timestamp('2023-07-14T10:30:45Z') == duration('123ms') && self.span.getMinutes() == 90",
      "self.at + duration('2000000h') + duration('2000000h') > self.at && timestamp(253402300799) + self.span > self.at",
    ),
    'evaluates IP and CIDR functions': evaluated(
      "ip('192.168.0.1').family() == 4 && string(ip('2001:DB8:0:0::1')) == '2001:db8::1' && ip('127.0.0.1').isLoopback()",
      'ip(self.text).family() == 4',
      "ip('1.2.3.256').family() == 4",
      "ip('::ffff:1.2.3.4').family() == 6",
      "ip.isCanonical('2001:DB8::1')",
      "cidr('10.0.0.0/8').containsIP('10.1.2.3') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
      "cidr('10.0.0.0/33').prefixLength() == 8",
      "cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16')) && !cidr('10.0.0.0/8').containsCIDR('11.0.0.0/16')",
    ),
    'evaluates URL functions': evaluated(
      "url(self.url).getHost() == 'example.com:8080' && url(self.url).getHostname() == 'example.com' && url(self.url).getPort() == '8080'",
      "url(self.url).getEscapedPath() == '/p%20q/r' && url(self.url).getQuery() == {'a': ['1', '3'], 'b': ['2']}",
      "url(self.text).getHost() == ''",
      "url('https://a:b/').getHost() == ''",
      "isURL('/path') && !isURL('../path')",
    ),
    'evaluates quantity functions': evaluated(
      "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('1000m') == quantity('1') && sign(quantity('-1')) == -1",
      "quantity('1.5').asInteger() == 1",
      "quantity(self.text) == quantity('1')",
      "quantity('10').add(5).compareTo(quantity('15')) == 0 && quantity('10').sub(quantity('1')) == quantity('9')",
      "quantity('50m').asApproximateFloat() == 0.05 && isQuantity('10Mi') && !isQuantity('1.3x')",
    ),
    'evaluates semantic version functions': evaluated(
      "semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-alpha').isLessThan(semver('1.0.0'))",
      "semver('1.0').major() == 1",
      "semver('v1.2', true).minor() == 2 && !isSemver('1.0') && isSemver('v1', true)",
    ),
    'evaluates named format functions': evaluated(
      "!format.dns1123Label().validate('ab').hasValue() && !format.named('nope').hasValue()",
      "format.dns1123Label().validate('A_b').value() == []",
      "format.named('uuid').value().validate('x').value() == ['does not match the UUID format']",
      "format.dns1123LabelPrefix().validate('ab-').hasValue()",
    ),
    'evaluates integers beyond 2^53 exactly': async (api) => {
      const rules = [{ rule: 'self.whole == 9007199254740993' }, { rule: 'self.whole == 9007199254740992' }];
      await installRuled(api, ruledSchema(rules, plain));
      const body = JSON.stringify({ ...typed(api), ...widget({ whole: 0 }) }).replace(
        '"whole":0',
        '"whole":9007199254740993',
      );
      await api.post(widgetsOf(api), body, {
        headers: { 'content-type': 'application/json' },
        only: ['message', 'details', 'code'],
      });
    },
    'compares undeclared fields when it compares objects': async (api) => {
      await validatedChange(api);
    },
  },
);

async function validatedChange(api: ContractApi): Promise<void> {
  const any = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  await installRuled(api, ruledSchema([{ rule: 'self.any == oldSelf.any', message: 'it changed' }], { any }));
  await create(api, { any: { a: 1 } });
  await update(api, { any: { a: 2 } });
  await update(api, { any: { a: 1, b: 1 } });
}
