/** Blocks the event loop for the given number of milliseconds. */
export function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
