/**
 * Returns texts as one list for a message, such as 'a, b, and 3 more'. The list contains the first `most` texts, and the number of the
 * other texts.
 */
export function shownList(texts: readonly string[], { most }: { readonly most: number }): string {
  const more = texts.length - most;
  return [...texts.slice(0, most), ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}
