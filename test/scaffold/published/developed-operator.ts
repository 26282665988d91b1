import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KubeObject } from '@kubewright/api';
import { Transport } from '@kubewright/runtime/internal';
import { parseAllDocuments } from 'yaml';
import { connectionOf, areReadyAt } from './readiness.js';
import { StepProgram } from './step-programs.js';

/** Runs `npm run dev` until the samples of a project are ready, calls `reached`, and sends Ctrl-C. */
export async function developUntilReady(project: string, env: NodeJS.ProcessEnv, reached: () => void): Promise<void> {
  const paths = (await samplesOf(project)).map((sample) => pathOf(sample, 'default'));
  await using program = new StepProgram('npm', ['run', 'dev'], { cwd: project, env });
  let transport: Transport | undefined;
  try {
    await program.until('the sample is ready', async () => {
      const connection =
        transport === undefined ? await connectionOf(join(project, '.kubewright', 'kubeconfig')) : undefined;
      if (connection !== undefined) transport = new Transport(connection);
      return transport !== undefined && (await areReadyAt(transport, paths));
    });
    reached();
  } finally {
    await transport?.close();
  }
  await program.interrupt();
}

/** Returns the generated samples. */
export async function samplesOf(project: string): Promise<readonly KubeObject[]> {
  const folder = join(project, 'config', 'samples');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml') && name !== 'kustomization.yaml');
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const objects = texts.flatMap((text) => {
    const documents = parseAllDocuments(text);
    return 'empty' in documents ? [] : documents.map((document) => document.toJS() as KubeObject);
  });
  if (objects.length === 0) throw new Error(`${folder} contains no samples`);
  return objects;
}

/** Returns the path of an object of a custom kind with a regular plural. */
export function pathOf({ apiVersion, kind, metadata }: KubeObject, namespace: string): string {
  return `/apis/${apiVersion}/namespaces/${metadata.namespace ?? namespace}/${kind.toLowerCase()}s/${metadata.name}`;
}
