import type { Surroundings } from '../command/surroundings.js';

/** What is said of a step. */
export interface ProgressTexts {
  readonly doing: string;
  readonly done: string;
}

/** Does a step, and shows at a terminal that it is being done. Elsewhere a line tells that it began, and one that it is done. */
export async function withProgress(
  step: () => Promise<void>,
  { doing, done }: ProgressTexts,
  surroundings: Surroundings,
): Promise<void> {
  if (!surroundings.interactive) {
    surroundings.line(`${doing} …`);
    await step();
    surroundings.line(done);
    return;
  }
  const { spinner } = await import('@clack/prompts');
  const shown = spinner({ indicator: 'timer', ...(surroundings.stdout && { output: surroundings.stdout }) });
  shown.start(doing);
  try {
    await step();
  } catch (error) {
    shown.error(`${doing}: failed`);
    throw error;
  }
  shown.stop(done);
}
