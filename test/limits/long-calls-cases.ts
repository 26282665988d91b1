import { define, json, list, mostBytes } from './case-bodies.js';
import type { LimitCase, LimitRequest } from './limit-case.js';

const checkeds = '/apis/limits.example.com/v1/namespaces/default/checkeds';
const long = 1_400_000;

/** The fields of the custom resource. The validation of these fields takes a long time. */
const fields = {
  matched: { type: 'string', pattern: '[ab].{900}c$' },
  many: { type: 'array', items: { type: 'string', pattern: '[ab].{300}c$' } },
  formatted: { type: 'string', format: 'duration' },
  listed: { type: 'array', items: { type: 'integer', enum: list(10_000, (at) => at) } },
};

/** A request that defines the custom resource of the cases. */
export const defineCheckeds = define('Checked', { type: 'object', properties: fields });

/** A request that deletes the objects of a case. */
export const clearCheckeds: LimitRequest = { method: 'DELETE', path: checkeds };

const create = (spec: Partial<Readonly<Record<keyof typeof fields, unknown>>>): LimitRequest => ({
  method: 'POST',
  path: checkeds,
  type: json,
  body: JSON.stringify({ apiVersion: 'limits.example.com/v1', kind: 'Checked', metadata: { name: 'a' }, spec }),
});

const digits = '1'.repeat(mostBytes - 500);
const resources = { requests: { cpu: digits } };
const pod = (spec: object): LimitRequest => ({
  method: 'POST',
  path: '/api/v1/namespaces/default/pods',
  type: json,
  body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec }),
});

/** Writes of values whose validation takes a long time. */
export const longCallsCases: readonly LimitCase[] = [
  {
    name: 'a large pattern for a string of 40 KB',
    request: create({ matched: `${'ab'.repeat(20_000)}c` }),
    status: 201,
  },
  {
    name: 'a pattern for 2,000 strings',
    request: create({ many: list(2000, () => `${'ab'.repeat(160)}c`) }),
    status: 201,
  },
  {
    name: 'the format duration for a string of 1.4 MB',
    request: create({ formatted: '3 xsec'.repeat(long / 6) }),
    status: 422,
  },
  {
    name: 'an enum of 10,000 values for 10,000 items',
    request: create({ listed: list(10_000, (at) => at) }),
    status: 201,
  },
  { name: 'a quantity of 3 MB', request: pod({ containers: [{ name: 'a', image: 'a', resources }] }), status: 400 },
  {
    name: 'a number of 3 MB',
    request: { ...create({}), body: `{"a":${digits}}` },
    status: 400,
  },
];
