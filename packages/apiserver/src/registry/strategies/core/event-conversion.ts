import type { ApiObject, DraftObject } from '../../objects/api-object.js';
import { dropEmpty } from '../rules/field-checks.js';
import type { ResourceDefinition } from '../../definitions/resource-definition.js';

/** The fields of events.k8s.io/v1 whose names differ in core v1, with their core names. */
const names: ReadonlyMap<string, string> = new Map([
  ['note', 'message'],
  ['regarding', 'involvedObject'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
]);
const namesBack: ReadonlyMap<string, string> = new Map([...names].map(([event, core]) => [core, event]));

/** The fields of events.k8s.io/v1 that stored core v1 Events contain even if these fields are empty. */
const reporters = ['reportingController', 'reportingInstance'];

/** Converts between Events of events.k8s.io/v1 and stored core v1 Events. Events of both API groups are the same stored objects. */
export const eventConversion: Pick<ResourceDefinition, 'toStored' | 'fromStored' | 'storageBucket'> = {
  storageBucket: '/events',
  toStored: (object) => renamed(object, names, 'v1'),
  fromStored: (stored) => {
    const event = renamed(stored, namesBack, 'events.k8s.io/v1');
    dropEmpty(event, ...reporters);
    return event;
  },
};

function renamed(object: ApiObject, fields: ReadonlyMap<string, string>, apiVersion: string): DraftObject {
  const { kind, metadata } = object;
  // Stored objects begin with these fields, in this order.
  const result: DraftObject = { kind, apiVersion, metadata };
  for (const [field, value] of Object.entries(object)) {
    if (field !== 'apiVersion') result[fields.get(field) ?? field] = value;
  }
  return result;
}
