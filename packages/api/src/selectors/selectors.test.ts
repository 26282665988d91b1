import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KubewrightError } from '../errors/kubewright-error.js';
import { parseFieldSelector } from './field-selector.js';
import { formatLabels, labelSelectorFromObject } from './label-selector.js';
import { parseLabelSelector } from './parse-label-selector.js';

const labels = { app: 'web', tier: 'front', replicas: '3', in: 'x' };

const verdicts: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['app=web', true],
  ['app==web', true],
  [' app = web , tier!=back ', true],
  ['app!=web', false],
  ['missing!=web', true],
  ['missing=web', false],
  ['missing=', false],
  ['app in (api,web)', true],
  ['app in (api, db)', false],
  ['app notin (api)', true],
  ['missing notin (api)', true],
  ['app', true],
  ['!app', false],
  ['!missing', true],
  ['replicas>2', true],
  ['replicas<3', false],
  ['app>2', false],
  ['in=x', true],
  ['in in (x)', true],
  ['constructor', false],
  ['app in (,web)', true],
];

for (const [text, expected] of verdicts) {
  test(`the selector '${text}' ${expected ? 'selects' : 'does not select'} the object`, () => {
    assert.equal(parseLabelSelector(text).matches(labels), expected);
  });
}

const refused: readonly (readonly [string, string])[] = [
  ['app in', "unable to parse requirement: found '' expected: '('"],
  ['app=web,', "found '', expected: identifier after ','"],
  ['app web', "unable to parse requirement: found 'web', expected: in, notin, =, ==, !=, gt, lt"],
  [',app', "found ',', expected: !, identifier, or 'end of string'"],
  ['app in (a b)', "unable to parse requirement: found 'b', expected: ',' or ')'"],
  [
    'a>x',
    `unable to parse requirement: values[0]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer`,
  ],
];

for (const [text, message] of refused) {
  test(`the selector '${text}' is rejected with the message of the API server`, () => {
    assert.throws(
      () => parseLabelSelector(text),
      (error) => error instanceof KubewrightError && error.code === 'INVALID_SELECTOR' && error.message === message,
    );
  });
}

test('parseLabelSelector rejects a key or a value that is not a valid label', () => {
  assert.throws(
    () => parseLabelSelector('a/b/c=d'),
    /unable to parse requirement: <nil>: Invalid value: "a\/b\/c": a valid/,
  );
  assert.throws(() => parseLabelSelector('a=-'), /values\[0\]\[a\]: Invalid value: "-": a valid label must be/);
});

test('a selector object matches by labels and expressions, {} matches everything, and undefined matches nothing', () => {
  const selector = labelSelectorFromObject({
    matchLabels: { app: 'web' },
    matchExpressions: [{ key: 'tier', operator: 'In', values: ['front', 'back'] }],
  });
  assert.equal(selector.toString(), 'app=web,tier in (front,back)');
  assert.ok(selector.matches(labels));
  assert.ok(!selector.matches({ app: 'web' }));
  assert.ok(labelSelectorFromObject({}).matches({}));
  assert.ok(!labelSelectorFromObject(undefined).matches(labels));
  assert.throws(
    () => labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Near' }] }),
    /"Near" is not a valid label selector operator/,
  );
});

const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);

test('the selector of formatLabels selects every object that has the labels', () => {
  fc.assert(
    fc.property(fc.dictionary(word, word), fc.dictionary(word, word), (desired, others) => {
      const selector = parseLabelSelector(formatLabels(desired));
      assert.ok(selector.matches({ ...others, ...desired }));
      assert.equal(parseLabelSelector(selector.toString()).toString(), selector.toString());
    }),
  );
});

test('a field selector compares fields and treats a missing field as an empty text', () => {
  const selector = parseFieldSelector('metadata.name=a,status.phase!=Failed,spec.node==');
  const fields: Record<string, string> = { 'metadata.name': 'a', 'status.phase': 'Running' };
  assert.ok(selector.matches((field) => fields[field]));
  assert.ok(!selector.matches(() => 'Failed'));
  assert.deepEqual(parseFieldSelector('a!=b').requirements, [{ field: 'a', operator: '!=', value: 'b' }]);
  assert.ok(parseFieldSelector('').empty);
});

test('a backslash escapes a special character in a value of a field selector', () => {
  assert.deepEqual(parseFieldSelector('a=b\\,c\\=d\\\\').requirements[0]?.value, 'b,c=d\\');
  assert.throws(() => parseFieldSelector('a'), /^KubewrightError: invalid selector: 'a'; can't understand 'a'$/);
  assert.throws(() => parseFieldSelector('a=b\\c'), /invalid field selector: invalid escape sequence: \\c/);
  assert.throws(() => parseFieldSelector('a=b=c'), /invalid field selector: unescaped character in value: 61/);
});

test('the text of a field selector parses to the same requirements', () => {
  fc.assert(
    fc.property(word, fc.string(), (field, value) => {
      const text = `${field}=${value.replace(/[\\,=]/g, '\\$&')}`;
      const selector = parseFieldSelector(text);
      assert.deepEqual(selector.requirements, [{ field, operator: '=', value }]);
      assert.equal(selector.toString(), text);
    }),
  );
});
