import { append } from '@kubewright/api/json';
import { deepEqual } from '@kubewright/api/patch';
import { qualifiedNameErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { madeAt, objectAt, objectsAt, stringAt, textsAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { firstByName, notNegative } from '../rules/field-checks.js';
import { driverNameErrors } from '../core/pod-spec/claim-spec-rules.js';
import { type GoShape, goFields } from '../rules/go-shape.js';
import { invalidStruct } from '../rules/go-text.js';
import { repeatedPositions } from '../rules/repeated-positions.js';

const driverShape: GoShape = [
  ['Name', 'name', ''],
  ['NodeID', 'nodeID', ''],
  ['TopologyKeys', 'topologyKeys', null],
  ['Allocatable', 'allocatable', null],
];
const longestNodeId = 256;

/** The strategy for CSINodes. The fields of a driver are immutable, except for `allocatable`. */
export const csiNodeStrategy: Partial<Strategy> = {
  ownRules: true,
  deletionRules: { returnsObject: true },
  defaults: (draft) => {
    for (const driver of objectsAt(madeAt(draft, 'spec'), 'drivers')) driver['topologyKeys'] ??= null;
  },
  validate: nodeErrors,
  validateUpdate: (next, old) => [...nodeErrors(next), ...changeErrors(next, old)],
  cells: (node, now) => [
    node.metadata.name,
    objectsAt(node, 'spec', 'drivers').length,
    age(node.metadata.creationTimestamp, now),
  ],
};

function nodeErrors(node: ApiObject): readonly FieldError[] {
  const names = new Set<string>();
  return errorsOfEach(objectsAt(node, 'spec', 'drivers'), (driver, index) => {
    const path = `spec.drivers[${index}]`;
    const name = stringAt(driver, 'name');
    const id = stringAt(driver, 'nodeID');
    const errors = [...driverNameErrors(name, `${path}.name`)];
    if (id === '') errors.push(fieldErrors.required(`${path}.nodeID`));
    if (id.length > longestNodeId) {
      errors.push(fieldErrors.invalid(`${path}.nodeID`, id, `must be ${longestNodeId} characters or less`));
    }
    append(errors, notNegative(objectAt(driver, 'allocatable'), `${path}.allocatable`, 'count'));
    if (names.has(name)) errors.push(fieldErrors.duplicate(`${path}.name`, name));
    names.add(name);
    return [...errors, ...topologyErrors(textsAt(driver, 'topologyKeys'), path)];
  });
}

function topologyErrors(keys: readonly string[], path: string): readonly FieldError[] {
  const repeated = repeatedPositions(keys);
  return errorsOfEach(keys, (key, index) => [
    ...(key === '' ? [fieldErrors.required(path)] : []),
    ...(repeated.has(index) ? [fieldErrors.duplicate(path, key)] : []),
    ...qualifiedNameErrors(key).map((why) => fieldErrors.invalid(path, key, why)),
  ]);
}

function changeErrors(next: ApiObject, old: ApiObject): readonly FieldError[] {
  const drivers = firstByName(objectsAt(next, 'spec', 'drivers'));
  return errorsOfEach(objectsAt(old, 'spec', 'drivers'), (before) => {
    const after = drivers.get(before['name']);
    if (after === undefined || deepEqual(lasting(after), lasting(before))) return [];
    return [invalidStruct('spec.drivers', goFields(lasting(after), driverShape), 'field is immutable')];
  });
}

function lasting(reported: JsonDraft): JsonDraft {
  const { allocatable: _, ...driver } = reported;
  return driver;
}
