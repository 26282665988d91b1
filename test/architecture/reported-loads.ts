// Hooks of a module loader that report the URL of every module before it is loaded.
import type { LoadHook } from 'node:module';
import type { MessagePort } from 'node:worker_threads';

let reports: MessagePort | undefined;

export function initialize({ port }: { readonly port: MessagePort }): void {
  reports = port;
}

export const load: LoadHook = (url, context, next) => {
  reports?.postMessage(url, []);
  return next(url, context);
};
