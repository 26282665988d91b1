import { childrenOf, type Expression } from './expression.js';

/** Whether expressions are nested deeper than so many levels. Does not recurse itself. */
export function isDeeperThan(root: Expression, levels: number): boolean {
  let level: readonly Expression[] = [root];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap(childrenOf);
    if (level.length === 0) return false;
  }
  return true;
}
