import { valueText } from './value-text.js';

/**
 * Returns the message of an error, also if the error is from another realm. For an AggregateError without a message, joins the messages of
 * its errors. Returns a thrown string unchanged, and a description of any other thrown value; see `valueText`.
 */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join(', ');
  const { message } = (thrown ?? {}) as { readonly message?: unknown };
  if (typeof message === 'string') return message;
  return typeof thrown === 'string' ? thrown : valueText(thrown);
}
