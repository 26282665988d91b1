import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dns1035LabelErrors, dns1123LabelErrors, dns1123SubdomainErrors, pathSegmentErrors } from './dns-names.js';
import { generateName } from './generate-name.js';
import { labelValueErrors, qualifiedNameErrors } from './label-names.js';

const QUALIFIED =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";

test('dns1123SubdomainErrors rejects an invalid subdomain with the message of the API server', () => {
  assert.deepEqual(dns1123SubdomainErrors('a.b-c.d1'), []);
  assert.deepEqual(dns1123SubdomainErrors('Web_1'), [
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
  ]);
  assert.deepEqual(dns1123SubdomainErrors('a'.repeat(254)), ['must be no more than 253 characters']);
});

test('a DNS label has no dots and at most 63 characters', () => {
  assert.deepEqual(dns1123LabelErrors('a-1'), []);
  assert.deepEqual(dns1123LabelErrors('a.b'), ['must not contain dots']);
  assert.deepEqual(dns1123LabelErrors('x'.repeat(64)), ['must be no more than 63 characters']);
  assert.match(dns1123LabelErrors('-a')[0] ?? '', /\(e\.g\. 'my-name', {2}or '123-abc', regex used for validation is /);
  assert.equal(dns1035LabelErrors('1a').length, 1);
  assert.deepEqual(dns1035LabelErrors('a1'), []);
});

test('a path segment must not be "." and must not contain slashes or percent signs', () => {
  assert.deepEqual(pathSegmentErrors('.'), ["may not be '.'"]);
  assert.deepEqual(pathSegmentErrors('.', true), []);
  assert.deepEqual(pathSegmentErrors('a/b%'), ["may not contain '/'", "may not contain '%'"]);
});

test('a qualified name consists of a name and an optional DNS prefix', () => {
  for (const good of ['a', 'A.b_c-1', 'example.com/Name']) assert.deepEqual(qualifiedNameErrors(good), []);
  assert.deepEqual(qualifiedNameErrors('a b'), [`name part ${QUALIFIED}`]);
  assert.deepEqual(qualifiedNameErrors(''), ['name part must be non-empty', `name part ${QUALIFIED}`]);
  assert.deepEqual(qualifiedNameErrors('/a'), ['prefix part must be non-empty']);
  assert.match(qualifiedNameErrors('a/b/c')[0] ?? '', /^a valid label key must .*\(e\.g\. 'example\.com\/MyName'\)$/);
});

test('a label value can be empty and has at most 63 bytes', () => {
  assert.deepEqual(labelValueErrors(''), []);
  assert.deepEqual(labelValueErrors('a'.repeat(64)), ['must be no more than 63 bytes']);
  assert.equal(labelValueErrors('-').length, 1);
});

test('a generated name has at most 63 characters and ends with five safe characters', () => {
  fc.assert(
    fc.property(fc.string(), (prefix) => {
      const name = generateName(prefix);
      assert.ok(name.length <= 63);
      assert.match(name.slice(-5), /^[bcdfghjklmnpqrstvwxz2456789]{5}$/);
      assert.ok(name.startsWith(prefix.slice(0, 58)));
    }),
  );
  assert.equal(
    generateName('web-', () => 0),
    'web-bbbbb',
  );
});
