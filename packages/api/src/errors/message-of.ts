/**
 * Returns the message of an error, or the string form of any other thrown value. For an AggregateError without a message, joins the
 * messages of its errors.
 */
export function messageOf(thrown: unknown): string {
  if (thrown instanceof AggregateError && thrown.message === '') return thrown.errors.map(messageOf).join(', ');
  return thrown instanceof Error ? thrown.message : String(thrown);
}
