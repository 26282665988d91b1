import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { serverVersion } from '../handlers/discovery/server-version.js';
import { type CommandLine, helpText, readCommandLine } from './command-line.js';

const say = (sentence: string): void => void process.stderr.write(`kubewright-apiserver: ${sentence}\n`);

/** Serves until a signal comes. Resolves to the exit code. */
async function serve(line: CommandLine): Promise<number> {
  const stopped = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  // What is read and thrown away while a server starts would make the young generation grow by what is never needed again.
  setFlagsFromString('--semi-space-growth-factor=1');
  // Not before it is needed: help and refusals come at once. Hundreds of files are loaded a third faster one after the other.
  const { StandAlone } = createRequire(import.meta.url)('./stand-alone.js') as typeof import('./stand-alone.js');
  const server = await StandAlone.start(line, say);
  setFlagsFromString('--semi-space-growth-factor=2');
  if (line.printKubeconfig) process.stdout.write(server.kubeconfigText);
  say(server.ready);
  await stopped;
  await server.stop();
  return 0;
}

async function run(args: readonly string[]): Promise<number> {
  try {
    const line = readCommandLine(args);
    if (line === 'help') process.stdout.write(helpText);
    else if (line === 'version') process.stdout.write(versionText());
    else return await serve(line);
    return 0;
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    say(message);
    return code === 'WRONG_USAGE' ? 2 : 1;
  }
}

function versionText(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return `kubewright-apiserver ${version}, Kubernetes API ${serverVersion.gitVersion}\n`;
}

process.exitCode = await run(process.argv.slice(2));
