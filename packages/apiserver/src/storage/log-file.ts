import {
  closeSync,
  existsSync,
  fdatasync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { FolderLock } from './folder-lock.js';

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

/** The content of a file that is open for reading. */
export interface FileContent {
  /** The length in bytes. */
  readonly length: number;
  /** Reads bytes at a position into a buffer. Returns the number of bytes, which is smaller than the buffer at the end of the file. */
  read(bytes: Uint8Array, position: number): number;
  close(): void;
}

/** The files of a data folder. All paths are absolute. */
export interface FolderFiles {
  /** Creates a folder and its parents. Only the owner can read the folder. Returns whether the folder did not exist. */
  createFolder(path: string): boolean;
  /** Locks a folder. Throws DATA_LOCKED if another server uses the folder. */
  lock(path: string): { release(): void };
  /** Opens a file for reading. Returns undefined if the file does not exist. */
  read(path: string): FileContent | undefined;
  /**
   * Opens a file for writing. Only the owner can read the file. With `fresh`, the file is created or emptied. Otherwise, the file must
   * exist.
   */
  open(path: string, options: { readonly fresh: boolean }): LogFile;
  /** Replaces the file `to` with the file `from` in one step. The new name survives a crash of the machine after `syncFolder`. */
  rename(from: string, to: string): void;
  /** Removes a file if it exists. */
  remove(path: string): void;
  /** Syncs a folder, so that new and renamed files survive a crash of the machine. Does nothing on Windows. */
  syncFolder(path: string): void;
}

/** The files of the operating system. */
export const systemFiles: FolderFiles = {
  createFolder: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined,
  lock: (path) => FolderLock.take(path),
  read: (path) => (existsSync(path) ? contentOf(path) : undefined),
  open: openFile,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder,
};

/** Opens a file of the operating system for reading. */
function contentOf(path: string): FileContent {
  const descriptor = openSync(path, 'r');
  return {
    length: fstatSync(descriptor).size,
    read: (bytes, position) => {
      let done = 0;
      for (let read = -1; read !== 0 && done < bytes.length; done += read) {
        read = readSync(descriptor, bytes, done, bytes.length - done, position + done);
      }
      return done;
    },
    close: () => closeSync(descriptor),
  };
}

/** Opens a file of the operating system for writing. */
function openFile(path: string, { fresh }: { readonly fresh: boolean }): LogFile {
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
}

function syncFolder(path: string): void {
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
