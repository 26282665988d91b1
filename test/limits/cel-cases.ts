import { define, json, list } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const ruleds = '/apis/limits.example.com/v1/namespaces/default/ruleds';

const string = { type: 'string' };
const integers = (maxItems: number) => ({ type: 'array', maxItems, items: { type: 'integer' } });
const numbers = (count: number) => list(count, (at) => at);
const rules = (...texts: readonly string[]) => ({
  'x-kubernetes-validations': texts.map((rule) => ({ rule })),
});
const named = {
  type: 'array',
  maxItems: 7000,
  items: {
    type: 'object',
    required: ['name'],
    properties: { name: { ...string, maxLength: 10 }, value: { ...string, maxLength: 10 } },
    ...rules(...list(10, (at) => `self == oldSelf || ${at} < 0`)),
  },
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['name'],
};
const long = { ...string, maxLength: 1_400_000 };
const longest = { ...string, maxLength: 3_100_000 };

/** The fields of the custom resource. The rules of each field are slow for a different reason. */
const fields = {
  nested: {
    ...integers(340),
    ...rules(...list(10, (at) => `self.all(x, self.all(y, x + y >= ${-at}))`)),
  },
  each: { ...integers(65_000), items: { type: 'integer', ...rules(...list(10, (at) => `self >= ${-at}`)) } },
  named,
  formatted: { ...integers(1400), ...rules("self.all(x, '%s'.format([self]) != '')") },
  collected: { ...integers(20_000), ...rules('self.transformMap(i, x, x).size() >= 0') },
  joined: { ...integers(2000), ...rules('self.all(x, (self + self).size() > x)') },
  timed: {
    ...integers(5000),
    ...rules("self.all(x, timestamp('2020-01-01T00:00:00Z').getHours('Asia/Tokyo') == 9)"),
  },
  matched: { ...string, maxLength: 20_001, ...rules("self.matches('[ab].{900}b$')") },
  timeSpan: { ...long, format: 'duration', ...rules("self < duration('1h')") },
  counted: { ...long, ...rules('isQuantity(self)') },
  picked: { ...long, ...rules("lists.range(100).all(x, self.charAt(x) == 'a')") },
  addressed: { ...longest, ...rules('!isURL(self) || url(self).getQuery().size() >= 0') },
  quoted: { ...longest, ...rules("strings.quote(self) != ''") },
  parts: { ...long, ...rules("self.split('a').size() > 0") },
  chained: { ...integers(60_000), ...rules(`(${list(17, () => 'self').join(' + ')}).size() > 0`) },
  replaced: { ...long, ...rules("self.replace('a', self) == ''") },
};

/** A request that defines the custom resource of the cases. */
export const defineRuleds = define('Ruled', { type: 'object', properties: fields });

/** A request that deletes the objects of a case. */
export const clearRuleds: LimitRequest = { method: 'DELETE', path: ruleds };

const body = (spec: Partial<Readonly<Record<keyof typeof fields, unknown>>>): string =>
  JSON.stringify({ apiVersion: 'limits.example.com/v1', kind: 'Ruled', metadata: { name: 'a' }, spec });
const create = (spec: Partial<Readonly<Record<keyof typeof fields, unknown>>>): LimitRequest => ({
  method: 'POST',
  path: ruleds,
  type: json,
  body: body(spec),
});
const items = (count: number) => list(count, (at) => ({ name: `n${at}`, value: 'v' }));
/** Returns a text that is short enough to be stored. */
const filled = (piece: string): string => piece.repeat(1_400_000);

/** Writes of custom objects whose rules take a long time. */
export const celCases: readonly LimitCase[] = [
  { name: 'ten rules with nested loops', request: create({ nested: numbers(340) }), status: 201 },
  { name: '30,000 items with ten rules each', request: create({ each: numbers(30_000) }), status: 201 },
  {
    name: 'ten transition rules for each of 7,000 items',
    before: [create({ named: items(7000) })],
    request: {
      method: 'PATCH',
      path: `${ruleds}/a`,
      type: 'application/merge-patch+json',
      body: JSON.stringify({ spec: { named: items(7000).toReversed() } }),
    },
    status: 200,
  },
  { name: 'a rule that formats a list 1,400 times', request: create({ formatted: numbers(1400) }), status: 201 },
  { name: 'a rule that creates a map of 20,000 keys', request: create({ collected: numbers(20_000) }), status: 201 },
  { name: 'a rule that joins lists 2,000 times', request: create({ joined: numbers(2000) }), status: 201 },
  {
    name: 'a rule that converts a time to a time zone 5,000 times',
    request: create({ timed: numbers(5000) }),
    status: 201,
  },
  { name: 'a rule with a large pattern', request: create({ matched: `c${'ab'.repeat(10_000)}` }), status: 201 },
  { name: 'a rule on a quantity of 1.4 MB', request: create({ counted: filled('1') }), status: 422 },
  {
    name: 'a rule on a duration of 1.4 MB',
    request: create({ timeSpan: `0.${'1'.repeat(1_399_000)}s` }),
    status: 201,
  },
  { name: 'a rule on characters of a string of 1.4 MB', request: create({ picked: filled('a') }), status: 201 },
  {
    name: 'a rule on a URL of 3 MB',
    request: create({ addressed: `http://a/${'a'.repeat(3_000_000)}` }),
    status: 500,
  },
  {
    name: 'a rule on a URL with 700,000 characters to escape',
    request: create({ addressed: `http://a/${'ä'.repeat(700_000)}` }),
    status: 422,
  },
  {
    name: 'a rule on a URL with 700,000 parameters',
    request: create({ addressed: `http://a/?${'a&'.repeat(700_000)}` }),
    status: 422,
  },
  {
    name: 'a rule that quotes 1.5 MB of quotation marks',
    request: create({ quoted: '"'.repeat(1_500_000) }),
    status: 500,
  },
  {
    name: 'a rule that splits a string of 1.4 MB at each character',
    request: create({ parts: filled('a') }),
    status: 422,
  },
  { name: 'a rule that joins 17 lists of 60,000 integers', request: create({ chained: numbers(60_000) }), status: 422 },
  { name: 'a rule that creates a string of 2 TB', request: create({ replaced: filled('a') }), status: 422 },
];
