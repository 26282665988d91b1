/** Calls back at the first of the signals; the second one does what it does without us. Returns what ends it. */
export function onStopSignal(signals: readonly NodeJS.Signals[], stop: (signal: NodeJS.Signals) => void): () => void {
  const end = (): void => {
    for (const signal of signals) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    end();
    stop(signal);
  };
  for (const signal of signals) process.on(signal, onSignal);
  return end;
}
