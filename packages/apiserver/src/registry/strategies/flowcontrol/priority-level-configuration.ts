import { append } from '@kubewright/api/json';
import { type FieldError, fieldErrors } from '@kubewright/api/schema';
import { age } from '../../objects/age.js';
import type { ApiObject, JsonDraft } from '../../objects/api-object.js';
import { isObject, madeAt, numberAt, objectAt, stringAt, valueAt } from '../../objects/json-object.js';
import type { Strategy } from '../../definitions/strategy.js';
import { fill } from '../rules/field-checks.js';
import { conditionErrors } from './flow-schema.js';

const types = ['Exempt', 'Limited'];
const mostQueues = 10_000_000;
const mostEntropyBits = 60;
const responses = ['Queue', 'Reject'];

/** The strategy for PriorityLevelConfigurations, which limit the number of concurrent requests of a level. */
export const priorityLevelConfigurationStrategy: Partial<Strategy> = {
  initialStatus: () => ({}),
  ownRules: true,
  metadataRules: { preservedByStatus: 'all' },
  tracksGeneration: true,
  defaults: (draft) => {
    const spec = madeAt(draft, 'spec');
    spec['type'] ??= '';
    if (isObject(spec['exempt'])) fill(spec['exempt'], { nominalConcurrencyShares: 0, lendablePercent: 0 });
    if (!isObject(spec['limited'])) return;
    fill(spec['limited'], { nominalConcurrencyShares: 30, lendablePercent: 0 });
    const response = madeAt(spec['limited'], 'limitResponse');
    response['type'] ??= '';
    const { queuing } = response;
    if (!isObject(queuing)) return;
    for (const [field, value] of Object.entries({ handSize: 8, queues: 64, queueLengthLimit: 50 })) {
      if (!queuing[field]) queuing[field] = value;
    }
  },
  prepareForCreate: (draft) => {
    draft['status'] = {};
  },
  validate: levelErrors,
  validateUpdate: levelErrors,
  validateStatusUpdate: conditionErrors,
  cells: levelCells,
};

function levelCells(level: ApiObject, now: Date): readonly unknown[] {
  const queuing = (field: string): unknown => valueAt(level, 'spec', 'limited', 'limitResponse', 'queuing', field);
  return [
    level.metadata.name,
    stringAt(level, 'spec', 'type'),
    valueAt(level, 'spec', 'limited', 'nominalConcurrencyShares') ?? '<none>',
    queuing('queues') ?? '<none>',
    queuing('handSize') ?? '<none>',
    queuing('queueLengthLimit') ?? '<none>',
    age(level.metadata.creationTimestamp, now),
  ];
}

function levelErrors(level: ApiObject): readonly FieldError[] {
  const spec = objectAt(level, 'spec');
  const type = stringAt(spec, 'type');
  const { limited, exempt } = spec;
  const errors: FieldError[] = [];
  if ((level.metadata.name === 'exempt') !== (type === 'Exempt')) {
    errors.push(fieldErrors.invalid('spec.type', type, "must be 'Exempt' if and only if `name` is 'exempt'"));
  }
  if (type === 'Exempt') {
    if (limited !== undefined)
      errors.push(fieldErrors.forbidden('spec.limited', 'must be nil if the type is not Limited'));
    if (isObject(exempt)) append(errors, shareErrors(exempt, 'spec.exempt'));
  } else if (type === 'Limited') {
    if (exempt !== undefined) errors.push(fieldErrors.forbidden('spec.exempt', 'must be nil if the type is Limited'));
    if (isObject(limited)) append(errors, limitedErrors(limited, 'spec.limited'));
    else errors.push(fieldErrors.required('spec.limited', 'must not be empty when type is Limited'));
  } else if (type === '') {
    errors.push(fieldErrors.required('spec.type'));
  } else {
    errors.push(fieldErrors.notSupported('spec.type', type, types));
  }
  return [...errors, ...conditionErrors(level)];
}

function queuingErrors(queuing: JsonDraft, path: string): readonly FieldError[] {
  const [length = 0, queues = 0, hand = 0] = ['queueLengthLimit', 'queues', 'handSize'].map((field) =>
    numberAt(queuing, field),
  );
  const fault = (field: string, value: number, why: string): readonly FieldError[] => [
    fieldErrors.invalid(`${path}.${field}`, value, why),
  ];
  const entropy = entropyBits(queues, hand);
  const queueErrors =
    queues <= 0
      ? fault('queues', queues, 'must be positive')
      : queues > mostQueues
        ? fault('queues', queues, `must not be greater than ${mostQueues}`)
        : [];
  const handErrors =
    hand <= 0
      ? fault('handSize', hand, 'must be positive')
      : hand > queues
        ? fault('handSize', hand, `should not be greater than queues (${queues})`)
        : entropy > mostEntropyBits
          ? fault(
              'handSize',
              hand,
              `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${mostEntropyBits}`,
            )
          : [];
  return [...(length > 0 ? [] : fault('queueLengthLimit', length, 'must be positive')), ...queueErrors, ...handErrors];
}

/** Returns the number of bits that a hash needs for one of all possible hands. */
function entropyBits(queues: number, hand: number): number {
  return Math.ceil(Math.log2(queues) * hand);
}

function shareErrors(part: JsonDraft, path: string): readonly FieldError[] {
  const errors: FieldError[] = [];
  const shares = numberAt(part, 'nominalConcurrencyShares') ?? 0;
  if (shares < 0) {
    errors.push(fieldErrors.invalid(`${path}.nominalConcurrencyShares`, shares, 'must be a non-negative integer'));
  }
  const lent = numberAt(part, 'lendablePercent') ?? 0;
  if (lent < 0 || lent > 100) {
    errors.push(fieldErrors.invalid(`${path}.lendablePercent`, lent, 'must be between 0 and 100, inclusive'));
  }
  return errors;
}

function limitedErrors(limited: JsonDraft, path: string): readonly FieldError[] {
  const [shares, lent] = [
    shareErrors({ nominalConcurrencyShares: limited['nominalConcurrencyShares'] }, path),
    shareErrors({ lendablePercent: limited['lendablePercent'] }, path),
  ];
  const errors = [...shares, ...responseErrors(objectAt(limited, 'limitResponse'), `${path}.limitResponse`), ...lent];
  const borrowed = numberAt(limited, 'borrowingLimitPercent') ?? 0;
  if (borrowed >= 0) return errors;
  const why = 'if specified, must be a non-negative integer';
  return [...errors, fieldErrors.invalid(`${path}.borrowingLimitPercent`, borrowed, why)];
}

function responseErrors(response: JsonDraft, path: string): readonly FieldError[] {
  const type = stringAt(response, 'type');
  const { queuing } = response;
  if (type === '') return [fieldErrors.required(`${path}.type`)];
  if (!responses.includes(type)) return [fieldErrors.notSupported(`${path}.type`, type, responses)];
  if (type === 'Reject') {
    if (queuing === undefined) return [];
    return [fieldErrors.forbidden(`${path}.queuing`, 'must be nil if limited.limitResponse.type is not Limited')];
  }
  if (!isObject(queuing)) {
    return [fieldErrors.required(`${path}.queuing`, 'must not be empty if limited.limitResponse.type is Limited')];
  }
  return queuingErrors(queuing, `${path}.queuing`);
}
