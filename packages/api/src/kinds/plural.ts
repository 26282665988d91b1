/** The English plural of a word in lower case, as resources are named: `proxy` → `proxies`, `box` → `boxes`, `gateway` → `gateways`. */
export function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  if (/(?:s|x|z|ch|sh)$/.test(word)) return `${word}es`;
  return `${word}s`;
}
