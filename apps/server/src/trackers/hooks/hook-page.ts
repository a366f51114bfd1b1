import type { Page } from '../../http/index.ts'
import type { Clock } from '../../lib/clock.ts'
import { kindOf } from '../kinds/index.ts'
import type { Hook } from '../kinds/kind.ts'
import type { Hooks } from '../ledger/hooks.ts'
import type { Tickets } from '../ledger/tickets.ts'
import type { Trackers } from '../ledger/trackers.ts'
import { LIMITS } from '../limits.ts'
import { hookSecretsOf, HOOK_PATH, targetOf } from '../tracker.ts'
import { readBody } from './read-body.ts'

interface HookParts {
  readonly trackers: Pick<Trackers, 'byHookKey'>
  readonly hooks: Pick<Hooks, 'note'>
  readonly tickets: Pick<Tickets, 'heard'>
  readonly clock: Clock
  /** Told that tickets are to be looked at. */
  readonly heard: (organizationId: number) => void
}

const HOOK_KEY = /^[0-9a-f]{36}$/

const say = (status: number, detail: string): Response =>
  new Response(JSON.stringify({ detail }), {
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  })

/**
 * Where trackers tell that something changed. What they say is only believed so far that one looks: how a ticket stands is
 * asked, for messages come late, twice and in any order.
 */
export const createHookPage = ({ trackers, hooks, tickets, clock, heard }: HookParts): Page => {
  const handle = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const key = url.pathname.slice(HOOK_PATH.length).replace(/\/$/, '')
    const tracker = HOOK_KEY.test(key) ? await trackers.byHookKey(key) : null
    if (tracker === null) return say(404, 'No issue tracker has this address. Copy it anew from its connection.')
    const bytes = await readBody(request, LIMITS.TRACKER_HOOK_BYTES)
    if (bytes === null) return say(413, `A webhook may have at most ${LIMITS.TRACKER_HOOK_BYTES} bytes.`)
    const hook: Hook = { headers: Object.fromEntries(request.headers), bytes, query: url.searchParams }
    const kind = kindOf(tracker.kind)
    if (!kind.isSigned(hook, hookSecretsOf(tracker))) {
      return say(401, 'The signature is not right. Enter the secret of the connection at the tracker.')
    }
    const now = clock.now()
    const { deliveryId, sentAt, ticketIds } = kind.readHook(targetOf(tracker).settings, hook)
    if (sentAt !== null && Math.abs(now - sentAt) > LIMITS.TRACKER_HOOK_AGE_MS) {
      return say(401, 'This was sent too long ago, or one of the two clocks is wrong.')
    }
    const known = await hooks.note(tracker.id, deliveryId, now, (transaction) =>
      tickets.heard(transaction, tracker.id, ticketIds, now),
    )
    if (known === null) return say(200, 'This came before.')
    if (ticketIds.length === 0) return say(200, 'Nothing of this is about a ticket of this connection.')
    if (known === 0) return say(200, 'No ticket here is the one that this is about.')
    heard(tracker.organizationId)
    return say(200, 'Thank you.')
  }
  return { methods: ['POST'], path: `${HOOK_PATH}:key`, handle }
}
