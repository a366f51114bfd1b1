import type { Served, ServerParts } from '../capability.ts'
import { createIssueReads } from '../issues/index.ts'
import { createOccasion } from '../lib/occasion.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { LIMITS as STORAGE_LIMITS } from '../storage/limits.ts'
import { createCallWay } from './call-way.ts'
import { createChannelRoutes } from './channels.routes.ts'
import { createDeliveryRoutes } from './deliveries.routes.ts'
import { createChannels } from './ledger/channels.ts'
import { createDeliveries } from './ledger/deliveries.ts'
import { createPersonalMessages } from './ledger/erase-mentions.ts'
import { createOutboxQueue } from './ledger/outbox-queue.ts'
import { LIMITS } from './limits.ts'
import { createMailWay } from './mail-way.ts'
import { onEnqueued } from './outbox.ts'
import { createSender } from './sender.ts'
import { createReadSubject } from './stored-subject.ts'
import { createSwitchOff } from './switch-off.ts'
import { createTryChannel } from './try-channel.ts'

export const serveChannels = (parts: ServerParts): Served => {
  const { ask, clock, config, keyFor, ledger, live, logger, mailer, url: publicUrl } = parts
  const channels = createChannels({ ledger, key: keyFor('channels') })
  const queue = createOutboxQueue({ ledger })
  const outgoing = createOutgoing({ allowedRanges: config.reachableRanges })
  const ending = new AbortController()
  const occasion = createOccasion({ clock, quietMs: LIMITS.OUTBOX_QUIET_MS })
  // What is put into the outbox is seen when its transaction ends, a moment after we hear of it.
  let watchUntil = 0
  const stopHearing = onEnqueued(() => {
    watchUntil = clock.now() + LIMITS.OUTBOX_WATCH_MS
  })
  const changed = (organizationId: number): void =>
    live.publish({ topic: 'channels', organizationId, projectId: null, at: clock.now() })
  const switchOff = createSwitchOff({ ledger, channels, logger })
  const sender = createSender({
    queue,
    ways: {
      mail: createMailWay({ ledger, channels, mailer, ask, publicUrl, now: () => clock.now() }),
      call: createCallWay({
        ledger,
        channels,
        outgoing,
        publicUrl,
        clock,
        readSubject: createReadSubject({ ...createIssueReads(parts), ask, publicUrl }),
      }),
    },
    clock,
    logger,
    occasion,
    failed: (taken, verdict) => switchOff(taken, verdict, clock.now()),
    changed,
    ending: ending.signal,
  })
  let hasBegun = false
  const send = async (): Promise<void> => {
    if (!hasBegun) await queue.takeOver(clock.now())
    hasBegun = true
    await sender.run()
  }
  const tryChannel = createTryChannel({ outgoing, mailer, publicUrl, clock })
  return {
    routes: [
      ...createChannelRoutes({ channels, outgoing, tryChannel, clock, changed }),
      ...createDeliveryRoutes({
        channels,
        deliveries: createDeliveries({ ledger }),
        clock,
        waiting: (organizationId) => {
          occasion.wake()
          changed(organizationId)
        },
      }),
    ],
    jobs: [
      {
        name: 'messages',
        everyMs: LIMITS.OUTBOX_INTERVAL_MS,
        isDue: () => occasion.isDue() || clock.now() < watchUntil,
        run: send,
      },
      {
        name: 'old messages and deleted channels',
        everyMs: STORAGE_LIMITS.HOUSEKEEPING_INTERVAL_MS,
        byTheClock: true,
        run: async () => {
          await queue.forgetOld(clock.now())
          await channels.forgetDeleted(clock.now())
        },
      },
    ],
    personal: [createPersonalMessages({ ledger })],
    end: () => {
      stopHearing()
      ending.abort()
    },
  }
}
