import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type DefaultTheme, defineConfig } from 'vitepress';
import navigation from './navigation.json';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** Matches hidden declarations and imports of a page. The tests compile the code blocks of the page with them. */
const hidden = /^<!-- ts\n[^]*?^-->$/gm;

const groups: DefaultTheme.SidebarItem[] = navigation.map(({ text, pages }) => ({ text, items: pages.map(entryOf) }));
const decisions = readdirSync(`${docs}decisions`)
  .filter((name) => name.endsWith('.md'))
  .toSorted()
  .map((name) => entryOf(`decisions/${name}`));

export default defineConfig({
  title: 'Kubewright',
  description: 'Kubernetes operators in TypeScript',
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  cacheDir: 'node_modules/.cache/vitepress',
  outDir: '.vitepress/dist',
  // The largest chunk is the search index. The site loads it at the first search.
  vite: { build: { chunkSizeWarningLimit: 800 } },
  markdown: {
    anchor: { slugify: anchorOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    config(markdown) {
      // With HTML, a `<` in a heading or a sentence would start a tag.
      markdown.set({ html: false, linkify: false });
      markdown.core.ruler.before('normalize', 'hidden-blocks', (state) => {
        state.src = state.src.replaceAll(hidden, '');
      });
      // Shows indented blocks like fenced blocks.
      markdown.core.ruler.push('indented-blocks', (state) => {
        for (const token of state.tokens) {
          if (token.type === 'code_block') Object.assign(token, { type: 'fence', tag: 'code', info: 'text' });
        }
      });
    },
  },
  // The start page links to the first pages to read, and has no list of all pages.
  transformPageData(page) {
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, { sidebar: false, aside: false });
  },
  themeConfig: {
    nav: navigation.map(({ text, pages: [first = 'index.md'] }) => ({
      text,
      link: linkTo(first),
      activeMatch: `^${linkTo(first).split('/', 2).join('/')}(?:/|$)`,
    })),
    sidebar: [...groups, { text: 'Decisions', collapsed: true, items: decisions }],
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          // The code of an error is also one term. A search for a code ranks the page about errors first.
          options: {
            tokenize: (text) => [...text.split(/[\n\r\p{Z}\p{P}]+/u), ...(text.match(/[A-Z]+(?:_[A-Z]+)+/g) ?? [])],
          },
          searchOptions: {
            boostDocument: weightOf,
          },
        },
      },
    },
  },
});

/** Returns the weight of a page in the search: guides first, then concepts. The page about errors comes first for an error code. */
function weightOf(id: string, term: string): number {
  if (term.includes('_') && id.includes('/reference/errors')) return 10;
  if (id.includes('/guides/')) return 3;
  return id.includes('/concepts/') ? 1 : 0.3;
}

/** Returns the navigation entry of a page, with its first heading as the text. */
function entryOf(path: string): DefaultTheme.SidebarItem {
  const [, text] = /^# (.+)$/m.exec(readFileSync(`${docs}${path}`, 'utf8')) ?? [];
  return { text: text ?? path, link: linkTo(path) };
}
function linkTo(path: string): string {
  return `/${path.replace(/\.md$/, '')}`;
}

/** Returns the anchor of a heading by the rules of GitHub, so that links work in the repository and on the site. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}
