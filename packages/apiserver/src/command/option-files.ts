import { readFile } from 'node:fs/promises';
import { KubewrightError, messageOf } from '@kubewright/api/errors';
import { checkRules } from '../controllers/simulation/check-behaviour.js';
import { type Nodes, resolveNodes } from '../controllers/simulation/node-declaration.js';
import type { PodRule } from '../controllers/simulation/pod-behaviour.js';
import type { CommandLine } from './command-line.js';

/** The parsed values of the options `--nodes` and `--pod-behaviours`. */
export interface OptionFiles {
  readonly nodes?: Nodes;
  readonly podBehaviours?: readonly PodRule[];
}

/** Reads and checks the values of `--nodes` and `--pod-behaviours`. Rejects with INVALID_USAGE for a value or a file that is not valid. */
export async function readOptionFiles({ nodes, podBehaviours }: CommandLine): Promise<OptionFiles> {
  return {
    ...(nodes && { nodes: await nodesOf(nodes) }),
    ...(podBehaviours && { podBehaviours: await readChecked('--pod-behaviours', podBehaviours, checkRules) }),
  };
}

/** Returns the nodes of `--nodes`, which is a number or the path of a file. */
function nodesOf(text: string): Promise<Nodes> {
  return readChecked('--nodes', text, resolveNodes, /^\d+$/.test(text) ? Number(text) : undefined);
}

/** Reads a list from a YAML file, and checks the list. */
async function readChecked<T>(
  flag: string,
  path: string,
  check: (value: T, path: string) => unknown,
  given?: T,
): Promise<T> {
  try {
    const value = given ?? ((await import('yaml')).parse(await readFile(path, 'utf8')) as T);
    check(value, flag);
    return value;
  } catch (cause) {
    const problem = messageOf(cause).split('\n', 1)[0] ?? '';
    const message = `${flag} ${path} is not valid: ${problem}; see kubewright-apiserver --help`;
    throw new KubewrightError('INVALID_USAGE', message, { cause });
  }
}
