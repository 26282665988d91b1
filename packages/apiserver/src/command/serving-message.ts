import type { CommandLine } from './command-line.js';
import type { OptionFiles } from './option-files.js';

/** A message from the serving thread to the main thread. */
export type ServingMessage =
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'ready'; readonly line: string; readonly kubeconfig: string }
  | { readonly type: 'failed'; readonly reason: string };

/** The initial data of the thread. Any message to the thread stops the server. */
export interface ServingData {
  readonly line: CommandLine;
  readonly files: OptionFiles;
}
