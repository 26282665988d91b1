import type { Metrics } from '../metrics/metrics.js';
import { parseMetrics } from '../metrics/parse-metrics.js';

/** Returns the value of one series. All labels of the series must be given. Returns undefined if the series does not exist. */
export async function metricValue(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): Promise<number | undefined> {
  const expected = Object.entries(labels);
  const samples = [...parseMetrics(await metrics.text()).values()].flatMap((family) => family.samples);
  return samples.find(
    (sample) =>
      sample.name === name &&
      Object.keys(sample.labels).length === expected.length &&
      expected.every(([label, value]) => sample.labels[label] === value),
  )?.value;
}
