import type { ResolveHook } from 'node:module';

/** The data of the resolve hook. */
export interface OwnCopies {
  /** The URL of the folder of this package. */
  readonly from: string;
  /** The URL of a module of the project. */
  readonly project: string;
}

/** Packages that a process must load from only one copy. */
const SINGLE = /^(@kubewright\/(?!cli)|(reflect-metadata|tsyringe)$)/;

let copies: OwnCopies | undefined;

/** Stores the data of the resolve hook. Node.js calls this function before the first resolution. */
export function initialize(data: OwnCopies): void {
  copies = data;
}
/** Resolves imports of other Kubewright packages in this package to the copies of the project. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isOurs = copies !== undefined && context.parentURL?.startsWith(copies.from) === true;
  return isOurs && SINGLE.test(specifier)
    ? next(specifier, { ...context, parentURL: copies?.project })
    : next(specifier, context);
};
