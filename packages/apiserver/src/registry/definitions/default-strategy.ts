import { age } from '../objects/age.js';
import type { ApiObject } from '../objects/api-object.js';
import { valueAt } from '../objects/json-object.js';
import type { Strategy } from './strategy.js';

/** Returns the default strategy. The given members replace the default members. */
export function strategyOf(own: Partial<Strategy> = {}): Strategy {
  return {
    defaults: nothing,
    prepareForCreate: nothing,
    prepareForUpdate: nothing,
    prepareForStatusUpdate: nothing,
    validate: noErrors,
    validateUpdate: noErrors,
    validateStatusUpdate: noErrors,
    cells: nameAndAge,
    selectableFields: [],
    selectableField: fieldText,
    allowUnconditionalUpdate: true,
    allowCreateOnUpdate: false,
    resetsStatus: true,
    tracksGeneration: false,
    ...own,
  };
}

/** Returns the value at a dotted path as the text that field selectors compare. Returns '' if the value is unset. */
export function fieldText(object: ApiObject, field: string): string {
  const value = valueAt(object, ...field.split('.'));
  return value === undefined || value === null ? '' : String(value);
}

function nameAndAge(object: ApiObject, now: Date): readonly unknown[] {
  return [object.metadata.name, age(object.metadata.creationTimestamp, now)];
}

function nothing(): void {
  // By default, a kind does not change the object.
}

function noErrors(): readonly [] {
  return [];
}
