// Texts that are correct although a rule reports them. An exception that no longer applies is a finding.

/** A part of a text, and the rule that ignores it. The reason is for the reader of this file. */
export const EXCEPTIONS = [
  {
    path: 'docs/reference/options.md',
    text: 'until, gone and seen',
    rule: 'glossary',
    reason: 'names of functions in a heading',
  },
  {
    path: 'examples/client-go-tour/src/work-queue.ts',
    text: 'added a again while a is processed',
    rule: 'english',
    reason: 'a is the name of a key',
  },
  {
    path: 'examples/client-go-tour/src/work-queue.ts',
    text: 'a is done and ready again',
    rule: 'english',
    reason: 'a is the name of a key',
  },
];

/** Removes the findings that an exception allows, and adds a finding for each unused exception of a file at the checked paths. */
export function withoutExceptions(findings, paths, exceptions = EXCEPTIONS) {
  const used = new Set();
  const left = findings.filter(({ path, rule, text }) => {
    const exception = exceptions.find(
      (each) => each.path === path && each.rule === rule && text.text.includes(each.text),
    );
    if (exception !== undefined) used.add(exception);
    return exception === undefined;
  });
  const unused = exceptions.filter((exception) => paths.includes(exception.path) && !used.has(exception));
  return [
    ...left,
    ...unused.map(({ path, text, rule }) => ({
      path,
      line: 1,
      rule,
      message: `remove the unused exception "${text}"`,
    })),
  ];
}
