import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isJsonObject } from '@kubewright/api/json';
import { entriesIfExists, textOf } from '../project/if-exists.js';
import type { Project } from '../project/project.js';
import { devFolder } from './dev-folder.js';

const NAME = /^session-[0-9a-f]+\.json$/;

/** A session that was started on this machine. */
export interface SessionRecord {
  /** The Lease of the session as 'namespace/name'. */
  readonly lease: string;
  /** The URL of the API server. */
  readonly server: string;
}

/**
 * Files in the folder of the project, one for each session that has webhooks in a cluster. After a crash, the next session in the same
 * folder detects from the file that the process has ended, and does not wait until the Lease expires.
 */
export class SessionRecords {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }
  static async open(project: Project): Promise<SessionRecords> {
    return new SessionRecords(await devFolder(project));
  }

  /** Writes the record of a session of this process. */
  async add(id: string, record: SessionRecord): Promise<void> {
    await writeFile(this.#path(id), `${JSON.stringify({ ...record, pid: process.pid })}\n`);
  }
  /** Removes the record of a session. */
  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
  }

  /** Returns the Leases of the ended sessions on a server. A session has ended if its process no longer runs. */
  async ended(server: string): Promise<ReadonlySet<string>> {
    const records = (await this.#all()).filter((record) => record.server === server && !isRunning(record.pid));
    return new Set(records.map(({ lease }) => lease));
  }
  /** Removes the records of the ended sessions on a server. */
  async removeEnded(server: string): Promise<void> {
    for (const { name, ...record } of await this.#all()) {
      if (record.server === server && !isRunning(record.pid)) await rm(join(this.#folder, name), { force: true });
    }
  }

  #path(id: string): string {
    return join(this.#folder, `session-${id}.json`);
  }
  async #all(): Promise<readonly (SessionRecord & { readonly pid: number; readonly name: string })[]> {
    const names = (await entriesIfExists(this.#folder)).map(({ name }) => name).filter((name) => NAME.test(name));
    const records = await Promise.all(
      names.map(async (name) => {
        const value = jsonOf(await textOf(join(this.#folder, name)));
        if (!isJsonObject(value)) return undefined;
        const { lease, server, pid } = value;
        if (typeof lease !== 'string' || typeof server !== 'string' || typeof pid !== 'number') return undefined;
        return { lease, server, pid, name };
      }),
    );
    return records.filter((record) => record !== undefined);
  }
}

/** Reports whether a process with this ID exists. Another program can have the ID of a process that has ended. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
