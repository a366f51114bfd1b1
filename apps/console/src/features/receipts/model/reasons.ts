import type { ClientReportReason } from '@firsthand/protocol'
import type { Outcome } from './receipts.ts'

/** Why an item ended so, for a person, and what to do about it. */
export interface Explanation {
  readonly why: string
  readonly todo: string
  /** The tab of the project's settings where it can be changed. */
  readonly setting?: 'general' | 'keys' | 'filters' | 'scrubbing' | 'grouping'
}

const explain = (why: string, todo: string, setting?: Explanation['setting']): Explanation => ({
  why,
  todo,
  ...(setting !== undefined && { setting }),
})

/** Left out by a rule of the project. */
const FILTERED: Readonly<Record<string, Explanation>> = {
  browser_extension: explain(
    'Caused by a browser extension, not by your code.',
    'Nothing to do; or switch the filter off.',
    'filters',
  ),
  localhost: explain(
    'It came from a development machine (localhost).',
    'Switch the filter off to see these.',
    'filters',
  ),
  deleted_replay: explain(
    'Its replay was deleted.',
    'Nothing to do: what its visitor does from the next replay on is kept.',
  ),
  web_crawler: explain(
    'A search engine or another robot ran the page.',
    'Nothing to do; or switch the filter off.',
    'filters',
  ),
  legacy_browser: explain(
    'The browser is too old for most sites.',
    'Switch the filter off if you support it.',
    'filters',
  ),
  release: explain(
    'Its release is on the list of releases to leave out.',
    'Take the pattern off the list to see it.',
    'filters',
  ),
  error_message: explain(
    'Its message matches the list of messages to leave out.',
    'Take the pattern off the list to see it.',
    'filters',
  ),
  ip_address: explain(
    'Its address is on the list of addresses to leave out.',
    'Take the address off the list to see it.',
    'filters',
  ),
  discarded_hash: explain(
    'Its issue was deleted with “drop future events”.',
    'New issues of this kind are dropped until the rule is removed.',
  ),
  cors: explain(
    'The page it came from is not on the list of allowed domains.',
    'Add the domain to the list.',
    'general',
  ),
  sample_rate: explain('Sampling leaves out a share of these.', 'Raise the sample rate in the SDK to get more.'),
  unsupported_item_type: explain(
    'Metrics of SDK 7 and 8, which no longer exist in SDK 9.',
    'Update the SDK, or switch its metrics off.',
  ),
}

/** More than a limit allows, or no room. */
const RATE_LIMITED: Readonly<Record<string, Explanation>> = {
  check_in_rate: explain(
    'More check-ins of one monitor and environment in a minute than `CHECK_INS_PER_MINUTE`.',
    'Check in at the beginning and the end of a run, not while it goes on.',
  ),
  key_quota: explain(
    'The key’s own rate limit was reached.',
    'Raise the limit of the key, or find out what sends so much.',
    'keys',
  ),
  key_byte_quota: explain(
    'The key sent more data than it may in an hour or a day.',
    'Raise the data per day of the key, or find out what sends so much.',
    'keys',
  ),
  organization_byte_quota: explain(
    'The organisation sent more data than it may in an hour or a day.',
    'Raise its data per day in the settings of the organisation, or FIRSTHAND_ORGANIZATION_BYTES_PER_DAY on the server.',
  ),
  spike_protection: explain(
    'The project sent ten times as many events as in a usual hour, so the rest of the hour was held back.',
    'Find out what sends so much; or switch spike protection off in the settings of the project.',
    'keys',
  ),
  storage_full: explain(
    'The server’s disk is nearly full, so it refused what it could not store.',
    'Free disk space or shorten the retention.',
  ),
  storage_gone: explain(
    'The server’s data folder was removed or replaced while it ran, so nothing could be stored.',
    'Put the folder back, or start the server again.',
  ),
  backlog: explain(
    'The server is too far behind with its work.',
    'It catches up by itself; give it a faster disk if this repeats.',
  ),
  organization_backlog: explain(
    'So much of this organisation waits to be processed that the rest of the queue is kept for others.',
    'It catches up by itself; look for what sends so much, and give the server a faster disk if this repeats.',
  ),
  project_backlog: explain(
    'So many recordings of this project wait to be processed that the queue is kept for others.',
    'It catches up by itself; look for what sends so much, or record fewer sessions.',
  ),
  overloaded: explain('Too many large requests arrived at once.', 'The SDK sends again later by itself.'),
}

/** Could not be read, or too large. */
const INVALID: Readonly<Record<string, Explanation>> = {
  too_large: explain(
    'Larger than allowed for this kind of item.',
    'Send less with it: shorter breadcrumbs, smaller attachments.',
  ),
  too_many_items: explain('More items in one envelope than allowed.', 'Check a proxy or relay that merges envelopes.'),
  invalid_json: explain('The JSON is broken or cut off.', 'Often a proxy that shortens bodies; check its limits.'),
  json_too_deep: explain('The JSON is nested deeper than allowed.', 'Send flatter extra data and contexts.'),
  invalid_envelope: explain(
    'It is not an envelope in the Sentry protocol.',
    'Check that the DSN’s path is used by an SDK only.',
  ),
  invalid_encoding: explain('The compression is broken or unknown.', 'Check proxies that touch Content-Encoding.'),
  invalid_auth: explain(
    'The DSN inside the envelope is broken, or names another key than the request.',
    'Use one DSN in the application; check a tunnel that adds its own.',
    'keys',
  ),
  foreign_dsn: explain(
    'A tunnelled envelope named the DSN of another server.',
    'Set FIRSTHAND_PUBLIC_URL to the address in your DSN.',
  ),
  foreign_project: explain(
    'The key belongs to another project than the one in the path.',
    'Copy the DSN again.',
    'keys',
  ),
  disabled_key: explain('The key is switched off.', 'Switch it on, or give the application another DSN.', 'keys'),
  unknown_project: explain('The project does not exist any more.', 'Give the application another DSN.'),
  empty_envelope: explain(
    'The request held no items at all.',
    'Usually harmless: an SDK that had nothing left to send.',
  ),
  invalid_multipart: explain('The upload form is broken or cut off.', 'Check the limits of proxies in between.'),
  invalid_minidump: explain('The crash dump could not be read.', 'Check that the file is a minidump and complete.'),
  missing_minidump: explain('The upload holds no crash dump.', 'Name the file upload_file_minidump.'),
  invalid_event_id: explain('The event id is not 32 hexadecimal digits.', 'Update the SDK.'),
  invalid_event: explain(
    'The payload of an event is JSON, but not an object.',
    'Check what writes it; update the SDK.',
  ),
  invalid_span: explain(
    'A span has no trace id, span id, start or end; of a container, only that span is left out.',
    'Update the SDK.',
  ),
  invalid_transaction: explain('A transaction has no trace context, or no start or end.', 'Update the SDK.'),
  invalid_profile: explain(
    'A profile has no id, or no samples with stacks and frames that can be read.',
    'Update the SDK. Traces that SDKs for Android send in place of samples are not read.',
  ),
  invalid_replay: explain('It does not say which segment of which replay it is.', 'Update the SDK.'),
  broken_recording: explain(
    'The recording of a replay’s segment is cut off, not compressed as SDKs do it, or larger than `REPLAY_INFLATED_BYTES`: it is kept, and the replay says that it cannot be played.',
    'Look for a proxy that changes or shortens bodies.',
  ),
  too_many_spans: explain(
    'One item holds more spans than `SPANS_PER_ITEM`; the rest of them is left out.',
    'Make fewer spans, or flush more often.',
  ),
  invalid_log: explain(
    'A log line has no body (of OpenTelemetry: no body, attributes or event name); of a container or an export, only that line is left out.',
    'Update the SDK.',
  ),
  too_many_logs: explain(
    'One item holds more log lines than `LOGS_PER_ITEM`; the rest of them is left out.',
    'Flush more often.',
  ),
  invalid_session: explain(
    'A session has no id or beginning; of sessions that a server added up, a count has no beginning or counts nothing, and only it is left out.',
    'Update the SDK.',
  ),
  invalid_release: explain(
    'A session names no release, or one whose name cannot be a release’s.',
    'Set `release` in the SDK.',
  ),
  session_too_old: explain(
    'A session began more than 5 days before it arrived.',
    'Nothing, if the device was offline for so long; else look at its clock.',
  ),
  session_in_future: explain('A session began later than it arrived.', 'Look at the clock of the device.'),
  too_many_sessions: explain(
    'One item holds more counts than `SESSION_COUNTS_PER_ITEM`; the rest of them is left out.',
    'Flush more often.',
  ),
  invalid_metric: explain(
    'A metric has no name, no type that is known, or no finite value; of a container or an export, only that value is left out.',
    'Look at what is measured; update the SDK.',
  ),
  unaddable_metric: explain(
    'A histogram of OpenTelemetry counts from its beginning on, or is a summary: neither can be added up.',
    'Set `OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=delta` where the exporter runs.',
  ),
  too_many_metrics: explain(
    'One item holds more values than `METRICS_PER_ITEM`; the rest of them is left out.',
    'Flush more often.',
  ),
  unknown_monitor: explain(
    'A check-in names a monitor that the project does not have.',
    'Make it first, or send its schedule along (monitor_config, or `?schedule=` by URL).',
  ),
  invalid_monitor_config: explain(
    'A check-in would make a monitor, but its schedule cannot be read.',
    'Look at the schedule: a crontab line has five fields, and a time zone is written like Europe/Berlin.',
  ),
  monitor_is_disabled: explain('The monitor is switched off.', 'Switch it on, or stop sending.'),
  monitor_is_deleted: explain(
    'The monitor was deleted a moment ago.',
    'Nothing to do; if it is still needed, undo the deletion.',
  ),
  too_many_monitors: explain(
    'The project has as many monitors as it may (`MONITORS_PER_PROJECT`).',
    'Delete those that are not needed; look for a job that makes up names.',
  ),
  too_many_environments: explain(
    'The monitor, or all monitors of the project together, have as many environments as they may (`MONITOR_ENVIRONMENTS`, `MONITOR_ENVIRONMENTS_PER_PROJECT`).',
    'Remove those that are not needed; an environment is not the place for a host or a date.',
  ),
  wrong_item_type: explain(
    'A transaction or a feedback came as an item of type event.',
    'Update the SDK, or the program that wraps envelopes.',
  ),
  invalid_check_in: explain(
    'The check-in lacks its monitor or status.',
    'Compare it with the documentation of check-ins.',
  ),
  unsupported_media_type: explain('This address does not accept this content type.', 'Send it as the SDKs do.'),
  tiny_pieces: explain(
    'The body came in pieces of a few bytes each.',
    'No client does this by itself: something between it and the server cuts bodies up.',
  ),
  body_timeout: explain(
    'The body did not arrive in time.',
    'A slow or broken connection; SDKs send again by themselves.',
  ),
  unknown_item_type: explain('This kind of item is not known here.', 'It is counted and skipped; update Firsthand.'),
  invalid_report: explain('A report about an event without the event or the text.', 'Send `event_id` and `comments`.'),
  empty_feedback: explain('Feedback without a message.', 'Require a message in the form.'),
  unsupported_report: explain(
    'A browser report of a kind that is not known here.',
    'Nothing to do; such reports are skipped.',
  ),
  inflation: explain(
    'It inflated to more than 32 MiB and more than 200 times its compressed size.',
    'If it was yours, send it in smaller pieces: up to 32 MiB it may inflate to any number of times its size.',
  ),
  internal_error: explain(
    'Firsthand failed while working on it.',
    'Please report it with the lines of the server’s log that name the event’s id.',
  ),
  damaged_on_disk: explain(
    'It was damaged on the server’s disk.',
    'Check the disk; the log of the server names the place.',
  ),
}

/** What the SDKs themselves report as left out (client reports). */
const CLIENT: Readonly<Record<ClientReportReason | 'client_report_limit' | 'other', Explanation>> = {
  ratelimit_backoff: explain(
    'The SDK held it back because the server had asked for less.',
    'See “Rate limited” for the cause.',
    'keys',
  ),
  network_error: explain(
    'The request failed on the way: offline, or an ad blocker.',
    'A tunnel on your own domain helps against ad blockers.',
  ),
  queue_overflow: explain('Too much at once: the SDK’s queue was full.', 'Find the loop that reports so often.'),
  cache_overflow: explain('The device’s offline store was full.', 'Normal after a long time offline.'),
  buffer_overflow: explain('Too much at once: the SDK’s buffer was full.', 'Find the loop that reports so often.'),
  sample_rate: explain(
    'The SDK’s sample rate leaves out a share.',
    'Raise sampleRate or tracesSampleRate in the SDK to get more.',
  ),
  before_send: explain('Your own beforeSend returned nothing.', 'Fine if you meant it; otherwise check that function.'),
  event_processor: explain(
    'An event processor or integration left it out.',
    'Look at ignoreErrors, denyUrls and your own processors.',
  ),
  send_error: explain('The server answered with an error.', 'Look for “Invalid” and “Rate limited” at the same time.'),
  internal_sdk_error: explain('The SDK itself failed.', 'Update the SDK.'),
  insufficient_data: explain('It held too little (a profile that is too short, for example).', 'Nothing to do.'),
  backpressure: explain(
    'The application was too busy, so the SDK sampled less.',
    'Nothing to do; it recovers by itself.',
  ),
  no_parent_span: explain('A span had no parent to belong to.', 'Nothing to do, unless you expect it as a root span.'),
  ignored: explain(
    'It matches ignoreErrors or ignoreTransactions in the SDK.',
    'Intended; change the list in the SDK.',
  ),
  invalid: explain('The SDK found it invalid.', 'Update the SDK, or look at what is captured.'),
  callback_error: explain(
    'Your own callback (for example beforeSend) threw an error.',
    'Fix that function: nothing of this kind gets through.',
  ),
  client_report_limit: explain(
    'Client reports counted more than one minute allows; each of these is one entry that was cut.',
    'Check who else uses the DSN: the numbers are invented, or far beyond what one key should carry.',
    'keys',
  ),
  other: explain(
    'A client report gave a reason that is not a plain word, or too many reasons.',
    'Update the SDK; many different reasons come from somebody who invents them.',
  ),
}

const GENERAL: Readonly<Partial<Record<Outcome, Explanation>>> = {
  filtered: explain('Left out by a rule of the project.', 'Look at its filters.', 'filters'),
  rate_limited: explain('More than a limit allows.', 'Look at the limits of the keys.', 'keys'),
  invalid: explain('It could not be read.', 'Check the SDK’s version, and proxies in between.'),
  duplicate: explain('It was sent twice, usually after a lost answer.', 'Nothing to do: it is stored once.'),
  client_discard: explain('The SDK left it out.', ''),
  abuse: explain('Refused to protect the server.', 'Look at the server’s log.'),
}

/** Looks the reason up; one that is not in the catalogue gets its outcome's sentence. Null for `accepted`. */
export function explainReason(outcome: Outcome, reason: string): Explanation | null {
  const catalogue: Readonly<Partial<Record<Outcome, Readonly<Record<string, Explanation>>>>> = {
    filtered: FILTERED,
    rate_limited: RATE_LIMITED,
    invalid: INVALID,
    client_discard: CLIENT,
  }
  const specific = catalogue[outcome]
  const known = specific !== undefined && Object.hasOwn(specific, reason) ? specific[reason] : undefined
  return known ?? GENERAL[outcome] ?? null
}
