import { readFileSync, writeFileSync } from 'node:fs';
import { comparisonTable, PAGE, pageWith, readCounted } from './comparison.js';
import { countProject } from './counted-project.js';
import { kubewrightCounting, kubewrightProject } from './kubewright-project.js';

/** Counts the Kubewright project, writes the counts into the page, and returns the table. */
export async function renewPage(): Promise<string> {
  const { scaffold, finished } = await kubewrightProject(() => Promise.resolve());
  const ours = countProject(scaffold, finished, kubewrightCounting);
  const counted = readCounted();
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), counted, ours));
  return comparisonTable(counted, ours);
}
