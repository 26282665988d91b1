/** Keeps the event loop busy for so many milliseconds, so that whatever comes meanwhile has to wait. */
export function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}
