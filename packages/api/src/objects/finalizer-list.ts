/** What has a list of finalizers: an object, or a draft of one. */
interface HasFinalizers {
  readonly metadata: { readonly finalizers?: readonly string[] | undefined };
}
/** A draft, whose list may be changed. */
interface DraftWithFinalizers {
  readonly metadata: { finalizers: string[] };
}

/**
 * Whether something is to be done before the object may go.
 *
 * @example if (hasFinalizer(vm, 'cloud.example.com/disks')) …
 */
export function hasFinalizer({ metadata }: HasFinalizers, finalizer: string): boolean {
  return metadata.finalizers?.includes(finalizer) ?? false;
}

/**
 * Adds a finalizer to a draft, at the end. Returns whether it was not there before. For a finalizer of a controller's own there are
 * `finalize` and `Finalizers`, which bring theirs.
 *
 * @example await client.patch(vm, (draft) => void addFinalizer(draft, 'cloud.example.com/disks'));
 */
export function addFinalizer(draft: DraftWithFinalizers, finalizer: string): boolean {
  if (hasFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers.push(finalizer);
  return true;
}

/**
 * Removes a finalizer from a draft, however often it is in the list. Returns whether it was there.
 *
 * @example await client.patch(vm, (draft) => void removeFinalizer(draft, 'cloud.example.com/disks'));
 */
export function removeFinalizer(draft: DraftWithFinalizers, finalizer: string): boolean {
  if (!hasFinalizer(draft, finalizer)) return false;
  draft.metadata.finalizers = draft.metadata.finalizers.filter((one) => one !== finalizer);
  return true;
}
