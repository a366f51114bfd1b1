/** Limits of channels and of the messages that go out by them. */
export const LIMITS = {
  /** Of an organisation, deleted ones not counted. */
  CHANNELS_PER_ORGANIZATION: 100,
  CHANNEL_NAME_CHARS: 80,
  CHANNEL_MAIL_ADDRESSES: 20,
  /** A deleted one can be brought back for so long. */
  CHANNEL_RESTORE_MS: 24 * 60 * 60_000,
  /** While a secret changes, both are good. */
  CHANNEL_ROTATION_MS: 24 * 60 * 60_000,
  /** When nothing reached it for so long, in so many tries, it is switched off. */
  CHANNEL_FAILING_MS: 5 * 24 * 60 * 60_000,
  CHANNEL_FAILING_TRIES: 9,
  /** Messages to one receiver within an hour; more are held back, and one message says how many. */
  CHANNEL_MESSAGES_PER_HOUR: 30,
  /** Messages of an organisation to all its channels within an hour. */
  ORGANIZATION_MESSAGES_PER_HOUR: 500,
  /** Of what was held back or not sent in time, so many are named. */
  MESSAGES_NAMED: 5,
  /** One message as JSON; blocks of a larger one are left out. */
  MESSAGE_BYTES: 64 * 1024,
  /** From the look-up of the name to the end of the answer. */
  DELIVERY_TIMEOUT_MS: 15_000,
  /** Of an answer, read at most and kept at most. */
  DELIVERY_ANSWER_BYTES: 64 * 1024,
  DELIVERY_ANSWER_KEPT_CHARS: 4096,
  DELIVERY_REQUEST_KEPT_CHARS: 32 * 1024,
  /** Nobody else tries while a message is on its way, for so long. */
  DELIVERY_LEASE_MS: 60_000,
  /** The mail server greets, answers and takes each by itself. */
  DELIVERY_MAIL_LEASE_MS: 3 * 60_000,
  /** Tries of one message, the first at once; see `retry.ts` for the times between them. */
  DELIVERY_ATTEMPTS: 9,
  /** Of a mail: five days, one every half hour. */
  DELIVERY_MAIL_ATTEMPTS: 240,
  /** Tries of a message that one answer has, the last ones. */
  DELIVERY_ATTEMPTS_SHOWN: 20,
  /** The longest `Retry-After` that is waited for. */
  DELIVERY_RETRY_AFTER_MS: 24 * 60 * 60_000,
  /** Messages on their way at once: in all, of one organisation, to one host, to it of one organisation, and to the mail server. */
  DELIVERIES_AT_ONCE: 32,
  DELIVERIES_PER_ORGANIZATION_AT_ONCE: 4,
  DELIVERIES_PER_HOST_AT_ONCE: 4,
  DELIVERIES_PER_HOST_OF_ORGANIZATION: 2,
  DELIVERY_MAILS_AT_ONCE: 2,
  /** Failures in a row after which a host rests; it rests twice as long each time. */
  DELIVERY_HOST_FAILURES: 5,
  DELIVERY_HOST_REST_MS: 30_000,
  DELIVERY_HOST_LONGEST_REST_MS: 10 * 60_000,
  /** Hosts about which something is remembered. */
  DELIVERY_HOSTS: 10_000,
  /** A message that is so late is folded into a later one of its thread. */
  DELIVERY_FOLD_MS: 10 * 60_000,
  /** How often what is due is looked for while something lately was put into the outbox, and for how long after that. */
  OUTBOX_INTERVAL_MS: 250,
  OUTBOX_WATCH_MS: 10_000,
  /** And where nothing was. */
  OUTBOX_QUIET_MS: 30_000,
  /** What became of messages is known for so long. */
  OUTBOX_KEEP_MS: 30 * 24 * 60 * 60_000,
  /** Threads to which nothing was added for so long begin anew. */
  OUTBOX_THREAD_MS: 90 * 24 * 60 * 60_000,
  /** Rows that one step of forgetting takes. */
  OUTBOX_STEP_ROWS: 1000,
  /** Messages that one statement looks through for a person who is erased. */
  MENTIONS_PER_STEP: 200,
  /** Of these that name the person, those that one transaction changes: whoever writes meanwhile waits for it. */
  MENTIONS_CHANGED_AT_ONCE: 10,
} as const
