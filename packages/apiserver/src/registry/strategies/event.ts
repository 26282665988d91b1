import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../age.js';
import { type ApiObject, numberAt, objectAt, stringAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';
import { fieldText } from './default-strategy.js';

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** Events of the core group. */
export const coreEventStrategy: Partial<Strategy> = {
  allowCreateOnUpdate: true,
  selectableFields: [
    ...objectFields.map((field) => `involvedObject.${field}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  selectableField: (event, field) =>
    field === 'source'
      ? stringAt(event, 'source', 'component') || stringAt(event, 'reportingComponent')
      : fieldText(event, field),
  validate: (event) => namespaceErrors(event, 'involvedObject'),
  cells: eventCells,
};

/** Events of events.k8s.io, which say who reports what in which action. */
export const eventStrategy: Partial<Strategy> = {
  allowCreateOnUpdate: true,
  selectableFields: [...objectFields.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  validate: (event) => {
    const errors = [...namespaceErrors(event, 'regarding')];
    const required = ['eventTime', 'reportingController', 'reportingInstance', 'action', 'reason'];
    for (const field of required) if (!event[field]) errors.push(fieldErrors.required(field));
    const type = stringAt(event, 'type');
    if (type !== 'Normal' && type !== 'Warning') {
      errors.push(fieldErrors.invalid('type', type, `has invalid value: ${type}`));
    }
    const note = stringAt(event, 'note');
    if (Buffer.byteLength(note) > 1024) {
      errors.push(fieldErrors.invalid('message', note, 'can have at most 1024 characters'));
    }
    return errors;
  },
  cells: eventCells,
};

/** An Event lies in the namespace of its object; one about a cluster-scoped object in `default`. */
function namespaceErrors(event: ApiObject, field: string): readonly FieldError[] {
  const namespace = stringAt(event, field, 'namespace');
  if (namespace === event.metadata.namespace) return [];
  if (namespace === '' && ['default', 'kube-system'].includes(event.metadata.namespace ?? '')) return [];
  return [fieldErrors.invalid(`${field}.namespace`, namespace, 'does not match event.namespace')];
}

/** The row of an Event: last seen, type, reason, object, message, and wide: subobject, source, first seen, count, name. */
function eventCells(event: ApiObject, now: Date): readonly unknown[] {
  const object = objectAt(event, event['involvedObject'] === undefined ? 'regarding' : 'involvedObject');
  const source = objectAt(event, event['source'] === undefined ? 'deprecatedSource' : 'source');
  const series = objectAt(event, 'series');
  const first = stringAt(event, 'firstTimestamp') || stringAt(event, 'deprecatedFirstTimestamp');
  const firstSeen = first || stringAt(event, 'eventTime') || event.metadata.creationTimestamp;
  const last = stringAt(event, 'lastTimestamp') || stringAt(event, 'deprecatedLastTimestamp');
  const lastSeen = stringAt(series, 'lastObservedTime') || last || firstSeen;
  const name = stringAt(object, 'name');
  const kind = stringAt(object, 'kind').toLowerCase();
  return [
    age(lastSeen, now),
    stringAt(event, 'type'),
    stringAt(event, 'reason'),
    name === '' ? kind : `${kind}/${name}`,
    stringAt(object, 'fieldPath'),
    sourceText(event, source),
    (stringAt(event, 'message') || stringAt(event, 'note')).trim(),
    age(firstSeen, now),
    numberAt(series, 'count') ?? numberAt(event, 'count') ?? numberAt(event, 'deprecatedCount') ?? 1,
    event.metadata.name,
  ];
}

function sourceText(event: ApiObject, source: object): string {
  const reporter = stringAt(event, 'reportingComponent') || stringAt(event, 'reportingController');
  const instance = stringAt(event, 'reportingInstance');
  const component = stringAt(source, 'component') || reporter;
  const host = stringAt(source, 'host') || instance;
  return [component, host].filter((part) => part !== '').join(', ');
}
