import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { envelopeUrlOf, type Item, sendEnvelope } from './envelope.ts'
import { ISSUES, REPORTS, type SeedFrame, type SeedIssue, type SeedReport } from './seed-data.ts'
import { viewsOf } from './seed-views.ts'
import { readVisit, type Visit } from './seed-visit.ts'
import { newId, transactionEvent } from './traces.ts'

/** Sends what happened before anybody looked, as SDKs would. Environment: FIRSTHAND_DEMO_DSN. */

const RELEASES = ['kettle-shop@2.4.0', 'kettle-shop@2.3.1']
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
  'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
]
const PICTURE = join(import.meta.dirname, 'seed-picture.jpg')
const SHOP_URL = 'https://kettle.example'
/** Who is on the recorded visit. */
const VISIT_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const SHOPPER = { id: '42', email: 'robin@example.com', username: 'Robin' }

/** The recorded visit is the one in which the first issue happened last. */
const VISIT_ISSUE = 0
const VISIT_REPORT = 0

const pick = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % list.length]

const frameOf = ({ context, filename, ...frame }: SeedFrame): object => ({
  ...frame,
  filename,
  colno: 12,
  in_app: !filename.includes('react-dom'),
  ...(context !== undefined && { context_line: context }),
})

const eventOf = (
  issue: SeedIssue,
  { eventId, timestamp, index, visit }: { eventId: string; timestamp: number; index: number; visit: Visit | null },
): object => {
  const minutesAgo = (Date.now() / 1000 - timestamp) / 60
  const frames = issue.frames.map(frameOf)
  const { type, value, cause, handled } = issue
  return {
    event_id: eventId,
    timestamp,
    platform: 'javascript',
    level: 'error',
    environment: 'demo',
    release: pick(RELEASES, minutesAgo > 2000 ? 1 : 0),
    transaction: issue.transaction,
    request: {
      url: `${SHOP_URL}${issue.transaction}`,
      headers: { 'User-Agent': visit === null ? pick(AGENTS, index) : VISIT_AGENT },
    },
    user: visit === null ? { id: String(100 + index), ip_address: `192.0.2.${index + 10}` } : SHOPPER,
    ...(visit !== null && { contexts: { trace: visit.error.trace, replay: { replay_id: visit.replayId } } }),
    sdk: { name: 'firsthand.javascript.browser', version: '0.1.0' },
    exception: {
      values: [
        ...(cause === undefined
          ? []
          : [
              {
                ...cause,
                mechanism: { type: 'chained', handled, source: 'cause', exception_id: 1, parent_id: 0 },
                stacktrace: { frames },
              },
            ]),
        { type, value, mechanism: { type: 'generic', handled, exception_id: 0 }, stacktrace: { frames } },
      ],
    },
    breadcrumbs: issue.breadcrumbs.map((breadcrumb, at) => ({
      level: 'info',
      ...breadcrumb,
      timestamp: timestamp - 20 + at * 5,
    })),
  }
}

const reportOf = (
  report: SeedReport,
  { eventId, about, index, visit }: { eventId: string; about: string | undefined; index: number; visit: Visit | null },
): object => ({
  event_id: eventId,
  type: 'feedback',
  level: 'info',
  timestamp: visit?.report.at ?? Date.now() / 1000 - index * 60,
  platform: 'javascript',
  environment: 'demo',
  release: RELEASES[0],
  request: {
    url: `${SHOP_URL}${report.path}`,
    headers: { 'User-Agent': visit === null ? pick(AGENTS, index) : VISIT_AGENT },
  },
  ...(report.tags !== undefined && { tags: report.tags }),
  contexts: {
    feedback: {
      message: report.message,
      name: report.name,
      contact_email: report.email,
      url: `${SHOP_URL}${report.path}`,
      source: 'widget',
      // Long enough for a person: the spam rules look at how fast a form was filled in.
      fill_ms: 20_000 + index * 7000,
      ...(report.fields !== undefined && { fields: report.fields }),
      ...(about !== undefined && { associated_event_id: about }),
      ...(visit !== null && { replay_id: visit.replayId }),
    },
  },
})

const pictureItem = (): Item[] => {
  if (!existsSync(PICTURE)) return []
  const header = { type: 'attachment', filename: 'screenshot.jpg', content_type: 'image/jpeg' }
  return [[header, new Uint8Array(readFileSync(PICTURE))]]
}

const url = envelopeUrlOf(process.env['FIRSTHAND_DEMO_DSN'] ?? '')
const now = Date.now() / 1000

for (const transaction of viewsOf(now, SHOP_URL, RELEASES, AGENTS)) {
  const eventId = newId()
  await sendEnvelope(url, eventId, [[{ type: 'transaction' }, transactionEvent(transaction, eventId)]])
}
const visit = readVisit(now - (ISSUES[VISIT_ISSUE]?.minutesAgo[0] ?? 0) * 60)
for (const items of visit.envelopes) await sendEnvelope(url, visit.replayId, items)

const newest: string[] = []
for (const [at, issue] of ISSUES.entries()) {
  for (const [index, minutesAgo] of issue.minutesAgo.toReversed().entries()) {
    const isOfVisit = at === VISIT_ISSUE && index === issue.minutesAgo.length - 1
    const eventId = isOfVisit ? visit.error.id : newId()
    const given = { eventId, timestamp: now - minutesAgo * 60, index, visit: isOfVisit ? visit : null }
    await sendEnvelope(url, eventId, [[{ type: 'event' }, eventOf(issue, given)]])
    newest[at] = eventId
  }
}
for (const [index, report] of REPORTS.entries()) {
  const isOfVisit = index === VISIT_REPORT
  const eventId = isOfVisit ? visit.report.id : newId()
  const about = report.about === undefined ? undefined : newest[report.about]
  const item = reportOf(report, { eventId, about, index, visit: isOfVisit ? visit : null })
  await sendEnvelope(url, eventId, [[{ type: 'feedback' }, item], ...(report.hasPicture === true ? pictureItem() : [])])
}
