import { Correlation } from './correlation.js';
import type { FieldError } from './field-error.js';
import type { Findings } from './findings.js';
import { isJsonMap } from './json-shape.js';

/** The errors of a changed object that its change is to blame for: those of places that are as they were are left out. */
export function ratchet(findings: Findings, root: Correlation): readonly FieldError[] {
  return findings.errors.filter((error) => !isUnchanged(findings.placeOf(error), root));
}

/** Whether the place, or one that it is within, is as it was. What an object is cannot be changed by its owner. */
function isUnchanged(field: string, root: Correlation): boolean {
  let place: Correlation | undefined = root;
  let rest = field;
  while (place !== undefined) {
    if (place.unchanged) return true;
    const step: Step | undefined = nextStep(place, rest, place === root);
    if (step === undefined) return false;
    place = typeof step.key === 'number' ? place.index(step.key) : place.key(step.key);
    rest = step.rest;
  }
  return false;
}

interface Step {
  readonly key: string | number;
  readonly rest: string;
}

function nextStep({ value }: Correlation, path: string, root: boolean): Step | undefined {
  if (Array.isArray(value)) {
    const found = /^\[(\d+)\](.*)$/s.exec(path);
    return found === null ? undefined : { key: Number(found[1]), rest: found[2] ?? '' };
  }
  if (!isJsonMap(value)) return undefined;
  // A key may contain what separates keys: the longest that fits is meant.
  const keys = Object.keys(value).toSorted((a, b) => b.length - a.length);
  for (const key of keys) {
    if (root && (key === 'apiVersion' || key === 'kind')) continue;
    for (const written of [root ? key : `.${key}`, `[${key}]`]) {
      const rest = path.slice(written.length);
      if (path.startsWith(written) && (rest === '' || /^[.[]/.test(rest))) return { key, rest };
    }
  }
  return undefined;
}
