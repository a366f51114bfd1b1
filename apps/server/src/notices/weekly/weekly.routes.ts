import { getWeeklyReport } from '@firsthand/contract'
import { mailOfMessage } from '../../channels/index.ts'
import { bind, type Route } from '../../http/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { NoticeSettingsStore } from '../ledger/settings.ts'
import { composeWeek } from './compose-week.ts'
import type { WeekReader } from './read-week.ts'
import { isEmptyWeek, type WeekIssue } from './week.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000

/** What Monday's mail would say now. */
export const createWeeklyRoutes = ({
  reader,
  settings,
  clock,
  publicUrl,
  linksOf,
}: {
  readonly reader: WeekReader
  readonly settings: Pick<NoticeSettingsStore, 'of'>
  readonly clock: Clock
  readonly publicUrl: string
  /** Of the foot of the mail. */
  readonly linksOf: (userId: number, organizationSlug: string) => { unsubscribeUrl: string; settingsUrl: string }
}): Route[] => [
  bind(getWeeklyReport, async ({ request: { caller, organization } }) => {
    const now = clock.now()
    const { zone } = await settings.of(caller.user.id)
    const week = await reader.week(organization.id, { from: now - WEEK_MS, to: now })
    const waiting = await reader.waiting(organization.id, organization.slug, caller.user.id)
    const message = composeWeek(week, waiting, {
      organizationSlug: organization.slug,
      organizationName: organization.name,
      zone,
    })
    const issues = (found: readonly WeekIssue[]) =>
      found.map((issue) => ({
        ...issue,
        id: String(issue.id),
        path: `/organizations/${organization.slug}/issues/${issue.id}`,
      }))
    return {
      body: {
        from: toDate(week.from),
        to: toDate(week.to),
        isEmpty: isEmptyWeek(week, waiting),
        new: issues(week.new),
        worse: issues(week.worse),
        fixed: issues(week.fixed),
        back: issues(week.back),
        quotes: week.quotes.map(({ reportId, text, by }) => ({
          text,
          by,
          path: `/organizations/${organization.slug}/feedback?report=${reportId}`,
        })),
        waiting: waiting.map((line) => ({ ...line })),
        mail: {
          subject: message.headline,
          ...mailOfMessage(message, { publicUrl, ...linksOf(caller.user.id, organization.slug) }),
        },
      },
    }
  }),
]
