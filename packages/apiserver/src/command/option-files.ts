import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { checkRules } from '../controllers/simulation/check-behaviour.js';
import { type Nodes, resolveNodes } from '../controllers/simulation/node-declaration.js';
import type { PodRule } from '../controllers/simulation/pod-behaviour.js';

/** The values of the options `--nodes` and `--pod-behaviours`. */
export interface OptionTexts {
  /** The number of nodes, or the path of a file. */
  readonly nodes?: string;
  /** The path of a file. */
  readonly podBehaviours?: string;
}

/** The parsed values of the options `--nodes` and `--pod-behaviours`. */
export interface OptionFiles {
  readonly nodes?: Nodes;
  readonly podBehaviours?: readonly PodRule[];
}

/** The command that has the options. */
export interface OptionCommand {
  /** The folder of relative paths. @default the current folder of the process */
  readonly cwd?: string;
  /** The command that explains the options. @default kubewright-apiserver --help */
  readonly help?: string;
}

/** Reads and checks the values of `--nodes` and `--pod-behaviours`. Rejects with INVALID_USAGE for a value or a file that is not valid. */
export async function readOptionFiles(
  { nodes, podBehaviours }: OptionTexts,
  command: OptionCommand = {},
): Promise<OptionFiles> {
  const read = reader(command);
  const given = nodes !== undefined && /^\d+$/.test(nodes) ? Number(nodes) : undefined;
  return {
    ...(nodes && { nodes: await read<Nodes>('--nodes', nodes, { check: resolveNodes, given }) }),
    ...(podBehaviours && {
      podBehaviours: await read<readonly PodRule[]>('--pod-behaviours', podBehaviours, { check: checkRules }),
    }),
  };
}

interface Checked<T> {
  readonly check: (value: T, path: string) => unknown;
  /** The value, if the text of the option is not the path of a file. */
  readonly given?: T | undefined;
}

/** Returns a function that checks and returns the value of an option: `given`, or the content of a YAML file. */
function reader({ cwd = '.', help = 'kubewright-apiserver --help' }: OptionCommand) {
  return async <T>(flag: string, path: string, { check, given }: Checked<T>): Promise<T> => {
    try {
      const value = given ?? ((await import('yaml')).parse(await readFile(resolve(cwd, path), 'utf8')) as T);
      check(value, flag);
      return value;
    } catch (cause) {
      const problem = messageOf(cause).split('\n', 1)[0] ?? '';
      const message = `${flag} ${path} is not valid: ${problem}; see ${help}`;
      throw new KubewrightError('INVALID_USAGE', message, { cause });
    }
  };
}
