import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { ProjectTools } from '@kubewright/cli';

type Inspected = Awaited<ReturnType<ProjectTools['inspect']>>;
type Files = ReadonlyMap<string, Buffer>;

/** The files and folders of a project that do not affect the results of the compiler and of inspections. */
const NO_INPUTS = /^(node_modules|dist|config|objects|bin|kubeconfig|other-kubeconfig|\.git|\.kubewright)$/;
/** The files that the compiler writes. Other files of the output folder are bundles and manifests. */
const COMPILED = /\.js(\.map)?$|\.tsbuildinfo$/;

/**
 * The results of the compiler and of inspections, by the contents of the project. For each content, the first command starts real
 * processes. If these processes succeed without messages, later commands of this test file reuse the results.
 */
class ReusedResults {
  readonly #outputs = new Map<string, Files>();
  readonly #inspected = new Map<string, Inspected>();

  /** Returns tools that reuse results. */
  readonly reusing = (tools: ProjectTools): ProjectTools => this.#tools(tools, true);
  /** Returns tools that always start processes, and record the results for later reuse. */
  readonly recording = (tools: ProjectTools): ProjectTools => this.#tools(tools, false);

  #tools({ compile, inspect }: ProjectTools, reuses: boolean): ProjectTools {
    return {
      compile: async (project, options = {}) => {
        const contents = await contentsOf(project.root);
        const output = this.#outputs.get(contents);
        if (reuses && output !== undefined) return restore(output, project.outFolder);
        let isSilent = true;
        const { onTestProblems } = options;
        const onProblems = (problems: readonly string[]): void => {
          isSilent = false;
          onTestProblems?.(problems);
        };
        await compile(project, { ...options, ...(onTestProblems && { onTestProblems: onProblems }) });
        const isUnchanged = (await contentsOf(project.root)) === contents;
        if (isSilent && isUnchanged) this.#outputs.set(contents, await compiledFiles(project.outFolder));
      },
      inspect: async (project, options = {}) => {
        const { root, outFolder } = project;
        const compiled = JSON.stringify(
          [...(await compiledFiles(outFolder))].map(([path, text]) => [path, digest(text)]),
        );
        // The paths of files in the folder of the project, such as its kubeconfig, do not influence its declarations.
        const env = JSON.stringify(options.env).replaceAll(root, '');
        const key = digest(`${await contentsOf(root)}${compiled}${env}`);
        const known = this.#inspected.get(key);
        if (reuses && known !== undefined) return structuredClone(known);
        let isSilent = true;
        const print = (text: string): void => {
          isSilent = false;
          options.print?.(text);
        };
        const inspected = await inspect(project, { ...options, print });
        if (isSilent) this.#inspected.set(key, structuredClone(inspected));
        return inspected;
      },
    };
  }
}

/** The reused results of all projects of this process. */
export const reusedResults = new ReusedResults();

async function contentsOf(root: string): Promise<string> {
  const files = await filesBelow(root, (name, folder) => folder !== root || !NO_INPUTS.test(name));
  return digest(JSON.stringify([...files].map(([path, text]) => [path, digest(text)])));
}
function compiledFiles(folder: string): Promise<Files> {
  return filesBelow(folder, (name, _folder, isFolder) => isFolder || COMPILED.test(name));
}
/** Writes the output of the compiler, and removes the output of deleted sources. */
async function restore(output: Files, folder: string): Promise<void> {
  for (const path of (await compiledFiles(folder)).keys()) {
    if (!output.has(path)) await rm(join(folder, path));
  }
  for (const [path, text] of output) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

/** Returns the files below a folder by their paths, sorted. */
async function filesBelow(
  root: string,
  isIncluded: (name: string, folder: string, isFolder: boolean) => boolean,
): Promise<Files> {
  const found = new Map<string, Buffer>();
  const visit = async (folder: string): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (!isIncluded(entry.name, folder, entry.isDirectory())) continue;
      if (entry.isDirectory()) await visit(path);
      else if (entry.isFile()) found.set(relative(root, path), await readFile(path));
    }
  };
  await visit(root);
  return found;
}
function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}
