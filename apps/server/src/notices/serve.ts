import { createHandles } from '../accounts/index.ts'
import type { Served, ServerParts } from '../capability.ts'
import {
  MAIL_WAS_REFUSED,
  MAIL_WAS_TAKEN,
  MAY_BE_MAILED,
  NOTICE_SETTINGS_PATH_OF,
  UNSUBSCRIBE_PATH_OF,
} from '../channels/index.ts'
import { createIssueReads } from '../issues/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { answering } from '../lib/questions.ts'
import { quietMsOf } from '../storage/ledger/quiet.ts'
import { createMemberNoticeRoutes } from './handles.routes.ts'
import { createInboxRoutes } from './inbox.routes.ts'
import { sendDigests } from './ledger/digests.ts'
import { createPersonalNotices } from './ledger/erase-notices.ts'
import { createNoticeRetention } from './ledger/expiry.ts'
import { createInbox } from './ledger/inbox.ts'
import { createInboxNews } from './ledger/news.ts'
import { createPauses } from './ledger/pauses.ts'
import { createNoticeSettings } from './ledger/settings.ts'
import { wakeLines } from './ledger/wake.ts'
import { LIMITS } from './limits.ts'
import { createRefusedMail } from './refused-mail.ts'
import { createNoticeSettingsRoutes } from './settings.routes.ts'
import { followNotices } from './told/follow-notices.ts'
import { createUnsubscribePage, UNSUBSCRIBE_PATH } from './unsubscribe-page.ts'
import { kindsOfWord, unsubscribeToken, type MailKind } from './unsubscribe-token.ts'
import { createWeeklyJob } from './weekly/job.ts'
import { createWeekReader } from './weekly/read-week.ts'
import { createWeeklyRoutes } from './weekly/weekly.routes.ts'

export const serveNotices = (parts: ServerParts): Served => {
  const { accounts, clock, keyFor, ledger, live, logger, mailer, url } = parts
  const { issues, events } = createIssueReads(parts)
  const inbox = createInbox({ ledger })
  const settings = createNoticeSettings({ ledger })
  const pauses = createPauses({ ledger })
  const key = keyFor('unsubscribe')
  const reader = createWeekReader({ ledger, issues, events })
  const changed = (organizationId: number): void =>
    live.publish({ topic: 'inbox', organizationId, projectId: null, at: clock.now() })
  const unsubscribePath = (userId: number, kinds: readonly MailKind[]): string =>
    `${UNSUBSCRIBE_PATH}${unsubscribeToken(key, { userId, kinds })}`
  const settingsPath = (organizationSlug: string): string => `/organizations/${organizationSlug}/settings/notifications`
  const linksOf = (userId: number, organizationSlug: string) => ({
    unsubscribeUrl: `${url}${unsubscribePath(userId, ['weekly'])}`,
    settingsUrl: `${url}${settingsPath(organizationSlug)}`,
  })
  return {
    routes: [
      ...createInboxRoutes({ inbox, accounts, clock, changed }),
      ...createNoticeSettingsRoutes({ settings, pauses, clock, canSendMail: mailer !== null }),
      ...createMemberNoticeRoutes({ accounts, handles: createHandles({ ledger }), pauses }),
      ...createWeeklyRoutes({ reader, settings, clock, publicUrl: url, linksOf }),
    ],
    pages: [createUnsubscribePage({ settings, clock, key })],
    jobs: [
      followNotices({ ledger, live, clock, logger }, changed),
      createInboxJob(parts, changed),
      {
        name: 'weekly reports',
        everyMs: LIMITS.WEEK_INTERVAL_MS,
        byTheClock: true,
        run: () => createWeeklyJob({ ledger, reader, clock, logger }).run(),
      },
    ],
    knows: [
      answering(UNSUBSCRIBE_PATH_OF, async ({ userId, kinds }) => {
        const known = kindsOfWord(kinds)
        return known === null ? null : unsubscribePath(userId, known)
      }),
      answering(NOTICE_SETTINGS_PATH_OF, async ({ organizationId }) => {
        const organization = await accounts.store.organization(organizationId)
        return organization === null ? null : settingsPath(organization.slug)
      }),
      answering(MAY_BE_MAILED, async (userId) => {
        const user = await accounts.store.userById(userId)
        return user !== null && (await pauses.of(user.email)) === null
      }),
      answering(MAIL_WAS_REFUSED, createRefusedMail({ accounts, ledger, pauses, settingsPath })),
      answering(MAIL_WAS_TAKEN, async (userId) => {
        const user = await accounts.store.userById(userId)
        if (user !== null) await pauses.resume(user.email)
        return null
      }),
    ],
    retention: createNoticeRetention({ ledger }),
    personal: [createPersonalNotices({ ledger })],
    memberRemoved: (organizationId, userId) => inbox.forget({ organizationId, userId }),
  }
}

/** After anything happened: lines that wake up, mails that were gathered, and open inboxes that hear of both. */
const createInboxJob = (
  { clock, ledger, live }: Pick<ServerParts, 'clock' | 'ledger' | 'live'>,
  changed: (organizationId: number) => void,
): NonNullable<Served['jobs']>[number] => {
  const occasion = createOccasion({ clock, quietMs: quietMsOf(ledger) || LIMITS.NOTICE_AWAKE_MS })
  const news = createInboxNews({ ledger })
  let awakeUntil = 0
  live.hear(({ topic }) => {
    if (topic === 'inbox') return
    awakeUntil = clock.now() + LIMITS.NOTICE_AWAKE_MS
    occasion.wake()
  })
  return {
    name: 'inboxes',
    everyMs: LIMITS.NOTICE_INTERVAL_MS,
    isDue: occasion.isDue,
    run: () =>
      occasion.take(async (now) => {
        const woken = await wakeLines(ledger, now)
        const mailAt = await sendDigests(ledger, now)
        for (const organizationId of new Set([...woken.organizationIds, ...(await news.since())]))
          changed(organizationId)
        // What happened is told people a moment later, by whoever followed it.
        return Math.min(woken.nextAt, mailAt, now < awakeUntil ? now + LIMITS.NOTICE_INTERVAL_MS : Infinity)
      }),
  }
}
