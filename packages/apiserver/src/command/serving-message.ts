import type { CommandLine } from './command-line.js';

/** What the thread that serves reports. */
export type ServingMessage =
  | { readonly type: 'warning'; readonly text: string }
  | { readonly type: 'ready'; readonly line: string; readonly kubeconfig: string }
  | { readonly type: 'failed'; readonly reason: string };

/** The data that the thread starts with. Any message to the thread stops the server. */
export type ServingData = CommandLine;
