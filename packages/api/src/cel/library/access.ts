import { CelError } from '../values/cel-error.js';
import { CelList, CelMap, CelOptional, CelUint, type CelValue, isOpaque } from '../values/cel-value.js';
import { runtimeTypeName } from '../values/runtime-type.js';

/**
 * Evaluates `operand.field` and `operand[key]`. Returns an optional if the operand is an optional. Otherwise, returns an error if the key
 * does not exist or is not valid.
 */
export function access(operand: CelValue, key: CelValue): CelValue {
  if (operand instanceof CelOptional) return optionalAccess(operand, key);
  if (operand instanceof CelError) return operand;
  const found = lookUp(operand, key);
  if (found !== undefined) return found;
  const problem = operand instanceof CelList ? 'index out of bounds' : 'no such key';
  return new CelError(`${problem}: ${keyText(key)}`);
}

/**
 * Evaluates `operand.?field` and `operand[?key]`. Returns an optional without a value if the key does not exist, and an error if the key is
 * not valid.
 */
export function optionalAccess(operand: CelValue, key: CelValue): CelValue {
  if (operand instanceof CelError) return operand;
  const within = operand instanceof CelOptional ? operand.value : operand;
  const found = within === undefined ? undefined : lookUp(within, key);
  return found instanceof CelError ? found : new CelOptional(found);
}

/** Evaluates `has(operand.field)`. */
export function isPresent(operand: CelValue, field: string): CelValue {
  if (operand instanceof CelError) return operand;
  const within = operand instanceof CelOptional ? operand.value : operand;
  if (within === undefined) return false;
  if (within !== null && isOpaque(within)) return within.hasField?.(field) ?? false;
  const found = lookUp(within, field);
  return found instanceof CelError ? found : found !== undefined;
}

function lookUp(operand: CelValue, key: CelValue): CelValue | undefined {
  if (operand instanceof CelMap) return operand.find(key);
  if (isOpaque(operand)) return typeof key === 'string' ? operand.field?.(key) : undefined;
  if (!(operand instanceof CelList)) return undefined;
  const index = indexOf(key);
  if (index instanceof CelError) return index;
  if (index < 0 || index >= operand.size) return undefined;
  if (operand.onlyInts && typeof key !== 'bigint') return new CelError(`unsupported index: ${keyText(key)}`);
  return operand.at(index);
}

function indexOf(key: CelValue): number | CelError {
  if (typeof key === 'bigint') return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (typeof key !== 'number') return new CelError(`unsupported index type '${runtimeTypeName(key)}' in list`);
  return Number.isInteger(key) ? key : new CelError(`unsupported index value ${key} in list`);
}

function keyText(key: CelValue): string {
  return key instanceof CelUint ? key.value.toString() : String(key);
}
