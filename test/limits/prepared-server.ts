import { configMaps, define, list, patch, things } from './case-bodies.js';
import { clearRuleds, defineRuleds } from './cel-cases.js';
import { clearCheckeds, defineCheckeds } from './long-calls-cases.js';
import { clearDefinitions } from './crd-cases.js';
import type { LimitRequest } from './limit-case.js';
import { clearSubresources } from './subresource-cases.js';

const item = { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } };
const spec = {
  type: 'object',
  properties: {
    byName: {
      type: 'array',
      items: { ...item, required: ['name'] },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    defaulted: {
      type: 'array',
      items: {
        type: 'object',
        properties: { numbers: { type: 'array', items: { type: 'integer' }, default: list(1000, (at) => at) } },
      },
    },
    numbers: { type: 'array', items: { type: 'integer' } },
    chosen: { type: 'array', items: { type: 'string', enum: list(10_000, (at) => `e${at}`) } },
    texts: { type: 'object', additionalProperties: { type: 'string' } },
    set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
    open: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};

/** Requests that prepare a server for all cases. */
export const preparing: readonly LimitRequest[] = [define('Thing', spec), defineRuleds, defineCheckeds];

const released = { metadata: { finalizers: null } };

/** Requests that delete the objects of a case. */
export const clearing: readonly LimitRequest[] = [
  patch('application/merge-patch+json', released),
  ...[configMaps, things].map((path) => ({ method: 'DELETE', path })),
  clearRuleds,
  clearCheckeds,
  ...clearDefinitions,
  ...clearSubresources,
];
