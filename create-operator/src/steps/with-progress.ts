import type { Environment } from '../command/environment.js';

/** The texts that describe a step. */
export interface ProgressTexts {
  readonly doing: string;
  readonly done: string;
}

const FRAMES = ['◒', '◐', '◓', '◑'];
const FRAME_MS = 120;
const CLEAR_LINE = '\r\u001b[K';

/**
 * Runs a step, and prints a line after the step has succeeded. While the step runs, displays the step with its duration at a terminal.
 * Elsewhere, prints a line when the step begins. Does not read keys, so that Ctrl-C also reaches the program that performs the step.
 */
export async function withProgress(
  step: () => Promise<void>,
  { doing, done }: ProgressTexts,
  { interactive, line, stdout = process.stdout }: Environment,
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
