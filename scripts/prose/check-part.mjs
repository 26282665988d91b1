// Checks files in the current thread.
import { checkTexts } from './check-texts.mjs';
import { readTexts } from './files.mjs';

/** Checks the files at the paths. Returns the number of texts and the findings. */
export async function checkPart(root, paths) {
  const texts = readTexts(root, paths);
  return { count: texts.length, findings: await checkTexts(texts) };
}
