// The glossary: words and phrases that texts must not contain, and their replacements. Each entry contains a wrong sentence, which the
// pattern must match, and correct sentences, which the pattern must not match. `test/gate/prose.test.ts` checks both.

/** Outdated words. */
const OLD_WORDS = [
  'anew',
  'aught',
  'avails?',
  'bade',
  'ere',
  'heed(?:s|ed|ing)?',
  'hereby',
  'hitherto',
  'lest',
  'nought',
  'suffic(?:e|es|ed|ing)',
  'there(?:of|in|with|upon)',
  'where(?:of|in|with|upon)',
  'whosoever',
  'withal',
];
const BE = '(?:is|are|was|were|be|been|being)';

export const GLOSSARY = [
  {
    pattern: /\b(?:told|tells?|telling)\b/i,
    advice: 'write "report", "log" or "notify"',
    wrong: 'The user is told of the change.',
    right: ['The manager reports the change.'],
  },
  {
    pattern: /\brights\b|\b(?:no|missing|needed|each|every|its|their) right\b|\bright to (?!left\b)/i,
    advice: 'write "permission" or "RBAC rule"',
    wrong: 'A controller has the right to read Secrets.',
    right: ['Reads the text from left to right, right after the start.', 'The parser reads from right to left.'],
  },
  {
    pattern: /\b(?:the|these|those|its|their|our|no|with|of) marks\b(?! (?:a|an|the|it|each|every|objects) )/i,
    advice: 'write "labels" or "annotations"',
    wrong: 'Objects keep their marks after an update.',
    right: ['The queue marks each key as done.'],
  },
  {
    pattern: /\b(?:sees?|seeing|saw|seen) to\b|\blook(?:s|ed|ing)? after\b/i,
    advice: 'write "manages" or "reconciles"',
    wrong: 'Another class sees to its objects.',
    right: ['A second class reconciles its objects.', 'The client looks up the object.'],
  },
  {
    pattern: new RegExp(`\\b(?:${OLD_WORDS.join('|')})\\b`, 'i'),
    advice: 'use a current word',
    wrong: 'The manager lists the pods anew.',
    right: ['The manager lists the pods again.'],
  },
  {
    pattern: /\bso long\b|\bso (?:many|much)\b(?![^.;:]*\bthat\b)/i,
    advice: 'give the value and the unit',
    wrong: 'Waits so long before the next attempt.',
    right: [
      'There are so many requests that the server rejects some.',
      'The token is valid as long as the Secret exists.',
    ],
  },
  {
    pattern: /\b(?:can|could) be had\b/i,
    advice: 'write "is available"',
    wrong: 'The pods can be had again.',
    right: ['The pods are available again.'],
  },
  {
    pattern: new RegExp(
      `(?<!\\bthere )\\b${BE} no\\b(?! longer\\b| more than\\b| (?:few|less|lat|earli|great|larg|small|old|new)er?\\b|[,;.]|$)`,
      'i',
    ),
    advice: 'negate the verb: "is not a …"',
    wrong: 'A key with a slash is no label.',
    right: [
      'The object is no longer cached.',
      'There is no object of this name.',
      'The list is no longer than the limit.',
      'DECLINED if the answer is no',
    ],
  },
  {
    pattern: /\bin (?:place|lieu) of\b/i,
    advice: 'write "instead of"',
    wrong: 'Uses a list in place of a watch.',
    right: ['Uses a list instead of a watch.', 'Updates the object in place.'],
  },
  {
    pattern: /\bwho(?:so)?ever\b|\bwho reads (?:it|them)\b/i,
    advice: 'name the caller, the reader or the client',
    wrong: 'Whoever stops the manager waits for it.',
    right: ['The caller of stop() waits for the manager.'],
  },
  {
    pattern: /\b(?:what|who|which one) leads\b(?! to\b)/i,
    advice: 'write "the leader"',
    wrong: 'The Lease contains who leads.',
    right: ['The Lease contains the leader.', 'A conflict leads to a requeue.'],
  },
  {
    pattern: /\b(?:the|a) life of\b/i,
    advice: 'write "lifecycle"',
    wrong: 'The life of a manager has five states.',
    right: ['The lifecycle of a manager has five states.'],
  },
  {
    pattern: /\b(?:lets?|letting) go\b|\bgiv(?:e|es|en|ing) back\b(?!-)/i,
    advice: 'write "release" or "stop"',
    wrong: 'The replica lets go of the Lease.',
    right: ['The replica releases the Lease.', 'The queue uses the given back-off.'],
  },
  {
    pattern: /(?<!410 )\bgone\b(?!\()|(?<![\w-])go(?:es)? (?:away|with|first|after|at)\b|\bcomes? and go(?:es)?\b/,
    advice: 'write "is deleted" or "is removed"',
    wrong: 'The Pod is gone after the drain.',
    right: [
      'The Pod is deleted after the drain.',
      'The server answers 410 Gone.',
      'The output goes to the standard error.',
      'The test does not check client-go after its lease has expired.',
    ],
  },
  {
    pattern: /\bcom(?:e|es|ing) (?:back|again|anew)\b|\bcame (?:back|again)\b/i,
    advice: 'write "is created again" or "reconnects"',
    wrong: 'A Deployment that is deleted by hand comes back.',
    right: ['The controller creates the Deployment again.', 'Events come from the recorder.'],
  },
  {
    pattern: new RegExp(`\\b${BE} made (?:of|by|from|out of)\\b`, 'i'),
    advice: 'write "is generated from" or "is created by"',
    wrong: 'The manifest is made of the classes.',
    right: ['The manifest is generated from the classes.', 'Copies are made with the same options.'],
  },
  {
    pattern: /\basked for\b/i,
    advice: 'write "requested"',
    wrong: 'Returns the version that was asked for.',
    right: ['Returns the requested version.', 'The command asks for confirmation.'],
  },
  {
    pattern: /\bst(?:and|ands|anding|ood) (?:in|for)\b/i,
    advice: 'write "is in" or "represents"',
    wrong: 'The token stands for a class.',
    right: ['The token represents a class.'],
  },
  {
    pattern: /(?<!\byou )\bwant(?:s|ed|ing)?\b/i,
    advice: 'write "desired" (state), "requested" or "needs"',
    wrong: 'Compares the object with the wanted state.',
    right: ['Compares the object with the desired state.', 'Set the option if you want another port.'],
  },
  {
    pattern: /\b(?:parts? of (?:a|the|its|this) manager|manager's parts?)\b/i,
    advice: 'write "runnable" or "component"',
    wrong: 'Every part of the manager stops first.',
    right: ['Every component of the manager stops first.', 'The namespace is a part of the key.'],
  },
  {
    pattern: /\bpatience\b/i,
    advice: 'write "fairness" or "starvation limit"',
    wrong: 'Keys of low priority depend on the patience of the queue.',
    right: ["The option 'patience' is a starvation limit."],
  },
  {
    pattern: /\btroubles?\b|\bmistakes?\b/i,
    advice: 'write "error", "problem" or "invalid configuration"',
    wrong: 'Reports every mistake in the declarations.',
    right: ['Reports every error in the declarations.', 'See the troubleshooting page.'],
  },
  {
    pattern: /\bhear(?:s|d|ing)? of\b|\bha(?:s|ve) a say\b|\btak(?:es?|ing) over for\b/i,
    advice: 'use no metaphor; name the mechanism',
    wrong: 'The watch hears of every change.',
    right: ['The watch receives every change.'],
  },
  {
    pattern: /\b(?:dies|died|liv(?:es?|ed) (?:on|in|under))\b/i,
    advice: 'use no metaphor; write "exits", "continues" or "is in"',
    wrong: 'The process dies after the grace period.',
    right: ['The process exits after the grace period.', 'The server detects dead connections.', 'A live watch ends.'],
  },
  {
    pattern: /\bthat which\b|(?<!\b(?:one|two|some|most|many|all|each|none|half|either|neither) )\bof which\b/i,
    advice: 'repeat the noun',
    wrong: 'Packages of which a project has two copies fail.',
    right: ['The test starts three servers, one of which is fake.'],
  },
  {
    pattern: /\p{L}!(?=\s|$)/u,
    advice: 'use no exclamation mark',
    wrong: 'The operator is ready!',
    right: ['The predicate returns `!value`.', 'Use the operator != in CEL.'],
  },
];

/** British spellings. */
const BRITISH = [
  '(?:behavi|col|fav|hon|neighb)our\\w*',
  'whilst',
  'amongst',
  'centres?',
  'licence[sd]?',
  '(?:label|cancel|model|signal)l(?:ed|ing)',
  '(?:author|categor|custom|final|general|initial|maxim|minim|normal|optim|organ|recogn|serial|summar|synchron)is(?:e[drs]?|ing|ation)',
];

export const SPELLING = [
  {
    pattern: new RegExp(`\\b(?:${BRITISH.join('|')})\\b`, 'i'),
    // Allows codes such as CANCELLED.
    allows: [/^[A-Z]+$/],
    advice: 'use American spelling',
    wrong: 'Describes the behaviour of the queue.',
    right: ['Describes the behavior of the queue.', 'Initializes the cache, or throws CANCELLED.'],
  },
  {
    pattern:
      /\b(?:Javascript|Typescript|Github|Open ?Api|Postgre(?:Sql|s SQL)|MacOS|Mac OS|NodeJS|Node\.JS|Kubewrite|KubeWright)\b/,
    advice: 'check the spelling of the name',
    wrong: 'Compiles the Typescript of the project.',
    right: ['Compiles the TypeScript of the project.'],
  },
];

/** Entries that apply only to the pages in docs/reference. */
export const REFERENCE = [
  {
    pattern: /\b\w+n't\b|\b(?:it|that|there|what|you|we|they)'(?:s|re|ve|ll|d)\b/i,
    advice: 'use no contractions in reference pages',
    wrong: "The server doesn't answer.",
    right: ["The server does not answer. The server's answer is empty."],
  },
];
