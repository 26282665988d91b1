import type { FSWatcher } from 'node:fs';
import { join } from 'node:path';
import { entriesIfThere, watchIfThere } from './if-there.js';
import { linkedPackages } from './linked-packages.js';
import type { Project } from './project.js';

/** Editors write a file in several steps, and git writes many files: what comes this soon after each other is one change. */
const SETTLE_MS = 40;
/** What of the folder of a project itself is of interest. */
const OWN_FILES = new Set(['package.json', 'tsconfig.json']);

/**
 * The paths of what was saved, made or removed in a project: its sources, those of packages that are developed beside it, package.json and
 * tsconfig.json. Each item has all since the one before. It ends when the signal is aborted.
 *
 * @throws KubewrightError UNREADABLE naming a folder that cannot be read
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

/** One watcher a folder: those of Node for whole trees miss files that are replaced. */
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
  /** What has changed since the last call; waits until something has. Empty when it is closed. Rejects where a folder cannot be read. */
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
    // A package may be compiled from its own folder on, which has those that are installed in it as well.
    const folders = (await entriesIfThere(folder)).filter(
      (entry) => entry.isDirectory() && entry.name !== 'node_modules',
    );
    await Promise.all(folders.map((entry) => this.#watchTree(join(folder, entry.name))));
  }
  #watch(folder: string, isOfInterest: (name: string) => boolean): void {
    if (this.#isClosed || this.#watchers.has(folder)) return;
    const watcher = watchIfThere(folder, (name) => {
      if (name === null || !isOfInterest(name)) return;
      this.#note(join(folder, name));
    });
    if (watcher === undefined) return;
    // The folder was removed, which the one above it tells.
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
    // Folders may be new, and what is in them was made before they were watched, or others with the same name.
    for (const path of this.#changed) this.#forget(path);
    try {
      await this.#watchSources();
    } catch (error) {
      this.#failure = error;
    }
    this.#wake?.();
  }
}
