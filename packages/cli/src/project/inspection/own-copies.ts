import type { ResolveHook } from 'node:module';

/** The data of the module resolution hook. */
export interface OwnCopies {
  /** The URL of the folder of the CLI package. */
  readonly from: string;
  /** The URL of a module in the project, from which the packages of the project are resolved. */
  readonly project: string;
}

/** Matches packages with global state. A process must load only one copy of such a package. */
const SINGLE = /^(@kubewright\/(?!cli)|(reflect-metadata|tsyringe)$)/;

let copies: OwnCopies | undefined;

/** Receives the data of the module resolution hook from Node.js, before the first call of `resolve`. */
export function initialize(data: OwnCopies): void {
  copies = data;
}
/** Resolves imports in the CLI package to the packages of the project, so that the CLI and the program share their global state. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isOurs = copies !== undefined && context.parentURL?.startsWith(copies.from) === true;
  return isOurs && SINGLE.test(specifier)
    ? next(specifier, { ...context, parentURL: copies?.project })
    : next(specifier, context);
};
