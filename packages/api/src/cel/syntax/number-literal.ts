import type { TokenKind } from './lexer.js';
import { CelUint } from '../values/cel-value.js';

/** Returns the value of a number literal with its sign. Returns an error message as a string if the literal is not valid. */
export function parseNumber(kind: TokenKind, text: string): bigint | number | CelUint | string {
  if (kind === 'NUM_FLOAT') return Number.isFinite(Number(text)) ? Number(text) : 'invalid double literal';
  const negative = text.startsWith('-');
  const digits = text.replace(/^-/, '').replace(/[uU]$/, '');
  const magnitude = BigInt(digits);
  if (kind === 'NUM_UINT') {
    return magnitude > 0xffff_ffff_ffff_ffffn ? 'invalid uint literal' : new CelUint(magnitude);
  }
  const value = negative ? -magnitude : magnitude;
  return BigInt.asIntN(64, value) === value ? value : 'invalid int literal';
}
