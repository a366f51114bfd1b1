import { ROLE_SCOPES, ROLES } from '../accounts/index.ts'
import type { Logger } from '../lib/logger.ts'
import type { Ledger, LedgerTransaction } from '../storage/index.ts'
import type { ChannelRecord, Channels } from './ledger/channels.ts'
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
  readonly channels: Pick<Channels, 'find' | 'switchOff' | 'triesSince'>
  readonly logger: Logger
}) => {
  return async (
    { organizationId, channelId }: Pick<TakenMessage, 'organizationId' | 'channelId'>,
    verdict: Exclude<Tried['verdict'], { readonly kind: 'sent' }>,
    now: number,
  ): Promise<void> => {
    if (channelId === null) return
    const channel = await channels.find(organizationId, channelId)
    if (channel === null) return
    const since = channel.failingSince ?? now
    if (verdict.kind !== 'gone' && now - since < LIMITS.CHANNEL_FAILING_MS) return
    const reason = verdict.kind === 'gone' ? verdict.error : `Nothing reached it for five days: ${verdict.error}`
    const isOff = await ledger.transaction(async (transaction) => {
      // One that is seldom used may be well between two messages that it did not take.
      const isUnreached = (await channels.triesSince(transaction, channelId, since)) >= LIMITS.CHANNEL_FAILING_TRIES
      if (verdict.kind !== 'gone' && !isUnreached) return false
      if (!(await channels.switchOff(transaction, organizationId, channelId, reason))) return false
      await tell(transaction, channel, reason, now)
      return true
    })
    if (isOff) logger.warn('a channel was switched off', { channel: channelId, organization: organizationId, reason })
  }
}

/** In the transaction that switches it off: nobody finds it off without having been told. */
const tell = async (
  transaction: LedgerTransaction,
  { organizationId, id: channelId, name }: Pick<ChannelRecord, 'organizationId' | 'id' | 'name'>,
  reason: string,
  now: number,
): Promise<void> => {
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
}
