import { type HistoryReport, runHistory } from './run-history.js';

/** Most of a history is spent waiting for lagging watches, so several run at the same time. */
const AT_A_TIME = 4;

/** Runs the histories of the seeds, several at a time, and calls `onReport` with each report as it comes. */
export async function runHistories(
  seeds: readonly number[],
  onReport: (report: HistoryReport) => void = () => undefined,
): Promise<readonly HistoryReport[]> {
  const left = [...seeds];
  const reports: HistoryReport[] = [];
  const work = async (): Promise<void> => {
    for (let seed = left.shift(); seed !== undefined; seed = left.shift()) {
      const report = await runHistory(seed);
      reports.push(report);
      onReport(report);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return reports;
}
