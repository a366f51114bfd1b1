/** Limits of what is shown of people, and of what they are told. */
export const LIMITS = {
  /** Between a resolution and the first mail: until then somebody may change it or take it back. */
  TELLING_DELAY_MS: 10 * 60_000,
  /** After something happened, how long it takes at most until it is looked at. */
  TELLING_INTERVAL_MS: 5000,
  /** Tellings of one step, and people of one transaction. */
  TELLINGS_PER_STEP: 20,
  /** Tellings that wait for a release, of one look. */
  TELLINGS_PER_LOOK: 5000,
  TOLD_PER_TRANSACTION: 200,
  /** Addresses to which a project writes by itself; of more, a person has to say that they are told. */
  TELLING_UNASKED_ADDRESSES: 20,
  /** Reports of an issue, the newest, whose writers are told. */
  TELLING_REPORTS: 5000,
  /** People that a preview names, on either side; its totals tell of all. */
  TELLING_PEOPLE_SHOWN: 100,
  /** Of what somebody wrote, in what they are told. */
  TELLING_QUOTE_CHARS: 300,
  /** Beginning of what was said, on the page of an issue; and the newest messages of each thread. */
  SAID_CHARS: 4000,
  SAID_THREAD_MESSAGES: 20,
  /** Without a period, a person is shown over so many days. */
  PERSON_DAYS: 30,
  /** Names under which one person was seen that are followed: ids, names and addresses lead to others. */
  PERSON_NAMES: 20,
  /** Entries of one page of a person's time, and those of one moment that a cursor passes over. */
  PERSON_ENTRIES: 100,
  PERSON_SAME_MOMENT: 10_000,
  /** Of a message, a log line, a title in it. */
  PERSON_TEXT_CHARS: 1000,
  /** Pages of a replay that are named. */
  PERSON_REPLAY_URLS: 10,
  /** Issues of a person, and values of what they use. */
  PERSON_ISSUES: 20,
  PERSON_VALUES: 5,
  /** What the engine may take for one of the questions about a person. */
  PERSON_READ_SECONDS: 10,
  /** People that a search finds, those seen last. The contract says the same; whoever digests does not load that. */
  PEOPLE_FOUND: 20,
  /** Between the request that a person is erased and its beginning: until then it can be taken back. */
  ERASURE_DELAY_MS: 10 * 60_000,
  /** How often it is looked for erasures that are due, or wait until what came before them is stored. */
  ERASURE_INTERVAL_MS: 2000,
  /** Erasures of one organisation that wait or are under way. */
  ERASURES_WAITING: 20,
  /** Those that a list gives, the last ones. */
  ERASURES_SHOWN: 50,
  /** What the engine may take for one of the counts of what would be erased. */
  ERASURE_READ_SECONDS: 30,
  /** … and of what is erased, for which nobody waits. */
  ERASURE_COUNT_SECONDS: 600,
  /** After an erasure failed, until it is tried again: twice as long each time … */
  ERASURE_RETRY_MS: 10_000,
  /** … up to this. */
  ERASURE_RETRY_MAX_MS: 60 * 60_000,
} as const
