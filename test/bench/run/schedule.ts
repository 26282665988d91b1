import type { Cell } from '../cells.js';
import type { Program } from '../report/report.js';

/** One measurement: a program, a cell and the number of the run. */
export interface Step {
  readonly cell: Cell;
  readonly program: Program;
  readonly run: number;
}

/**
 * Returns the measurements in order. Each run measures each cell with all programs one after the other, so that changes in the load of the
 * machine affect all programs. Every second run has the programs in reverse order, because the second program can profit from a warm file
 * cache or suffer from the garbage of the first.
 */
export function schedule(cells: readonly Cell[], programs: readonly Program[], runs: number): readonly Step[] {
  return Array.from({ length: runs }, (_, run) => run).flatMap((run) => {
    const ordered = run % 2 === 0 ? programs : programs.toReversed();
    return cells
      .filter(({ once = false }) => !once || run === 0)
      .flatMap((cell) =>
        ordered.filter((program) => program !== 'go' || cell.inGo).map((program) => ({ cell, program, run })),
      );
  });
}
