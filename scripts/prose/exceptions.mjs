// Correct texts that a rule reports as errors. An exception that is no longer necessary is reported as a finding.

/** The exceptions. Findings of `rule` are ignored in texts of the file `path` that contain `text`. `reason` is a comment. */
export const EXCEPTIONS = [
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
  {
    path: 'packages/apiserver/src/command/command-line.ts',
    text: 'a list of objects with selector and behaviour',
    rule: 'spelling',
    reason: 'behaviour is the name of a field',
  },
];

/** Removes the findings to which an exception applies. Adds a finding for each exception that is not used although its file was checked. */
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
