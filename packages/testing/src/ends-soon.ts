/** The real time in milliseconds in which work that does not depend on a fake clock can end. */
const STANDSTILL_MS = 50;

/**
 * Returns whether the work ends soon, with a result or an error: in this turn of the event loop if `isQuiet` is true, because then only the
 * clock can end the work, and otherwise within `STANDSTILL_MS`.
 */
export async function endsSoon(work: Promise<unknown>, isQuiet = false): Promise<boolean> {
  let cancel: () => void = () => undefined;
  const late = new Promise<boolean>((resolve) => {
    if (isQuiet) return void setImmediate(resolve, false);
    const timer = setTimeout(() => resolve(false), STANDSTILL_MS);
    cancel = () => clearTimeout(timer);
  });
  const ended = work.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, late]);
  } finally {
    cancel();
  }
}
