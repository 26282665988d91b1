import type { ResolveHook } from 'node:module';

/** Which modules find our packages where. */
export interface OwnCopies {
  /** URL of the folder of this package. */
  readonly from: string;
  /** URL of a module of the project. */
  readonly project: string;
}

/** Packages of which there may be only one copy in a process. */
const SINGLE = /^(@kubewright\/(?!cli)|(reflect-metadata|tsyringe)$)/;

let copies: OwnCopies | undefined;

/** Called by Node before anything is resolved. */
export function initialize(data: OwnCopies): void {
  copies = data;
}
/** Lets modules of this package import our other packages from where the project has them. */
export const resolve: ResolveHook = (specifier, context, next) => {
  const isOurs = copies !== undefined && context.parentURL?.startsWith(copies.from) === true;
  return isOurs && SINGLE.test(specifier)
    ? next(specifier, { ...context, parentURL: copies?.project })
    : next(specifier, context);
};
