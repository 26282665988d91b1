import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** A file that is written at its end. Everything but `sync` is done when the call returns, or throws. */
export interface LogFile {
  readonly path: string;
  /** Writes bytes at a position and returns how many of them, at least one. */
  write(bytes: Uint8Array, position: number): number;
  truncate(length: number): void;
  /** Resolves when everything written before the call is on the disk. */
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

/** Opens a file to write to, which only its owner can read; `fresh` begins with an empty one. */
export type OpenLogFile = (path: string, options: { readonly fresh: boolean }) => LogFile;

/** Opens a file of the operating system. */
export const openLogFile: OpenLogFile = (path, { fresh }) => {
  const descriptor = openSync(path, fresh ? 'w' : 'r+', 0o600);
  return {
    path,
    write: (bytes, position) => writeSync(descriptor, bytes, 0, bytes.length, position),
    truncate: (length) => ftruncateSync(descriptor, length),
    sync: () =>
      new Promise((resolve, reject) => fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)))),
    syncNow: () => fsyncSync(descriptor),
    close: () => closeSync(descriptor),
  };
};

/** Makes names that were added to or moved in a folder outlive a crash of the machine, where the system can do that. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all the bytes at a position; throws when that is not possible. */
export function writeAll(file: LogFile, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += file.write(bytes.subarray(done), position + done);
}
