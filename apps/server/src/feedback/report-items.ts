import { createHmac } from 'node:crypto'
import { isObject } from '@firsthand/protocol'
import { readSentTags } from '../event/index.ts'
import type { ErrorSteps } from '../issues/index.ts'
import type { ItemKind, Outcome } from '../ingest/index.ts'
import { err, ok } from '../lib/result.ts'
import type { Result } from '../lib/result.ts'
import type { Drop } from '../ingest/index.ts'
import type { RowWriter } from '../storage/telemetry/row-writer.ts'
import type { FeedbackVerdict, LedgerFeedback } from './feedback.store.ts'
import { applyReports } from './ledger/apply-reports.ts'
import { readFeedback, readUserReport } from './read-feedback.ts'
import { encodeReport, REPORTS } from './telemetry/report-rows.ts'
import { cleanId } from './text.ts'
import { threadToken } from './thread-link.ts'

/** What a report is judged by, and the report. */
type ReadReport = Pick<LedgerFeedback, 'report' | 'addressHash' | 'threadToken' | 'spam'>

/** Name of the kind, by which its news are known. */
export const REPORT_ITEMS = 'reports'

/** Items by which visitors say something (protocol.md 3.5). Each becomes one report of the inbox. */
export const createReportItems = ({
  normalise,
  scrub,
  readJson,
  addressKey,
  threadKey,
  writer,
}: Pick<ErrorSteps, 'normalise' | 'scrub'> & {
  /** Bytes of a stranger to a JSON value that is safe to walk. */
  readonly readJson: (bytes: Uint8Array) => Result<{ readonly value: unknown }, Drop>
  /** Keys the hash of addresses. */
  readonly addressKey: Uint8Array
  /** Keys the private links to threads. */
  readonly threadKey: Uint8Array
  readonly writer: Pick<RowWriter, 'insertRows'>
}): ItemKind<ReadReport, undefined, FeedbackVerdict> => ({
  name: REPORT_ITEMS,
  takes: ['feedback', 'user_report'],
  leads: ['feedback'],
  expand: (item, { settings }) => {
    const json = readJson(item.item.payload)
    if (!json.ok) return json
    const { spam, reply } = settings.feedback
    const { projectId } = item.sender
    const sent = { projectId, eventId: item.eventId ?? '', payload: item.item.payload }
    const about = {
      addressHash: hashAddress(addressKey, item.sender.clientAddress),
      threadToken: reply.page ? threadToken(threadKey, sent) : null,
      spam,
    }
    if (item.item.header.type === 'user_report') {
      const report = readUserReport(json.value.value, {
        eventId: item.eventId,
        receivedAt: item.receivedAt,
        userAgent: item.sender.userAgent,
      })
      return report === null ? err(EMPTY) : ok({ ...about, report })
    }
    const { value } = json.value
    if (!isObject(value)) return err(invalid('invalid_event', 'The payload of feedback must be a JSON object.'))
    // The text is a visitor's and is kept whole; everything around it is read like an event.
    const { type: _type, contexts, ...rest } = value
    const { feedback, ...others } = isObject(contexts) ? contexts : {}
    const payload = Buffer.from(JSON.stringify({ ...rest, contexts: others }))
    const normalised = normalise({ payload, item: { ...item, item: { ...item.item, payload } } }, settings)
    if (!normalised.ok) return normalised
    const traceId = cleanId(item.header.trace?.['trace_id'])
    const report = readFeedback(feedback, scrub(normalised.value, settings), {
      sentTags: new Set(readSentTags(value).map(([key]) => key)),
      traceId,
    })
    if (report === null) return err(EMPTY)
    return ok({ ...about, report })
  },
  apply: async (work, entries) => {
    const verdicts = await applyReports(
      work,
      entries.map(({ item, value, followers }) => ({
        organizationId: item.sender.organizationId,
        projectId: item.sender.projectId,
        keyId: item.sender.keyId,
        receivedAt: item.receivedAt,
        attachments: followers,
        ...value,
      })),
    )
    return verdicts.map((verdict) =>
      verdict.kind === 'stored'
        ? { isStored: true, stored: verdict }
        : { isStored: false, outcome: outcomeOf(verdict) },
    )
  },
  write: async (stored, to) => {
    // What is held for spam is told to nobody, and one that takes another's place is no further report.
    const counted = stored
      .map((one, index) => ({ ...one, index }))
      .filter(({ stored: verdict }) => verdict.kind === 'stored' && verdict.status === 'open' && !verdict.isReplacing)
    const rows = counted.map(({ entry: { followers, item, value } }) =>
      encodeReport(item, value.report, { addressHash: value.addressHash, attachments: followers }),
    )
    const refused = await writer.insertRows(REPORTS, rows, to)
    return new Map([...refused].map(([place, reason]) => [counted[place]?.index ?? place, reason]))
  },
  announce: (stored) =>
    [...Map.groupBy(stored, ({ entry }) => entry.item.sender.projectId)].flatMap(([projectId, [first]]) =>
      first === undefined ? [] : [{ organizationId: first.entry.item.sender.organizationId, projectId, data: null }],
    ),
})

const outcomeOf = (verdict: Exclude<FeedbackVerdict, { kind: 'stored' }>): Outcome =>
  verdict.kind === 'duplicate'
    ? { kind: 'duplicate', reason: 'duplicate' }
    : { kind: 'invalid', reason: verdict.reason }

const invalid = (reason: string, detail: string): Drop => ({ outcome: { kind: 'invalid', reason }, detail })

const EMPTY = invalid('empty_feedback', 'Nothing was said: the message is missing or blank.')

const hashAddress = (secret: Uint8Array, address: string | null): string =>
  address === null ? '' : createHmac('sha256', secret).update(address).digest('hex').slice(0, 32)
