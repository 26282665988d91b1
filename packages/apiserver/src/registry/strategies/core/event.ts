import { append } from '@kubewright/api/json';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { deepEqual } from '@kubewright/api/patch';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonObject } from '../../objects/api-object.js';
import { isObject, numberAt, objectAt, stringAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fieldText } from '../../definitions/default-strategy.js';
import { invalidStruct } from '../rules/go-text.js';

const objectFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

/** The strategy for Events of the core group. */
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
  ownRules: true,
  quotaRules: { ignored: true },
  validate: (event) => [...eventErrors(event, core)],
  validateUpdate: (event) => [...eventErrors(event, core)],
  cells: eventCells,
};

/** The strategy for Events of events.k8s.io. */
export const eventStrategy: Partial<Strategy> = {
  allowCreateOnUpdate: true,
  selectableFields: [...objectFields.map((field) => `regarding.${field}`), 'reason', 'reportingController', 'type'],
  ownRules: true,
  quotaRules: { ignored: true },
  validate: (event) => [...eventErrors(event, own), ...seriesErrors(event), ...newErrors(event)],
  validateUpdate: (next, old) => [
    ...eventErrors(next, own),
    ...(deepEqual(next['series'], old['series']) ? [] : seriesErrors(next)),
    ...changeErrors(next, old),
  ],
  cells: eventCells,
};

/** The field names of an Event in one version. */
interface EventFields {
  readonly object: string;
  readonly message: string;
  readonly reporter: string;
}

const core: EventFields = { object: 'involvedObject', message: 'message', reporter: 'reportingComponent' };
const own: EventFields = { object: 'regarding', message: 'note', reporter: 'reportingController' };
const longest = { reportingInstance: 128, action: 128, reason: 128, message: 1024 };

/** Returns the errors that both versions report. An Event with an eventTime has more rules, because only newer clients set this field. */
function eventErrors(event: ApiObject, fields: EventFields): readonly FieldError[] {
  const namespace = stringAt(event, fields.object, 'namespace');
  const place = event.metadata.namespace ?? '';
  const elsewhere = fieldErrors.invalid('involvedObject.namespace', namespace, 'does not match event.namespace');
  if (!event['eventTime']) {
    const fits = namespace === '' ? place === 'default' : namespace === place;
    return fits ? [] : [elsewhere];
  }
  const errors: FieldError[] = namespace === '' && place !== 'default' && place !== 'kube-system' ? [elsewhere] : [];
  const reporter = stringAt(event, fields.reporter);
  if (reporter === '') errors.push(fieldErrors.required(fields.reporter));
  append(
    errors,
    qualifiedNameErrors(reporter).map((why) => fieldErrors.invalid(fields.reporter, reporter, why)),
  );
  for (const [field, most] of Object.entries(longest)) {
    const text = stringAt(event, field === 'message' ? fields.message : field);
    if (text === '' && field !== 'message') errors.push(fieldErrors.required(field));
    if (Buffer.byteLength(text) <= most) continue;
    errors.push(fieldErrors.invalid(field, '', `can have at most ${most} characters`));
  }
  return errors;
}

function seriesErrors(event: ApiObject): readonly FieldError[] {
  const { series } = event;
  if (series === undefined) return [];
  const errors: FieldError[] = [];
  if ((numberAt(series, 'count') ?? 0) < 2)
    errors.push(fieldErrors.invalid('series.count', '', 'should be at least 2'));
  if (stringAt(series, 'lastObservedTime') === '') errors.push(fieldErrors.required('series.lastObservedTime'));
  return errors;
}

/** Returns the errors of a new Event of events.k8s.io, which cannot set the deprecated fields of core v1. */
function newErrors(event: ApiObject): readonly FieldError[] {
  const type = stringAt(event, 'type');
  const errors: FieldError[] = event['eventTime'] ? [] : [fieldErrors.required('eventTime')];
  if (type !== 'Normal' && type !== 'Warning') {
    errors.push(fieldErrors.invalid('type', '', `has invalid value: ${type}`));
  }
  const unset = [
    ['firstTimestamp', event['deprecatedFirstTimestamp']],
    ['lastTimestamp', event['deprecatedLastTimestamp']],
    ['count', event['deprecatedCount']],
    ['source', stringAt(event, 'deprecatedSource', 'component') || stringAt(event, 'deprecatedSource', 'host')],
  ] as const;
  for (const [field, value] of unset) {
    if (value) errors.push(fieldErrors.invalid(field, '', 'needs to be unset'));
  }
  return errors;
}

/**
 * The fields that an update of an Event cannot change, and the name of each field in error texts. Only the series and the metadata are
 * mutable. As in kube-apiserver, `reason` occurs twice, so its error occurs twice.
 */
const lasting: readonly (readonly [string, string])[] = [
  ['regarding', 'involvedObject'],
  ['reason', 'reason'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reason', 'reason'],
  ['type', 'type'],
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingController', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

function changeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  return lasting.flatMap(([field, shown]) => {
    if (deepEqual(next[field] ?? null, old[field] ?? null)) return [];
    const why = 'field is immutable';
    const names = structs[field];
    if (names === undefined || !isObject(next[field])) return [fieldErrors.invalid(shown, next[field] ?? null, why)];
    const value = next[field];
    const inner = Object.entries(names).map(([name, called]) => [called, stringAt(value, name)]);
    return [invalidStruct(shown, Object.fromEntries(inner) as JsonObject, why)];
  });
}

const reference = {
  kind: 'Kind',
  namespace: 'Namespace',
  name: 'Name',
  uid: 'UID',
  apiVersion: 'APIVersion',
  resourceVersion: 'ResourceVersion',
  fieldPath: 'FieldPath',
};
/** The immutable fields that are structs, with the field names of the internal type of kube-apiserver. */
const structs: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  regarding: reference,
  related: reference,
  deprecatedSource: { component: 'Component', host: 'Host' },
};

/**
 * Returns the table row of an Event: last seen, type, reason, object and message. The wide columns are subobject, source, first seen, count
 * and name.
 */
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
