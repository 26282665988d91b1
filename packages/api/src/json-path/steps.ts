import { isJsonObject } from '../json/json-object.js';
/** One step of a path: what it selects from each value that the steps before it selected. */
export type Step = (values: readonly unknown[]) => readonly unknown[];

/** The field of that name, of objects. */
export function field(name: string): Step {
  return (values) =>
    values.flatMap((value) => (isJsonObject(value) && Object.hasOwn(value, name) ? [value[name]] : []));
}

/** Every field of objects and every item of lists. */
export const wildcard: Step = (values) => values.flatMap(childrenOf);

/** The values themselves and everything below them. */
export const descend: Step = (values) => values.flatMap(selfAndBelow);

/** One item of a list; a negative index counts from the end. */
export function item(index: number): Step {
  return (values) =>
    values.flatMap((value) => {
      if (!Array.isArray(value)) return [];
      const at = index < 0 ? value.length + index : index;
      return at in value ? [value[at]] : [];
    });
}

/** The items from `start` up to and without `end`, each `step`th. */
export function slice(start: number | undefined, end: number | undefined, step: number): Step {
  return (values) =>
    values.flatMap((value) =>
      Array.isArray(value) ? value.slice(start, end).filter((_item, index) => index % step === 0) : [],
    );
}

/** The items of lists that a filter lets through. */
export function filter(accepts: (item: unknown) => boolean): Step {
  return (values) => values.flatMap((value) => (Array.isArray(value) ? value.filter(accepts) : []));
}

/** What any of the steps selects, in their order. */
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
