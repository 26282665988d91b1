import type { Steps } from '@kubewright/api/apply';
import { InvalidJsonError, parseJson } from '@kubewright/api/json';
import { mostValues, tooManyValues } from '../../storage/value-limit.js';
import { jsonFaultSteps, tooDeep } from '../../registry/objects/json-fault.js';
import { scanJson } from './json-scan.js';

/** The errors for texts that the server refuses. */
interface Refusals {
  /** Returns the error for a text that is not JSON, or is nested too deeply. */
  readonly malformed: (why: string) => Error;
  /** Returns the error for a text with a number that a double cannot represent. */
  readonly hugeNumber: (number: string) => Error;
}

/** Reads a JSON body in steps. Throws 413 for valid JSON with too many values, and an error of `refusals` for other refused texts. */
export function* readJson(body: Uint8Array, refusals: Refusals): Steps<unknown> {
  const text = textOf(body);
  const { values, isTooDeep, hugeNumber } = scanJson(body, mostValues);
  yield;
  if (values > mostValues || isTooDeep || hugeNumber !== undefined) {
    // The scan does not validate the text, so a syntax error has precedence over the results of the scan.
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

/** Decodes a body as UTF-8. */
export function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
}

/** Returns the reason for refusing a JSON body with a number that a double cannot represent. */
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
