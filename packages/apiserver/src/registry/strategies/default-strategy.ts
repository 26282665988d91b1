import { age } from '../age.js';
import type { ApiObject } from '../json-object.js';
import { valueAt } from '../json-object.js';
import type { Strategy } from '../strategy.js';

/** The strategy of a kind that has no rules of its own, with the given ones in place of its own. */
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

/** The value at a dotted path as field selectors see it: text, '' when unset. */
export function fieldText(object: ApiObject, field: string): string {
  const value = valueAt(object, ...field.split('.'));
  return value === undefined || value === null ? '' : String(value);
}

function nameAndAge(object: ApiObject, now: Date): readonly unknown[] {
  return [object.metadata.name, age(object.metadata.creationTimestamp, now)];
}

function nothing(): void {
  // The kind leaves the object as it is.
}

function noErrors(): readonly [] {
  return [];
}
