import { append } from '@kubewright/api/json';
import { dns1123LabelErrors, dns1123SubdomainErrors } from '@kubewright/api/names';
import { errorsOfEach, type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, objectsAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { unchanged } from '../rules/field-checks.js';
import { repeatedPositions } from '../rules/repeated-positions.js';
import { driverNameErrors } from '../core/pod-spec/claim-spec-rules.js';

const places = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];

/** The strategy for ResourceSlices, which list the devices of a driver. */
export const resourceSliceStrategy: Partial<Strategy> = {
  ownRules: true,
  deletionRules: { returnsObject: true },
  tracksGeneration: true,
  selectableFields: ['spec.driver', 'spec.nodeName'],
  unsupportedField: (field) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['driver'] ??= '';
    const pool = madeAt(spec, 'pool');
    pool['name'] ??= '';
    pool['generation'] ??= 0;
    pool['resourceSliceCount'] ??= 0;
  },
  validate: (slice) => sliceErrors(slice),
  validateUpdate: (next, old) => sliceErrors(next, old),
  cells: (slice, now) => [
    slice.metadata.name,
    stringAt(slice, 'spec', 'nodeName'),
    stringAt(slice, 'spec', 'driver'),
    stringAt(slice, 'spec', 'pool', 'name'),
    age(slice.metadata.creationTimestamp, now),
  ],
};

function sliceErrors(slice: ApiObject, old?: ApiObject): readonly FieldError[] {
  const spec = objectAt(slice, 'spec');
  const errors = [
    ...driverNameErrors(stringAt(spec, 'driver'), 'spec.driver'),
    ...poolErrors(objectAt(spec, 'pool'), 'spec.pool'),
  ];
  if (old !== undefined) {
    append(
      errors,
      ['pool.name', 'driver', 'nodeName'].flatMap((field) => unchanged(slice, old, `spec.${field}`)),
    );
  }
  append(errors, placeErrors(spec));
  if (spec['sharedCounters'] !== undefined && spec['devices'] !== undefined) {
    errors.push(fieldErrors.invalid('spec', '', 'only one of `sharedCounters` or `devices` is allowed'));
  }
  const names = objectsAt(spec, 'devices').map((device) => stringAt(device, 'name'));
  const repeated = repeatedPositions(names);
  append(
    errors,
    errorsOfEach(names, (name, index) => [
      ...dns1123LabelErrors(name).map((why) => fieldErrors.invalid(`spec.devices[${index}].name`, name, why)),
      ...(repeated.has(index) ? [fieldErrors.duplicate(`spec.devices[${index}]`, name)] : []),
    ]),
  );
  return errors;
}

function poolErrors(pool: JsonDraft, path: string): readonly FieldError[] {
  const name = stringAt(pool, 'name');
  const errors: FieldError[] =
    name === ''
      ? [fieldErrors.required(`${path}.name`)]
      : errorsOfEach(name.split('/'), (part) =>
          dns1123SubdomainErrors(part).map((why) => fieldErrors.invalid(`${path}.name`, part, why)),
        );
  const count = numberAt(pool, 'resourceSliceCount') ?? 0;
  if (count <= 0) errors.push(fieldErrors.invalid(`${path}.resourceSliceCount`, count, 'must be greater than zero'));
  const generation = numberAt(pool, 'generation') ?? 0;
  if (generation >= 0) return errors;
  const why = 'must be greater than or equal to zero';
  return [...errors, fieldErrors.invalid(`${path}.generation`, generation, why)];
}

function placeErrors(spec: JsonDraft): readonly FieldError[] {
  const set = places.filter((field) => isObject(spec[field]) || spec[field] === true || Boolean(spec[field]));
  const errors: FieldError[] = [];
  const node = valueAt(spec, 'nodeName');
  if (node === '') {
    errors.push(fieldErrors.invalid('spec.nodeName', '', 'must be either unset or set to a non-empty string'));
  } else if (typeof node === 'string') {
    append(
      errors,
      dns1123SubdomainErrors(node).map((why) => fieldErrors.invalid('spec.nodeName', node, why)),
    );
  }
  for (const field of ['allNodes', 'perDeviceNodeSelection']) {
    if (spec[field] !== false) continue;
    errors.push(fieldErrors.invalid(`spec.${field}`, false, 'must be either unset or set to true'));
  }
  const all = places.map((field) => `\`${field}\``).join(', ');
  if (set.length === 0) errors.push(fieldErrors.required('spec', `exactly one of ${all} is required`));
  if (set.length <= 1) return errors;
  const shown = `{${set.map((field) => `\`${field}\``).join(', ')}}`;
  const why = `exactly one of ${all} is required, but multiple fields are set`;
  return [...errors, fieldErrors.invalid('spec', shown, why)];
}
