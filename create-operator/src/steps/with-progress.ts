import type { Surroundings } from '../command/surroundings.js';

/** What is said of a step. */
export interface ProgressTexts {
  readonly doing: string;
  readonly done: string;
}

const FRAMES = ['◒', '◐', '◓', '◑'];
const FRAME_MS = 120;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Does a step, and shows at a terminal that it is being done and for how long. Elsewhere a line tells that it began, and one that it
 * is done. Keys stay with the terminal, so that Ctrl-C reaches the program that does the step as well.
 */
export async function withProgress(
  step: () => Promise<void>,
  { doing, done }: ProgressTexts,
  { interactive, line, stdout = process.stdout }: Surroundings,
): Promise<void> {
  if (!interactive) line(`${doing} …`);
  const start = performance.now();
  let frame = 0;
  const draw = () => {
    const seconds = Math.floor((performance.now() - start) / 1000);
    stdout.write(`${CLEAR_LINE}${FRAMES[frame++ % FRAMES.length]} ${doing} … ${seconds} s`);
  };
  const timer = interactive ? setInterval(draw, FRAME_MS) : undefined;
  try {
    await step();
  } finally {
    clearInterval(timer);
    if (interactive) stdout.write(CLEAR_LINE);
  }
  line(done);
}
