import { closeSync, fdatasync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** An open log file. All methods except `sync` are synchronous. */
export interface LogFile {
  readonly path: string;
  /** Writes bytes at a position. Returns the number of written bytes, at least one. */
  write(bytes: Uint8Array, position: number): number;
  truncate(length: number): void;
  /** Resolves when all data that was written before the call is on the disk. */
  sync(): Promise<void>;
  syncNow(): void;
  close(): void;
}

/**
 * Opens a file for writing. Only the owner can read the file. With `fresh`, the file is created or emptied. Otherwise, the file must exist.
 */
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

/** Syncs a folder, so that new and renamed files survive a crash of the machine. Does nothing on Windows. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes all bytes at a position. Throws if a write fails. */
export function writeAll(file: LogFile, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += file.write(bytes.subarray(done), position + done);
}
