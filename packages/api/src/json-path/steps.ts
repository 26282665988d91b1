import { isJsonObject } from '../json/json-object.js';
/** One step of a path. Returns the values that the step selects from each given value. */
export type Step = (values: readonly unknown[]) => readonly unknown[];

/** Selects the field with the given name from each object. */
export function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));
}

/** Selects every field of objects and every item of lists. */
export const wildcard: Step = (values) => values.flatMap(childrenOf);

/** Selects the values themselves and all values below them. */
export const descend: Step = (values) => values.flatMap(selfAndBelow);

/** Selects one item of a list. A negative index counts from the end. */
export function item(index: number): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) return [];
      const at = index < 0 ? value.length + index : index;
      return at in value ? [value[at]] : [];
    });
}

/** Selects every `step`th item from `start` up to, but not including, `end`. */
export function slice(start: number | undefined, end: number | undefined, step: number): Step {
  return (values) =>
    values.flatMap((value) =>
      Array.isArray(value) ? value.slice(start, end).filter((_item, index) => index % step === 0) : [],
    );
}

/** Selects the list items that a filter accepts. */
export function filter(accepts: (item: unknown) => boolean): Step {
  return (values) => values.flatMap((value) => (Array.isArray(value) ? value.filter(accepts) : []));
}

/** Selects the values of all given steps, in the order of the steps. */
export function union(steps: readonly Step[]): Step {
  return (values) => steps.flatMap((step) => step(values));
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isJsonObject(value) ? Object.values(value) : [];
}
function selfAndBelow(value: unknown): readonly unknown[] {
  return [value, ...childrenOf(value).flatMap(selfAndBelow)];
}
