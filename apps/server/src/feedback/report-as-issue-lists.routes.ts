import {
  compareIssueTags,
  getIssueStats,
  getIssueTag,
  listIssueHashes,
  listIssueTags,
  listIssueTagValues,
  unmergeIssueHashes,
} from '@firsthand/contract'
import type { IssueTag } from '@firsthand/contract'
import { badRequest, bindFor, notFound, orBadRequest, readPage, toPage } from '../http/index.ts'
import type { Route } from '../http/index.ts'
import { fillBuckets, lastDays, readInterval, readPeriod, SEARCH_LIMITS } from '../search/index.ts'
import { dateOf } from './feedback-json.ts'
import type { FeedbackRow } from './inbox.store.ts'
import { findByReference, isReport, occurrencesOf, type ReportAsIssueParts } from './report-as-issue.routes.ts'
import { tagsOf } from './report-as-event.ts'

/** Tags, hashes and counts of a report that was found among issues. What reports do not have is refused, with the reason. */
export const createReportAsIssueListRoutes = (parts: ReportAsIssueParts): Route[] => [
  bindFor(listIssueTags, isReport, async ({ params, query, request }) => {
    const tags = issueTagsOf(await findByReference(parts, request, params.issue))
    const { key } = query
    return { body: key === undefined ? tags : tags.filter((tag) => key.includes(tag.key)) }
  }),
  bindFor(getIssueTag, isReport, async ({ params, request }) => {
    const tag = issueTagsOf(await findByReference(parts, request, params.issue)).find(({ key }) => key === params.key)
    if (tag === undefined) throw notFound()
    return { body: tag }
  }),
  bindFor(listIssueTagValues, isReport, async ({ params, query, request }) => {
    const asked = readPage(query)
    const containing = (query.query ?? '').toLowerCase()
    const values = issueTagsOf(await findByReference(parts, request, params.issue))
      .filter(({ key }) => key === params.key)
      .flatMap(({ topValues }) => topValues)
      .filter(({ value }) => value.toLowerCase().includes(containing))
    const { rows, page } = toPage(values.slice(asked.offset), asked)
    return { body: rows, page }
  }),
  bindFor(compareIssueTags, isReport, async ({ params, request }) => {
    await findByReference(parts, request, params.issue)
    throw badRequest('A report of a visitor is compared with no other events. Its own tags are at …/tags/.')
  }),
  bindFor(listIssueHashes, isReport, async ({ params, query, request }) => {
    await findByReference(parts, request, params.issue)
    // Reports are put together by people and by their words, never by a hash.
    return { body: [], page: toPage([], readPage(query)).page }
  }),
  bindFor(unmergeIssueHashes, isReport, async ({ params, request }) => {
    await findByReference(parts, request, params.issue)
    throw badRequest(
      'Reports of visitors have no hashes. Those that stand under one are taken apart at /organizations/{org}/feedback/unmerge/.',
    )
  }),
  bindFor(getIssueStats, isReport, async ({ params, query, request }) => {
    const { clock } = parts
    const record = await findByReference(parts, request, params.issue)
    const period = orBadRequest(readPeriod(query, clock.now())) ?? lastDays(clock.now(), 14)
    const buckets = readInterval(query.interval, period, SEARCH_LIMITS.CHART_BUCKETS)
    const environments = (query.environment ?? []).filter((name) => name !== '')
    const counts = new Map<number, number>()
    for (const { createdAt, environment } of await occurrencesOf(parts, request, record)) {
      if (createdAt < period.from || createdAt >= period.to) continue
      if (environments.length > 0 && !environments.includes(environment)) continue
      const bucket = Math.floor((createdAt / 1000 - buckets.start) / buckets.interval)
      counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    }
    return {
      body: {
        data: fillBuckets(buckets, counts),
        start: dateOf(buckets.start * 1000),
        end: dateOf((buckets.start + buckets.count * buckets.interval) * 1000),
        intervalSeconds: buckets.interval,
      },
    }
  }),
]

const issueTagsOf = (record: FeedbackRow): IssueTag[] => {
  const date = dateOf(record.createdAt)
  return tagsOf(record).map(({ key, value }) => ({
    key,
    name: key,
    totalValues: 1,
    uniqueValues: 1,
    topValues: [{ key, name: value, value, count: 1, firstSeen: date, lastSeen: date }],
  }))
}
