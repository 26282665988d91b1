// Checks a part of the files.
import { checkTexts } from './check-texts.mjs';
import { readTexts } from './files.mjs';

/** Returns the number of texts in the files at the paths, and the findings. */
export async function checkPart(root, paths) {
  const texts = readTexts(root, paths);
  return { count: texts.length, findings: await checkTexts(texts) };
}
