/**
 * Returns the lines of code of a file: excludes empty lines, comment lines and lines with only brackets. The file name determines the
 * language.
 */
export function codeLines(path: string, text: string): readonly string[] {
  const isProgram = /\.(?:go|ts)$/.test(path);
  const isComment = isProgram ? /^\/\/(?!\s*\+(?!kubebuilder:(?:docs-gen|scaffold)))/ : /^#/;
  return (isProgram ? text.replace(/^\s*\/\*[^]*?\*\//gm, '') : text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^[\s{}()[\],;]*$/.test(line) && !isComment.test(line));
}
