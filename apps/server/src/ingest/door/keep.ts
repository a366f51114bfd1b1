import type { Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import { err, ok } from '../../lib/result.ts'
import type { Result } from '../../lib/result.ts'
import { inSlices } from '../../lib/sliced-work.ts'
import { filesOf } from '../payload-file.ts'
import type { OutcomeKind, Sender } from '../road.ts'
import { admitSteps } from './admit.ts'
import { isAllowedOrigin } from './allowed-domains.ts'
import type { Success } from './answer.ts'
import type { DoorParts } from './door.ts'
import { bytesOf } from './draft.ts'
import type { Draft } from './draft.ts'
import { newEventId } from './interpret.ts'
import { chargesFor, giveBackBytes, limitBytes, limitHeavy, limitItems } from './limit.ts'
import type { Refusal } from './refusal.ts'
import { FOREIGN_ORIGIN, overBytes, overHeavy, overLimit, storageFull, storageGone } from './refusals.ts'
import { otlpAnswer } from './otlp-answer.ts'
import { checkShare, NEVER_LIMITED } from './room.ts'
import { successOf } from './success.ts'
import type { DoorContext, RequestState } from './request-state.ts'

/** Origin, items, quota, spool. From here on every item is accounted for. */
export const keep = async (
  state: RequestState,
  key: KeyContext,
  drafts: readonly Draft[],
  context: DoorContext,
): Promise<Result<Success, Refusal>> => {
  const { parts, outcomes } = context
  const { receivedAt, request, route, sdk } = state
  const source = { key, sdk, receivedAt }
  state.items = drafts.flatMap((draft) => draft.envelope.items)
  const firstId = drafts[0]?.envelope.header.eventId ?? null
  const origin = request.headers.origin ?? request.headers.referer ?? null

  if (state.items.length === 0) {
    outcomes.request(source, 'invalid', 'empty_envelope', state.bytes)
    return ok(successOf(route, request.method, firstId, null))
  }
  if (!isAllowedOrigin(origin, key.settings.allowedDomains)) {
    // An SDK needs no answer to this, but who writes to people has a text for a domain that is not allowed.
    if (route.form !== null || state.items.some((item) => parts.rules.get(item.header.type)?.tellsPeople === true)) {
      return err(FOREIGN_ORIGIN)
    }
    outcomes.items(source, state.items, 'filtered', 'cors')
    return ok(successOf(route, request.method, firstId, null))
  }

  // Where the body named the key, nobody could ask before.
  const noShare = checkShare(state, parts)
  if (noShare !== null) return err(noShare)
  const admitted = await admitAll(state, key, drafts, parts)
  if (!admitted.ok) return admitted
  const { ready, settled, eventId, over } = admitted.value
  for (const { items, outcome, reason } of settled) outcomes.items(source, items, outcome, reason)
  state.items = ready.flatMap(({ items }) => items)
  if (ready.length === 0 && over !== null && !NEVER_LIMITED.has(route.kind)) {
    state.accounted = true
    return err(over)
  }
  const refusal = await append(state, senderOf(state, key, origin), admitted.value, context)
  if (refusal !== null) return err(refusal)
  const more = answerTo(state, key, eventId, parts)
  const success = successOf(route, request.method, eventId, over?.rateLimits ?? null, more)
  if (route.kind !== 'otlp') return ok(success)
  return ok({ ...success, ...otlpAnswer(request.headers['content-type'], state.items[0], parts.exports) })
}

/** What the rules and the limits let in of one request. */
interface Admitted {
  readonly ready: readonly { readonly items: readonly Item[]; readonly bytes: Uint8Array }[]
  readonly settled: readonly {
    readonly items: readonly Item[]
    readonly outcome: OutcomeKind
    readonly reason: string
  }[]
  readonly eventId: string | null
  /** The last limit that refused something; its headers go into the answer. */
  readonly over: Refusal | null
  /** Takes back what the byte quotas counted for items that are not kept after all. */
  readonly giveBack: (items: readonly Item[]) => void
}

const admitAll = async (
  state: RequestState,
  key: KeyContext,
  drafts: readonly Draft[],
  parts: DoorParts,
): Promise<Result<Admitted, Refusal>> => {
  const { receivedAt } = state
  const ready: Admitted['ready'][number][] = []
  const settled: Admitted['settled'][number][] = []
  const charges = chargesFor(state.items, state.wireBytes, parts.rules)
  let eventId: string | null = null
  let over: Refusal | null = null
  const giveBack = (items: readonly Item[]): void => giveBackBytes(items, key, parts.bytes, charges, receivedAt)
  for (const draft of drafts) {
    const admission = await inSlices(admitSteps(draft, parts, newEventId))
    if (!admission.ok) {
      for (const { items } of ready) giveBack(items)
      return admission
    }
    for (const { item, reason } of admission.value.dropped) settled.push({ items: [item], outcome: 'invalid', reason })
    // Bytes first: what they do not let in is no event of the key's limit, nor of a spike.
    const within = limitBytes(admission.value.items, key, parts.bytes, charges, receivedAt)
    if (within.over !== null) {
      over = overBytes(within.over)
      settled.push({ items: within.refused, outcome: 'rate_limited', reason: over.reason })
    }
    const limiting = limitItems(within.kept, key, parts.quotas, receivedAt)
    if (limiting.limit !== null) {
      giveBack(limiting.refused)
      over = overLimit(limiting.limit)
      settled.push({ items: limiting.refused, outcome: 'rate_limited', reason: over.reason })
    }
    const { categories, kept, refused } = limitHeavy(limiting.kept, key, parts)
    if (refused.length > 0) {
      giveBack(refused)
      over = overHeavy(parts.limits, categories)
      settled.push({ items: refused, outcome: 'rate_limited', reason: over.reason })
    }
    eventId ??= admission.value.eventId
    if (kept.length > 0) {
      ready.push({ items: kept, bytes: await bytesOf(draft, kept, admission.value.eventId) })
    }
  }
  return ok({ ready, settled, eventId, over, giveBack })
}

const senderOf = ({ clientAddress, request, sdk }: RequestState, key: KeyContext, origin: string | null): Sender => ({
  organizationId: key.organizationId,
  projectId: key.projectId,
  keyId: key.keyId,
  clientAddress,
  userAgent: request.headers['user-agent'] ?? null,
  origin,
  sdk,
})

/** Into the spool; a refusal when not all of it is on disk. What is not stays in `state.items`. */
const append = async (
  state: RequestState,
  sender: Sender,
  { ready, giveBack }: Admitted,
  { complain, parts: { clock, limits, rules, spool } }: DoorContext,
): Promise<Refusal | null> => {
  // When all of it was there: what took long to come does not count for a time that is over.
  const receivedAt = clock.now()
  state.receivedAt = receivedAt
  const written = await Promise.allSettled(
    ready.map(({ bytes, items }) =>
      spool.append({
        kind: 'envelope',
        receivedAt,
        sender,
        body: bytes,
        files: filesOf(items),
        ...(items.some(({ header }) => rules.get(header.type)?.isHeavy === true) && { isHeavy: true as const }),
      }),
    ),
  )
  const failure = written.find((result) => result.status === 'rejected')
  if (failure === undefined) return null
  state.items = ready.flatMap(({ items }, index) => (written[index]?.status === 'rejected' ? items : []))
  giveBack(state.items)
  complain(failure.reason)
  return spool.pressure() === 'gone' ? storageGone(limits) : storageFull(limits)
}

/** What a sender gets back besides the id. */
const answerTo = (
  { items, receivedAt, request, route }: RequestState,
  key: KeyContext,
  eventId: string | null,
  { answers }: DoorParts,
): object => {
  if (route.form !== null) return route.form.answer(eventId, items[0], receivedAt)
  if (answers === undefined || eventId === null) return {}
  for (const { header, payload } of items) {
    const answer = answers.get(header.type)
    if (answer !== undefined) return answer({ request, key, eventId, payload })
  }
  return {}
}
