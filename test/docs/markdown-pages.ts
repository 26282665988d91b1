import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the repository, relative to the compiled file. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A Markdown page. */
export interface MarkdownPage {
  /** Path relative to the repository, such as 'docs/guides/client.md'. */
  readonly path: string;
  readonly text: string;
}

/** Returns the pages of the repository: the pages in its root folder and the pages below docs. */
export function markdownPages(): readonly MarkdownPage[] {
  const names = [
    ...readdirSync(root),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((path) => join('docs', path)),
  ];
  return names
    .filter(
      (path) =>
        path.endsWith('.md') && !path.split(sep).some((part) => part === 'node_modules' || part === '.vitepress'),
    )
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Returns the READMEs of packages and examples. */
export function readmes(): readonly MarkdownPage[] {
  const folders = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => join(folder, name)),
  );
  return [...folders, 'examples', 'create-operator']
    .map((folder) => join(folder, 'README.md'))
    .filter((path) => existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}
