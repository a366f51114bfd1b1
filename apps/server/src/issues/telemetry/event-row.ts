import type { Frame, NormalisedEvent } from '../../event/event.ts'
import { eventMessage } from '../event-message.ts'
import type { GroupedEvent } from '../grouped.ts'
import type { EventToStore, StoredEvent } from '../events.store.ts'
import { oncePerRecurring } from '../../lib/recurring.ts'
import { LIMITS } from '../limits.ts'
import { flag, json, line, map, milliseconds, strings, text, uuid } from '../../storage/telemetry/tab-separated.ts'
import { encodeGrouping } from './stored-grouping.ts'

/** Columns of `events` in the order in which `eventPlace` and `eventColumns` write them; `payload`, the last, is written apart. */
export const EVENT_COLUMNS = [
  'organization_id',
  'project_id',
  'issue_id',
  'event_id',
  'timestamp',
  'received',
  'type',
  'level',
  'platform',
  'logger',
  'environment',
  'release',
  'dist',
  'transaction',
  'server_name',
  'title',
  'message',
  'culprit',
  'unhandled',
  'error_types',
  'error_values',
  'error_mechanisms',
  'stack_functions',
  'stack_filenames',
  'stack_modules',
  'user_key',
  'user_id',
  'user_email',
  'user_username',
  'user_ip',
  'http_method',
  'http_url',
  'trace_id',
  'span_id',
  'replay_id',
  'sdk_name',
  'sdk_version',
  'tags',
  'search_text',
  'grouping',
  'payload',
] as const

/** Title, message and error values in lower case, each once: what free text finds. */
const searchTextOf = ({ event, title }: GroupedEvent): string => {
  let found = title.title
  const words = [eventMessage(event), ...(event.exception?.values ?? []).map((exception) => exception.value ?? '')]
  for (const word of words) {
    if (word !== '' && !found.includes(word)) found += `\n${word}`
  }
  return found.slice(0, LIMITS.SEARCH_TEXT_CHARACTERS).toLowerCase()
}

interface StackWords {
  readonly functions: string[]
  readonly filenames: string[]
  readonly modules: string[]
}

const add = (words: string[], word: string | undefined): void => {
  if (word !== undefined && word !== '' && !words.includes(word)) words.push(word)
}

/** Distinct words of the frames, nearest to the throw first: what `stack.function:` and its kin search. */
const stackWords = (stacks: readonly (readonly Frame[])[]): StackWords => {
  const words: StackWords = { functions: [], filenames: [], modules: [] }
  let left: number = LIMITS.INDEXED_FRAMES
  for (const frames of stacks) {
    for (let index = frames.length - 1; index >= 0 && left > 0; index -= 1, left -= 1) {
      const frame = frames[index]
      add(words.functions, frame?.function)
      add(words.filenames, frame?.filename)
      add(words.modules, frame?.module)
    }
  }
  return words
}

const wordsOfStack = oncePerRecurring((frames: readonly Frame[]) => stackWords([frames]))

const wordsOf = (event: NormalisedEvent): StackWords => {
  const stacks = (event.exception?.values ?? []).toReversed().map(({ stacktrace }) => stacktrace?.frames ?? [])
  const [only] = stacks
  return stacks.length === 1 && only !== undefined ? wordsOfStack(only) : stackWords(stacks)
}

/** The columns that are known only when the ledger has spoken. */
export const eventPlace = (stored: Pick<StoredEvent, 'organizationId' | 'projectId' | 'issueId'>): string =>
  `${stored.organizationId}\t${stored.projectId}\t${stored.issueId}\t`

/** The columns behind, but for the last: the payload is by far the longest and never copied into a line with the others. */
export const eventColumns = (stored: EventToStore): string => {
  const { event, title, unhandled } = stored.grouped
  const exceptions = event.exception?.values ?? []
  const words = wordsOf(event)
  return line([
    uuid(event.event_id),
    milliseconds(event.timestamp * 1000),
    milliseconds(stored.receivedAt),
    text(event.type),
    text(event.level),
    text(event.platform),
    text(event.logger),
    text(event.environment ?? ''),
    text(event.release ?? ''),
    text(event.dist ?? ''),
    text(event.transaction ?? ''),
    text(event.server_name ?? ''),
    text(title.title),
    text(eventMessage(event)),
    text(title.culprit),
    flag(unhandled),
    strings(exceptions.map((exception) => exception.type ?? '')),
    strings(exceptions.map((exception) => exception.value ?? '')),
    strings(exceptions.map((exception) => exception.mechanism?.type ?? '')),
    strings(words.functions),
    strings(words.filenames),
    strings(words.modules),
    text(event.user?.sentry_user ?? ''),
    text(event.user?.id ?? ''),
    text(event.user?.email ?? ''),
    text(event.user?.username ?? ''),
    text(event.user?.ip_address ?? ''),
    text(event.request?.method ?? ''),
    text(event.request?.url ?? ''),
    text(stored.traceId ?? ''),
    text(stored.spanId ?? ''),
    text(stored.replayId ?? ''),
    text(event.sdk?.name ?? ''),
    text(event.sdk?.version ?? ''),
    map(event.tags),
    text(searchTextOf(stored.grouped)),
    json(encodeGrouping(stored.grouped)),
    '',
  ])
}
