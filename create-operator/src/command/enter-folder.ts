/** Returns the command that changes to the folder. Returns no command for the current folder. */
export function enterFolder(folder: string): readonly string[] {
  if (folder === '.') return [];
  return [`cd ${/^[\w./@+-]+$/.test(folder) ? folder : `"${folder}"`}`];
}
