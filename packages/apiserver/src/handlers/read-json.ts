import type { Steps } from '@kubewright/api/apply';
import { InvalidJsonError, parseJson } from '@kubewright/api/json';
import { mostValues, tooManyValues } from '../storage/value-limit.js';
import { jsonFaultSteps, tooDeep } from './json-fault.js';
import { scanJson } from './json-scan.js';

/** The errors for texts that the server does not read. */
interface Refusals {
  /** Returns the error for a text that is not JSON, or is nested too deeply. */
  readonly malformed: (why: string) => Error;
  /** Returns the error for a text with a number that a double cannot hold. */
  readonly hugeNumber: (number: string) => Error;
}

/** Reads a body in JSON, in steps. Throws 413 for valid JSON with more values than the limit, and what `refusals` return. */
export function* readJson(body: Uint8Array, refusals: Refusals): Steps<unknown> {
  const text = textOf(body);
  const { values, isTooDeep, hugeNumber } = scanJson(body, mostValues);
  yield;
  if (values > mostValues || isTooDeep || hugeNumber !== undefined) {
    // The scan does not judge the text. A text that is not JSON is refused as such.
    const fault = yield* jsonFaultSteps(text);
    if (fault !== undefined) throw refusals.malformed(fault);
    if (values > mostValues) throw tooManyValues();
    throw hugeNumber === undefined || isTooDeep ? refusals.malformed(tooDeep) : refusals.hugeNumber(hugeNumber);
  }
  const value = parsed(text);
  yield;
  if (value instanceof InvalidJsonError) throw refusals.malformed((yield* jsonFaultSteps(text)) ?? value.message);
  return value;
}

/** The text of a body in UTF-8. */
export function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

/** The reason why a JSON body with a number that no double can hold is refused. */
export function cannotHold(number: string): string {
  return `json: cannot unmarshal number ${number} into Go value of type float64`;
}

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof InvalidJsonError) return error;
    throw error;
  }
}
