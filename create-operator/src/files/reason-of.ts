const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied; give yourself the right to read and to write there',
  EPERM: 'permission denied; give yourself the right to read and to write there',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'a folder has its name; move it away',
  ENOTDIR: 'a file has the name of its folder; move it away',
  EEXIST: 'a file has the name of its folder; move it away',
};

/** Explains an error of the file system and what to do about it. */
export function reasonOf(error: unknown): string {
  return REASONS[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error));
}

/** Returns the code of a Node.js error, such as 'ENOENT'; undefined for other errors. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
