import type { RefusedMail } from '../channels/index.ts'
import type { Accounts } from '../accounts/index.ts'
import type { Ledger } from '../storage/index.ts'
import { notify } from './ledger/notify.ts'
import type { Pauses } from './ledger/pauses.ts'
import { LIMITS } from './limits.ts'
import { cut } from './message-text.ts'
import type { Notice } from './notice.ts'

/** A mail was refused: who gets none from now on is told so where they still can be. */
export const createRefusedMail =
  ({
    accounts,
    ledger,
    pauses,
    settingsPath,
  }: {
    readonly accounts: Pick<Accounts, 'store'>
    readonly ledger: Ledger
    readonly pauses: Pick<Pauses, 'refused'>
    readonly settingsPath: (organizationSlug: string) => string
  }) =>
  async ({ userId, how, key, said, at }: RefusedMail): Promise<null> => {
    const user = await accounts.store.userById(userId)
    if (user === null) return null
    const memberships = await accounts.store.memberships(userId)
    const notices = memberships.map(({ organization }): Notice => ({
      organizationId: organization.id,
      userIds: [userId],
      kind: 'system',
      issueId: null,
      reportId: null,
      actorId: null,
      key: `mail-paused:${organization.id}:${at}`,
      cause: 'mail',
      isHigh: false,
      message: {
        kind: 'other',
        level: 'warning',
        headline: `No mail goes to ${user.email} any more`,
        blocks: [
          { kind: 'text', text: 'Its mail server refused what was sent. This is what it said:' },
          { kind: 'code', text: cut(said, LIMITS.NOTICE_DETAIL_CHARS) },
        ],
        actions: [{ label: 'It works again', path: settingsPath(organization.slug) }],
        thread: `mail-paused:${userId}`,
        stage: 'single',
        reason: 'You are told here alone until somebody says that it works again.',
      },
    }))
    // In one: whoever gets no mail any more was told so.
    await ledger.transaction(async (transaction) => {
      if (await pauses.refused(transaction, user.email, { how, key, said }, at)) await notify(transaction, notices, at)
    })
    return null
  }
