import type { Message } from '../channels/index.ts'
import type { Ledger } from '../storage/index.ts'
import type { Notice } from './notice.ts'
import type { NoticeSettings } from './settings.ts'
import { UNCHANGED } from './settings.ts'

/** People and notices for tests: Ann, Ben and Cat are members of organisation 1, Dan is of none. */

export const [ANN, BEN, CAT, DAN] = [1, 2, 3, 4] as const

export const seedPeople = async (ledger: Ledger, now: number): Promise<void> => {
  for (const name of ['Ann', 'Ben', 'Cat', 'Dan']) {
    const email = `${name.toLowerCase()}@acme.example`
    const { id } = await ledger.db
      .insertInto('users')
      .values({ email, name, password_hash: '', preferences: '{}', created_at: now, last_login_at: null })
      .returning('id')
      .executeTakeFirstOrThrow()
    if (name === 'Dan') continue
    await ledger.db
      .insertInto('members')
      .values({
        organization_id: 1,
        user_id: id,
        email,
        role: 'member',
        invite_hash: null,
        invite_expires_at: null,
        created_at: now,
        invited_by: null,
      })
      .execute()
  }
}

export const messageOf = (headline: string, more: Partial<Message> = {}): Message => ({
  kind: 'other',
  level: 'error',
  headline,
  blocks: [{ kind: 'text', text: `Text of ${headline}` }],
  actions: [{ label: 'Open', path: '/organizations/acme/issues/1' }],
  thread: 'issue:1',
  stage: 'single',
  reason: 'You follow this issue.',
  ...more,
})

let keys = 0

/** A key of its own unless the test has one. */
export const noticeOf = (more: Partial<Notice> = {}): Notice => {
  keys += 1
  return {
    organizationId: 1,
    userIds: [ANN],
    kind: 'subscribed',
    issueId: null,
    reportId: null,
    actorId: null,
    key: `key-${keys}`,
    cause: 'issue:1',
    message: messageOf(`Thing ${keys}`),
    isHigh: false,
    ...more,
  }
}

export const changedSettings = (more: Partial<NoticeSettings>): NoticeSettings => ({ ...UNCHANGED, ...more })
