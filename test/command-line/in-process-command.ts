import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { CommandContext, runCommandLine, type CommandEnvironment } from '@kubewright/cli';
import type { CommandProcess } from './running-command.js';

/** A command that runs in this process and that can be stopped like a process. */
export class InProcessCommand extends EventEmitter implements CommandProcess {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly #stopping = new AbortController();

  constructor(args: readonly string[], environment: Pick<CommandEnvironment, 'cwd' | 'env'>) {
    super();
    const { stdout, stderr } = this;
    const { signal } = this.#stopping;
    void this.#run(args, new CommandContext({ ...environment, stdout, stderr, signal }));
  }

  /** Stops the command as SIGINT and SIGTERM stop a process. */
  kill(): boolean {
    this.#stopping.abort();
    return true;
  }

  async #run(args: readonly string[], context: CommandContext): Promise<void> {
    const code = await runCommandLine(args, context);
    const ended = [this.stdout, this.stderr].map(
      (stream) => new Promise<void>((resolve) => void stream.once('close', resolve).end()),
    );
    await Promise.all(ended);
    this.emit('close', code);
  }
}
