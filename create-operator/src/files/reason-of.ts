const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; grant yourself read and write permission',
  EPERM: 'permission denied; grant yourself read and write permission',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'a folder with the same name exists; move the folder away',
  ENOTDIR: 'a parent of the path is a file; move the file away',
  EEXIST: 'a parent of the path is a file; move the file away',
};

/** Returns the reason for a file system error, and for some errors also a remedy. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error));
}

/** Returns the code of a Node.js error, such as 'ENOENT'. Returns undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
