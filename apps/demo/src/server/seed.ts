import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { envelopeUrl, parseDsnParts } from '@firsthand/protocol'
import { ISSUES, REPORTS, type SeedFrame, type SeedIssue, type SeedReport } from './seed-data.ts'

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

const newId = (): string => crypto.randomUUID().replaceAll('-', '')
const pick = <Value>(list: readonly Value[], index: number): Value | undefined => list[index % list.length]

const frameOf = ({ context, filename, ...frame }: SeedFrame): object => ({
  ...frame,
  filename,
  colno: 12,
  in_app: !filename.includes('react-dom'),
  ...(context !== undefined && { context_line: context }),
})

const eventOf = (issue: SeedIssue, eventId: string, minutesAgo: number, index: number): object => {
  const timestamp = Date.now() / 1000 - minutesAgo * 60
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
    request: { url: `${SHOP_URL}${issue.transaction}`, headers: { 'User-Agent': pick(AGENTS, index) } },
    user: { id: String(100 + index), ip_address: `192.0.2.${index + 10}` },
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

const reportOf = (report: SeedReport, eventId: string, about: string | undefined, index: number): object => ({
  event_id: eventId,
  type: 'feedback',
  level: 'info',
  timestamp: Date.now() / 1000 - index * 60,
  platform: 'javascript',
  environment: 'demo',
  release: RELEASES[0],
  request: { url: `${SHOP_URL}${report.path}`, headers: { 'User-Agent': pick(AGENTS, index) } },
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
    },
  },
})

const send = async (
  url: string,
  eventId: string,
  type: string,
  payload: object,
  picture?: Uint8Array,
): Promise<void> => {
  const lines = [{ event_id: eventId }, { type }, payload].map((part) => JSON.stringify(part)).join('\n')
  const parts: Uint8Array[] = [Buffer.from(`${lines}\n`)]
  if (picture !== undefined) {
    const header = {
      type: 'attachment',
      filename: 'screenshot.jpg',
      content_type: 'image/jpeg',
      length: picture.byteLength,
    }
    parts.push(Buffer.from(`${JSON.stringify(header)}\n`), picture, Buffer.from('\n'))
  }
  const answer = await fetch(url, { method: 'POST', body: Buffer.concat(parts) })
  if (!answer.ok) throw new Error(`The server refused a ${type}: ${answer.status} ${await answer.text()}`)
}

const dsn = parseDsnParts(process.env['FIRSTHAND_DEMO_DSN'] ?? '')
if (dsn === undefined) throw new Error('FIRSTHAND_DEMO_DSN is no DSN. `npm run demo` sets it.')
const url = envelopeUrl(dsn)
const newest: string[] = []
for (const issue of ISSUES) {
  for (const [index, minutesAgo] of issue.minutesAgo.toReversed().entries()) {
    const eventId = newId()
    await send(url, eventId, 'event', eventOf(issue, eventId, minutesAgo, index))
    newest[ISSUES.indexOf(issue)] = eventId
  }
}
const picture = existsSync(PICTURE) ? new Uint8Array(readFileSync(PICTURE)) : undefined
for (const [index, report] of REPORTS.entries()) {
  const eventId = newId()
  const about = report.about === undefined ? undefined : newest[report.about]
  await send(
    url,
    eventId,
    'feedback',
    reportOf(report, eventId, about, index),
    report.hasPicture === true ? picture : undefined,
  )
}
