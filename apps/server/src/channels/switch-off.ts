import { ROLE_SCOPES, ROLES } from '../accounts/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Ledger } from '../storage/index.ts'
import type { Channels } from './ledger/channels.ts'
import type { TakenMessage } from './ledger/outbox-queue.ts'
import { LIMITS } from './limits.ts'
import { enqueueMessages } from './outbox.ts'
import type { Tried } from './ways.ts'

/** Roles that may change channels. */
const RULING = ROLES.filter((role) => ROLE_SCOPES[role].includes('org:write'))

/**
 * Switches a channel off whose address is gone for good, or that nothing reached for days, and tells the people who can
 * mend it: whoever relies on messages must not think that there is nothing to say.
 */
export const createSwitchOff = ({
  ledger,
  channels,
  logger,
}: {
  readonly ledger: Ledger
  readonly channels: Pick<Channels, 'find' | 'switchOff'>
  readonly logger: Logger
}) => {
  const tell = (organizationId: number, channelId: number, name: string, reason: string, now: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const { slug } = await transaction
        .selectFrom('organizations')
        .select('slug')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow()
      const people = await transaction
        .selectFrom('members')
        .select('user_id')
        .where('organization_id', '=', organizationId)
        .where('role', 'in', RULING)
        .where('user_id', 'is not', null)
        .execute()
      await enqueueMessages(
        transaction,
        people.map(({ user_id }) => ({
          organizationId,
          to: { userId: user_id ?? 0, unsubscribe: 'system' },
          key: `channel-off:${channelId}:${now}:${user_id}`,
          message: {
            kind: 'other',
            level: 'error',
            headline: `Channel "${name}" was switched off`,
            blocks: [
              { kind: 'text', text: reason },
              { kind: 'text', text: 'Nothing is sent by it until somebody corrects it and switches it on again.' },
            ],
            actions: [{ label: 'Open channels', path: `/organizations/${slug}/settings/channels` }],
            thread: `channel:${channelId}`,
            stage: 'single',
            reason: 'You may change the channels of this organisation.',
          },
        })),
        now,
      )
    })

  return async (
    { organizationId, channelId }: Pick<TakenMessage, 'organizationId' | 'channelId'>,
    verdict: Exclude<Tried['verdict'], { readonly kind: 'sent' }>,
    now: number,
  ): Promise<void> => {
    if (channelId === null) return
    const channel = await channels.find(organizationId, channelId)
    if (channel === null) return
    const isUnreached = channel.failingSince !== null && now - channel.failingSince >= LIMITS.CHANNEL_FAILING_MS
    if (verdict.kind !== 'gone' && !isUnreached) return
    const reason = verdict.kind === 'gone' ? verdict.error : `Nothing reached it for five days: ${verdict.error}`
    if (!(await channels.switchOff(organizationId, channelId, reason))) return
    logger.warn('a channel was switched off', { channel: channelId, organization: organizationId, reason })
    await tell(organizationId, channelId, channel.name, reason, now)
  }
}
