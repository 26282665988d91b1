import { parseWriteName, type WriteName, writeNameText } from '@kubewright/testing';

/** A write at which an operator crashes, and whether the server executes the write. */
export type CrashPoint = {
  /** Whether the server executes the write before the crash. */
  readonly done: boolean;
} & ({ readonly write: WriteName } | { readonly atWrite: number });

/** Returns the text of a crash, such as 'after patch Database/default/db status.phase #2'. */
export function crashText(done: boolean, write: WriteName): string {
  return `${done ? 'after' : 'before'} ${writeNameText(write)}`;
}

/** Parses the text of `crashText`. Throws INVALID_OPTION if the text is not valid. */
export function parseCrash(text: string): CrashPoint {
  const [when, ...write] = text.split(' ');
  // An invalid first word leaves a text that is not a valid name of a write.
  const name = when === 'after' || when === 'before' ? write.join(' ') : text;
  return { done: when === 'after', write: parseWriteName(name) };
}
