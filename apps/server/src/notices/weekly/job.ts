import type { Clock } from '../../lib/clock.ts'
import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Ledger } from '../../storage/index.ts'
import { localTime } from '../local-time.ts'
import { notify } from '../ledger/notify.ts'
import { readPeople } from '../ledger/people.ts'
import { paceOf, WAYS } from '../settings.ts'
import { composeWeek } from './compose-week.ts'
import type { WeekReader } from './read-week.ts'
import { isEmptyWeek, type Week } from './week.ts'

const WEEK_MS = 7 * 24 * 60 * 60_000
const MONDAY = 1
const NINE = 9 * 60

/** Zones are at most 14 hours ahead of UTC and 12 behind it: outside of these hours it is Monday nowhere. */
const isMondaySomewhere = (now: number): boolean =>
  [now - 12 * 60 * 60_000, now, now + 14 * 60 * 60_000].some((at) => localTime(at, 'UTC').weekday === MONDAY)

/**
 * Sends each member their weekly report: on Monday from 9:00 on, by their own clock, once. Where nothing happened and nothing
 * waits, none is sent.
 */
export const createWeeklyJob = ({
  ledger,
  reader,
  clock,
  logger,
}: {
  readonly ledger: Ledger
  readonly reader: WeekReader
  readonly clock: Clock
  readonly logger: Logger
}) => ({
  run: async (): Promise<void> => {
    const now = clock.now()
    if (!isMondaySomewhere(now)) return
    const organizations = await ledger.db.selectFrom('organizations').select(['id', 'slug', 'name']).execute()
    for (const organization of organizations) {
      try {
        await sendWeeks({ ledger, reader }, organization, now)
      } catch (error) {
        // Others have their Monday as well; this one is tried again with the next look.
        logger.warn('a weekly report could not be sent', { organization: organization.id, error: stackOf(error) })
      }
    }
  },
})

interface Organization {
  readonly id: number
  readonly slug: string
  readonly name: string
}

const sendWeeks = async (
  { ledger, reader }: { readonly ledger: Ledger; readonly reader: WeekReader },
  organization: Organization,
  now: number,
): Promise<void> => {
  const members = await ledger.db
    .selectFrom('members')
    .select('user_id')
    .where('organization_id', '=', organization.id)
    .where('user_id', 'is not', null)
    .execute()
  const people = await readPeople(
    ledger.db,
    organization.id,
    members.map((row) => row.user_id).filter((id) => id !== null),
  )
  // What the organisation went through is the same for all whose Monday this is.
  let read: Promise<Week> | null = null
  for (const person of people.values()) {
    const { date, minute, weekday } = localTime(now, person.zone)
    if (weekday !== MONDAY || minute < NINE) continue
    if (WAYS.every((way) => paceOf(person.settings, 'weekly', way, null) === 'never')) continue
    if (await hasWeek(ledger, organization.id, person.id, date)) continue
    read ??= reader.week(organization.id, { from: now - WEEK_MS, to: now })
    const week = await read
    const waiting = await reader.waiting(organization.id, organization.slug, person.id)
    const message = composeWeek(week, waiting, {
      organizationSlug: organization.slug,
      organizationName: organization.name,
      zone: person.zone,
    })
    await ledger.transaction(async (transaction) => {
      const row = { user_id: person.id, organization_id: organization.id, week: date }
      await transaction
        .insertInto('notice_weeks')
        .values(row)
        .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doUpdateSet({ week: date }))
        .execute()
      if (isEmptyWeek(week, waiting)) return
      await notify(
        transaction,
        [
          {
            organizationId: organization.id,
            userIds: [person.id],
            kind: 'weekly',
            issueId: null,
            reportId: null,
            actorId: null,
            key: `week:${organization.id}:${date}`,
            cause: `week:${date}`,
            message,
            isHigh: false,
          },
        ],
        now,
      )
    })
  }
}

const hasWeek = async ({ db }: Ledger, organizationId: number, userId: number, week: string): Promise<boolean> =>
  (await db
    .selectFrom('notice_weeks')
    .select('week')
    .where('user_id', '=', userId)
    .where('organization_id', '=', organizationId)
    .where('week', '=', week)
    .executeTakeFirst()) !== undefined
