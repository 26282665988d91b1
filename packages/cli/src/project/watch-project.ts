import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { entriesIfExists, watchIfExists } from './if-exists.js';
import { linkedPackages } from './linked-packages.js';
import type { Project } from './project.js';

/** The time in milliseconds within which file events are combined, because editors write in several steps and Git writes many files. */
const SETTLE_MS = 40;
/** The files in the root folder of the project that are watched. */
const OWN_FILES = new Set(['package.json', 'tsconfig.json']);

/**
 * Yields the paths of changed files: the sources of a project and its linked packages, package.json, and tsconfig.json. Each item contains
 * all changes since the previous item. Ends when the signal aborts.
 *
 * @throws KubewrightError UNREADABLE if a folder cannot be read
 *
 * @example
 * for await (const paths of changesIn(project, signal)) await rebuild(paths);
 */
export async function* changesIn(project: Project, signal: AbortSignal): AsyncGenerator<readonly string[]> {
  const watcher = new ProjectWatch(project);
  const close = (): void => watcher.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await watcher.open();
    for (let paths = await watcher.next(); paths.length > 0 && !signal.aborted; paths = await watcher.next()) {
      yield paths;
    }
  } finally {
    signal.removeEventListener('abort', close);
    watcher.close();
  }
}

/** Watches the files of a project. Uses one watcher per folder, because the recursive watchers of Node.js miss files that are replaced. */
class ProjectWatch {
  readonly #project: Project;
  #sources: readonly string[] = [];
  readonly #watchers = new Map<string, FSWatcher>();
  #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #wake: (() => void) | undefined;
  #isClosed = false;
  #failure: unknown;

  constructor(project: Project) {
    this.#project = project;
  }

  async open(): Promise<void> {
    this.#watch(this.#project.root, (name) => OWN_FILES.has(name));
    this.#sources = [this.#project, ...(await linkedPackages(this.#project.root))].map((each) => each.sourceFolder);
    await this.#watchSources();
  }
  /**
   * Waits for a change, and returns the paths that changed since the last call. Returns an empty list after `close`. Rejects if a folder
   * cannot be read.
   */
  async next(): Promise<readonly string[]> {
    if (this.#changed.size === 0 && !this.#isClosed) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure;
    const paths = [...this.#changed].toSorted();
    this.#changed = new Set();
    return this.#isClosed ? [] : paths;
  }
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#wake?.();
  }

  async #watchSources(): Promise<void> {
    await Promise.all(this.#sources.map((folder) => this.#watchTree(folder)));
  }
  async #watchTree(folder: string): Promise<void> {
    this.#watch(folder, () => true);
    // Skips node_modules, because the source folder of a package can be its root folder.
    const folders = (await entriesIfExists(folder)).filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules',
    );
    await Promise.all(folders.map((entry) => this.#watchTree(join(folder, entry.name))));
  }
  #watch(folder: string, isOfInterest: (name: string) => boolean): void {
    if (this.#isClosed || this.#watchers.has(folder)) return;
    const watcher = watchIfExists(folder, (name) => {
      if (name === null || !isOfInterest(name)) return;
      this.#note(join(folder, name));
    });
    if (watcher === undefined) return;
    // An error occurs if the folder is deleted. The watcher of the parent folder reports this change.
    watcher.on('error', () => this.#forget(folder));
    this.#watchers.set(folder, watcher);
  }
  #forget(folder: string): void {
    this.#watchers.get(folder)?.close();
    this.#watchers.delete(folder);
  }
  #note(path: string): void {
    this.#changed.add(path);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#settled(), SETTLE_MS);
  }
  async #settled(): Promise<void> {
    // Watches changed paths again, because a path can be a new folder, or a folder that has replaced another folder.
    for (const path of this.#changed) this.#forget(path);
    try {
      await this.#watchSources();
    } catch (error) {
      this.#failure = error;
    }
    this.#wake?.();
  }
}
