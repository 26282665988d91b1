import { readFileSync } from 'node:fs';
import { resolveKubernetesVersion } from '@kubewright/api/kubernetes-version';
import { type CommandLine, helpText, readCommandLine } from './command-line.js';
import { ServingThread } from './serving-thread.js';

const say = (sentence: string): void => void process.stderr.write(`kubewright-apiserver: ${sentence}\n`);

/** Serves until a signal arrives. Resolves with the exit code. */
async function serve(line: CommandLine): Promise<number> {
  // Only these two options need the module. It loads further modules, so the import is delayed.
  const hasFiles = line.nodes !== undefined || line.podBehaviours !== undefined;
  const files = hasFiles ? await (await import('./option-files.js')).readOptionFiles(line) : {};
  const onKubeconfig = (text: string): void => {
    if (line.printKubeconfig) process.stdout.write(text);
  };
  const thread = new ServingThread({ line, files }, { say, onKubeconfig });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void thread.stop());
  return await thread.ended;
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
    return code === 'INVALID_USAGE' ? 2 : 1;
  }
}

function versionText(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return `kubewright-apiserver ${version}, Kubernetes API ${resolveKubernetesVersion().gitVersion}\n`;
}

process.exitCode = await run(process.argv.slice(2));
