// Patterns of grammatical errors that no grammar checker for Node.js reports. Each entry contains a wrong sentence, which the pattern must
// match, and correct sentences, which the pattern must not match. `test/gate/prose.test.ts` checks both.

const MODAL =
  "(?:(?:do|does|did)(?: not|n't)|(?:can|will|must|should|may|might|could|would|shall)(?: not|n't)?|cannot|can't|won't)";
/** The start of a clause. */
const CLAUSE = '(?<=^|[.:;] |\\b(?:if|when|while|until|because|that) )';
/** Words that end in -s, but are neither plurals nor verbs in the third person. */
const NO_S =
  '(?:\\w*(?:ss|us|is|as|ous)|always|perhaps|besides|sometimes|otherwise|series|this|its|news|times|settings|includes)';
/** Frequent nouns in the singular. */
const NOUN =
  '(?:cache|caller|class|client|connection|container|controller|definition|error|event|field|file|informer|key|kind|list|manager|message|method|namespace|node|object|operator|option|pod|process|queue|reflector|request|response|rule|secret|server|user|value|version|watch)';
/** Frequent nouns in the plural that are not also verbs. */
const NOUNS =
  '(?:callers|classes|clients|connections|containers|controllers|definitions|errors|events|fields|informers|kinds|managers|messages|methods|namespaces|nodes|objects|operators|options|pods|reflectors|rules|secrets|servers|users|values|versions)';
/** Words that are neither nouns nor adjectives. */
const FUNCTION_WORDS =
  '(?:a|after|again|all|along|also|an|and|are|as|at|be|because|been|before|behind|but|by|can|cannot|could|did|do|does|earlier|each|every|for|from|had|has|have|here|how|if|in|is|it|its|later|many|may|might|more|most|must|never|no|nor|not|of|on|once|only|or|shall|should|still|than|that|the|their|them|then|there|these|they|this|those|to|until|was|were|what|when|where|which|while|who|whose|will|with|without|would)';
/** A word that can precede the noun in a noun phrase. */
const MODIFIER = `(?!${FUNCTION_WORDS}\\b)[a-z-]+(?<![^su]s) `;
/** An adjective before a noun. */
const ADJECTIVE = '(?:[a-z-]+ed|first|further|last|new|old|other) ';
/** A noun in the singular. */
const SINGULAR = `(?!(?:${FUNCTION_WORDS}|children|criteria|data|few|first|following|former|last|latter|lot|media|metadata|number|other|pair|people|rest|same|two|three|four|five)\\b)[a-z]+(?<!s)`;
const VERB =
  '(?:accept|add|aggregate|allow|apply|assign|become|block|call|change|check|close|compare|compile|contain|convert|copy|count|create|define|delete|deny|drop|emit|enqueue|expect|fetch|find|generate|get|give|handle|ignore|keep|list|load|log|make|mark|match|need|open|parse|pass|patch|prevent|print|receive|reconcile|record|refuse|register|reject|release|remove|replace|report|request|require|resolve|restart|resume|retry|return|run|send|serve|show|skip|start|stop|store|support|take|throw|trigger|update|use|validate|watch|write)';
const VERBS =
  '(?:accepts|adds|allows|becomes|calls|checks|closes|compares|contains|creates|defines|deletes|drops|expects|fetches|finds|gets|gives|ignores|keeps|lists|loads|makes|needs|opens|parses|prevents|reads|receives|reconciles|registers|rejects|releases|removes|replaces|reports|requires|restarts|resumes|retries|returns|runs|sends|serves|shows|skips|starts|stops|stores|supports|takes|throws|triggers|updates|uses|validates|watches|writes)';
const BE = '(?:is|are|was|were|be|been)';
/** Lookahead for a word that starts an object, so that the preceding word is a verb. */
const OBJECT = '(?=(?:a|an|the|its|their|each|every|all|this|these|similar|another)\\b)';

function words(source) {
  return new RegExp(source, 'i');
}

export const GRAMMAR = [
  {
    pattern: words(`\\b${MODAL} (?!${NO_S}\\b)[a-z]{2,}s\\b`),
    advice: 'use the infinitive after an auxiliary verb',
    wrong: 'The namespace does not exists.',
    right: [
      'The namespace does not exist.',
      'The server does not always answer.',
      'The filter may pass. So do changes by others.',
    ],
  },
  {
    pattern: words(
      `\\b${MODAL} (?!(?:need|exceed|proceed|succeed|embed|feed|seed|speed|shed|heed|shred)\\b)[a-z]+ed\\b`,
    ),
    advice: 'use the infinitive after an auxiliary verb',
    wrong: 'The reflector did not resumed the watch.',
    right: ['The reflector did not resume the watch.', 'The value must not exceed the limit.'],
  },
  {
    pattern: words(
      `\\b${MODAL} (?:began|broke|came|chose|found|gave|got|held|kept|lost|made|ran|saw|sent|took|went|wrote)\\b`,
    ),
    advice: 'use the infinitive after an auxiliary verb',
    wrong: 'The server did not found the object.',
    right: ['The server did not find the object.'],
  },
  {
    pattern: words(
      '\\bto (?:allows|becomes|contains|creates|deletes|gets|ignores|keeps|makes|needs|rejects|removes|sends|began|broke|chose|found|gave|ran|took|went|wrote)\\b',
    ),
    advice: 'use the infinitive after "to"',
    wrong: 'The manager tries to creates the object.',
    right: ['The manager tries to create the object.', 'The delay applies to reconciles.'],
  },
  {
    pattern: words(`\\b(?:another|each|every|a|an|this) ${NOUNS}\\b`),
    advice: 'use the singular',
    wrong: 'Each controllers waits for its cache.',
    right: ['Each controller waits for its cache.', 'Returns a list of objects.'],
  },
  {
    pattern: words(
      `\\b(?:these|those|both|several|many|two|three|four|five) ${SINGULAR} (?:are|were|have)\\b|\\bone of the ${NOUN}(?= (?:is|was|has|must|can|will)\\b|[.;:]|$)|\\bthere (?:are|were) no ${NOUN}(?= (?:with|in|of|for|that)\\b|[.,;:]|$)`,
    ),
    advice: 'use the plural',
    wrong: 'These object are cached.',
    right: ['These objects are cached.', 'One of the object keys is missing.', 'There are no object keys.'],
  },
  {
    pattern: words(
      `${CLAUSE}(?:the|these|those|all|both|some|many|several|other) (?:${ADJECTIVE})?(?!${NO_S}\\b)[a-z]+s (?:is|was|has|does)\\b`,
    ),
    advice: 'verb and subject differ in number',
    wrong: 'The cached objects is deleted.',
    right: ['The object is deleted.', 'One of the objects is deleted.', 'The status is empty.'],
  },
  {
    pattern: words(
      `${CLAUSE}(?:the|a|an|each|every|another|this) (?:${MODIFIER}){0,2}${SINGULAR} (?:are|have|do)\\b|${CLAUSE}the number of [a-z]+ (?:are|were|have)\\b`,
    ),
    advice: 'verb and subject differ in number',
    wrong: 'The cached object have a uid.',
    right: [
      'The cached object has a uid.',
      'A number of objects are deleted.',
      'The children are deleted.',
      'The class and the object are known.',
      'The rules of the object are empty.',
    ],
  },
  {
    pattern: words(
      `${CLAUSE}(?:the|a|an|each|every|another|this) (?:${MODIFIER}){0,2}${SINGULAR} ${VERB} ${OBJECT}|${CLAUSE}(?:it|he|she) (?:have|do|are|were|${VERB})\\b`,
    ),
    advice: 'use the third person',
    wrong: 'The event recorder write the status.',
    right: [
      'The event recorder writes the status.',
      'The client and the server write the log.',
      'The server delete call fails.',
      'To restart the server, delete the file.',
      'The clients of a server list the objects.',
      'Does it have an answer?',
    ],
  },
  {
    pattern: words(
      `${CLAUSE}(?:the|these|those|all|both|some|many|several) (?:${ADJECTIVE})?(?!${NO_S}\\b)[a-z]+s ${VERBS} ${OBJECT}`,
    ),
    advice: 'use the verb without -s after a plural',
    wrong: 'The tests uses a fake clock.',
    right: ['The tests use a fake clock.', 'The process uses a fake clock.'],
  },
  {
    pattern:
      /\bthere (?:is|was) (?:two|three|four|five|many|several|few)\b|\bthere (?:are|were) (?:a|an|one) (?!few\b|lot\b|number\b)/i,
    advice: 'verb and subject differ in number',
    wrong: 'There is two pods in the namespace.',
    right: ['There are two pods in the namespace.', 'There are a few pods.'],
  },
  {
    pattern: /\b(?:must|can|will|should|may) (?:not )?(?:been|to)\b|\b(?:is|are|was|were) been\b/i,
    advice: 'check the auxiliary verb',
    wrong: 'The finalizer must been removed first.',
    right: ['The finalizer must be removed first.', 'The finalizer has been removed.'],
  },
  {
    pattern:
      /\b(?:more|less|fewer|rather|other|later|earlier|older|newer|larger|smaller|longer|shorter|higher|lower) then\b/i,
    advice: 'write "than"',
    wrong: 'More then one replica is ready.',
    right: ['More than one replica is ready.', 'If the number is lower, then the controller adds a Pod.'],
  },
  {
    pattern: /\ba https?\b|\ban (?:uid|uint|URL|user|unique|UUID|usual)\b/i,
    advice: 'use the other article',
    wrong: 'The server answers with a HTTP error.',
    right: ['The server answers with an HTTP error.', 'A user has a uid.'],
  },
  {
    pattern:
      /\b(?:user|caller|person|author|reader|developer)s? which\b|\b(?:server|client|object|port|process|method|kind|field|controller|manager|request|file|option) who\b/i,
    advice: 'write "who" for persons and "that" for things',
    wrong: 'The port who is used by the server is random.',
    right: ['The port that the server uses is random.', 'The user who has no permission gets an error.'],
  },
  {
    pattern: /\b(?:allow|permit|enable|prevent)s? to\b/i,
    advice: 'name who can do it: "allows the caller to …"',
    wrong: 'The option allows to list pods.',
    right: ['The option allows the client to list pods.', 'The client is allowed to list pods.'],
  },
  {
    pattern: /\b(?:could|would|should|must|might|may) of\b/i,
    advice: 'write "have"',
    wrong: 'The manager could of stopped.',
    right: ['The manager could have stopped.'],
  },
  {
    pattern:
      /(?:(?<=^|[.:;] )|\b(?:when|if|because|until) )its (?:a|an|the|not|done)\b|\beach others\b(?!')|\bit's (?:own|name|status|spec|value|key|kind|uid)\b/i,
    advice: 'check the apostrophe',
    wrong: "The manager starts it's own server.",
    right: ['The manager starts its own server.'],
  },
  {
    pattern:
      /\b(?:has|have|had|is|was|were|been) (?:ran|wrote|began|went|took|gave|chose|broke|came|saw|did|fell|became|threw|knew)\b/i,
    advice: 'use the past participle',
    wrong: 'The object was wrote by the controller.',
    right: ['The object was written by the controller.'],
  },
  {
    pattern: words(
      `\\b${BE} (?:not )?(?:apply|create|delete|hold|notify|reconcile|remove|restart|retry|send|update|write)(?= (?:about|after|again|before|by|if|in|the|when|with)\\b|[.;:]|$)`,
    ),
    advice: 'use the past participle',
    wrong: 'The request will be retry after the delay.',
    right: [
      'The request will be retried after the delay.',
      'The connection must be open.',
      'The verbs are create, delete and list.',
    ],
  },
  {
    pattern: /\ban other\b|\bthe another\b/i,
    advice: 'this form does not exist',
    wrong: 'Returns the another object.',
    right: ['Returns another object, or the other objects.'],
  },
  {
    pattern:
      /\bmore (?:faster|slower|larger|smaller|older|newer|longer|shorter|higher|lower|simpler|easier|better|worse|fewer|less)\b/i,
    advice: 'remove "more"',
    wrong: 'A watch is more faster than a list.',
    right: ['A watch is faster than a list.'],
  },
  {
    pattern:
      /\bdepend(?:s|ed|ing)? of\b|\bconsist(?:s|ed|ing)? in\b|\bdifferent (?:than|to)\b|\bdespite of\b|\bdiscuss(?:es|ed)? about\b/i,
    advice: 'use another preposition',
    wrong: 'The value depends of the option.',
    right: ['The value depends on the option.'],
  },
  {
    pattern: words(`\\bless (?:files|keys|names|requests|watches|${NOUNS})\\b`),
    advice: 'write "fewer"',
    wrong: 'Caches less objects than before.',
    right: ['Caches fewer objects than before.'],
  },
  {
    pattern: /\p{L} [,;](?= )|,,|(?<=\p{Ll}\p{Ll})\.\.(?=\s|$)/u,
    advice: 'check the punctuation',
    wrong: 'The reflector resumes , if the watch ends.',
    right: ['The reflector resumes if the watch ends.'],
  },
];
