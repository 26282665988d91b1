import type { StructuralSchema } from '../schema/structural-schema.js';

const TEXT: StructuralSchema = { type: 'string' };
const TEXTS: StructuralSchema = { type: 'object', additionalProperties: TEXT };
const TIME: StructuralSchema = { type: 'string', format: 'date-time' };

/** The schema of `metadata` that the API server uses for every object, regardless of the CustomResourceDefinition. */
export const OBJECT_META: StructuralSchema = {
  type: 'object',
  properties: {
    name: TEXT,
    generateName: TEXT,
    namespace: TEXT,
    selfLink: TEXT,
    uid: TEXT,
    resourceVersion: TEXT,
    generation: { type: 'integer' },
    creationTimestamp: TIME,
    deletionTimestamp: TIME,
    deletionGracePeriodSeconds: { type: 'integer' },
    labels: TEXTS,
    annotations: TEXTS,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: TEXT,
          kind: TEXT,
          name: TEXT,
          uid: TEXT,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
      },
    },
    finalizers: { type: 'array', 'x-kubernetes-list-type': 'set', items: TEXT },
    managedFields: { type: 'array', 'x-kubernetes-list-type': 'atomic', items: { type: 'object' } },
  },
};
