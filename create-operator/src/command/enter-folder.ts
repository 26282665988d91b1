/** The command that goes into a folder, from the one of the call; none where that is it. */
export function enterFolder(folder: string): readonly string[] {
  if (folder === '.') return [];
  return [`cd ${/^[\w./@+-]+$/.test(folder) ? folder : `"${folder}"`}`];
}
