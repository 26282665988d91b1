import { CelError } from '../values/cel-error.js';
import { CelOptional, type CelValue } from '../values/cel-value.js';
import type { Frame, Plan } from './frame.js';
import { ListValue } from '../values/list-value.js';
import { MapValue } from '../values/map-value.js';

const LIST_COST = 10;
const MAP_COST = 30;
const STRUCT_COST = 40;

/** Compiles a list. A list of constants is a constant. */
export function planList(elements: readonly Plan[], optional: readonly boolean[]): Plan {
  const constants = elements.map((element) => element.constant);
  if (constants.every(isKnown) && !optional.includes(true)) {
    const value = new ListValue(constants);
    return { run: () => value, constant: value };
  }
  return {
    run: (frame) => {
      const values: CelValue[] = [];
      for (const [index, element] of elements.entries()) {
        const value = element.run(frame);
        if (value instanceof CelError) return value;
        if (optional[index] !== true) values.push(value);
        else if (!(value instanceof CelOptional)) return notOptional('list element', value);
        else if (value.value !== undefined) values.push(value.value);
      }
      frame.charge(LIST_COST);
      if (frame.isBrief) frame.announce(elements.length);
      return new ListValue(values);
    },
  };
}

function isKnown(value: CelValue | undefined): value is CelValue {
  return value !== undefined;
}

function notOptional(what: string, value: CelValue): CelError {
  return new CelError(`cannot initialize optional ${what} from non-optional value ${String(value)}`);
}

interface PlannedEntry {
  readonly key: Plan;
  readonly value: Plan;
  readonly optional: boolean;
}

/** Compiles a map. A map of constants is a constant. */
export function planMap(entries: readonly PlannedEntry[]): Plan {
  const constants: (readonly [CelValue, CelValue])[] = [];
  for (const { key, value, optional } of entries) {
    if (optional || key.constant === undefined || value.constant === undefined) break;
    constants.push([key.constant, value.constant]);
  }
  if (constants.length === entries.length) {
    const map = new MapValue(constants);
    return { run: () => map, constant: map };
  }
  return { run: (frame) => makeMap(frame, entries) };
}

function makeMap(frame: Frame, entries: readonly PlannedEntry[]): CelValue {
  const made: (readonly [CelValue, CelValue])[] = [];
  for (const entry of entries) {
    const key = entry.key.run(frame);
    if (key instanceof CelError) return key;
    const value = entry.value.run(frame);
    if (value instanceof CelError) return value;
    if (!entry.optional) made.push([key, value]);
    else if (!(value instanceof CelOptional)) return notOptional(`entry '${String(key)}'`, value);
    else if (value.value !== undefined) made.push([key, value.value]);
  }
  frame.charge(MAP_COST);
  if (frame.isBrief) frame.announce(entries.length);
  return new MapValue(made);
}

interface PlannedField extends Omit<PlannedEntry, 'key'> {
  readonly key: string;
}

/** Compiles an object literal. `construct` returns the object with the values of the fields. */
export function planStruct(
  entries: readonly PlannedField[],
  construct: (fields: ReadonlyMap<string, CelValue>) => CelValue,
): Plan {
  return {
    run: (frame) => {
      const fields = new Map<string, CelValue>();
      for (const entry of entries) {
        const value = entry.value.run(frame);
        if (value instanceof CelError) return value;
        if (!entry.optional) fields.set(entry.key, value);
        else if (!(value instanceof CelOptional)) return notOptional(`entry '${entry.key}'`, value);
        else if (value.value === undefined) fields.delete(entry.key);
        else fields.set(entry.key, value.value);
      }
      frame.charge(STRUCT_COST);
      if (frame.isBrief) frame.announce(entries.length);
      return construct(fields);
    },
  };
}
