import { type HistoryReport, runHistory } from './run-history.js';

/** Number of concurrent histories. A history spends most of its time waiting for lagging watches. */
const AT_A_TIME = 4;

/** Runs the histories of the seeds concurrently, and calls `onReport` with each report as soon as it is available. */
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
