/**
 * Appends the items of each list to a target, in the order of the lists. Takes linear time and accepts lists of any length.
 * `target.push(...list)` passes each item as an argument and overflows the stack at about 120,000 items. The target must not be one of the
 * lists.
 *
 * @example
 * append(errors, nameErrors(name), items.flatMap(itemErrors));
 */
export function append<T>(target: T[], ...lists: readonly Iterable<NoInfer<T>>[]): void {
  for (const list of lists) for (const item of list) target.push(item);
}
