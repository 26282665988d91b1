/** An object or a draft with a list of finalizers. */
interface HasFinalizers {
  readonly metadata: { readonly finalizers?: readonly string[] | undefined };
}
/** A draft with a mutable list of finalizers. */
interface DraftWithFinalizers {
  readonly metadata: { finalizers: string[] };
}

/**
 * Whether an object has the given finalizer.
 * @example if (hasFinalizer(vm, 'cloud.example.com/disks')) …
 */
export function hasFinalizer({ metadata }: HasFinalizers, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Adds a finalizer to the end of the list of a draft. Returns false if the draft already has the finalizer. For the finalizer of a
 * controller, use `finalize` or `Finalizers`, which add the finalizer themselves.
 * @example await client.patch(vm, (draft) => void addFinalizer(draft, 'cloud.example.com/disks'));
 */
export function addFinalizer(draft: DraftWithFinalizers, finalizer: string): boolean {
  if (hasFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers.push(finalizer);
  return true;
}

/**
 * Removes all occurrences of a finalizer from a draft. Returns whether the draft had the finalizer.
 * @example await client.patch(vm, (draft) => void removeFinalizer(draft, 'cloud.example.com/disks'));
 */
export function removeFinalizer(draft: DraftWithFinalizers, finalizer: string): boolean {
  if (!hasFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers = draft.metadata.finalizers.filter((one) => one !== finalizer);
  return true;
}
