import { childrenOf, type Expression } from './expression.js';

/** Whether an expression is nested deeper than the given number of levels. Does not recurse. */
export function isDeeperThan(root: Expression, levels: number): boolean {
  let level: readonly Expression[] = [root];
  for (let depth = 0; depth < levels; depth++) {
    level = level.flatMap(childrenOf);
    if (level.length === 0) return false;
  }
  return true;
}
