import type { AlertAction } from '@firsthand/contract'
import type { Notice } from '../../notices/index.ts'

/** Who is told of a firing. */

export type Receiver =
  | { readonly key: string; readonly channelId: number }
  | { readonly key: string; readonly userId: number; readonly kind: Notice['kind'] }

/** Why an action tells nobody. */
export type Silent = 'no_receiver' | 'not_worse'

export interface Audience {
  /** Each once, in the order of the actions. */
  readonly receivers: readonly Receiver[]
  readonly silent: readonly Silent[]
}

export interface Asked {
  readonly actions: readonly AlertAction[]
  /** Users whom actions for people tell, by their place among the actions. */
  readonly people: ReadonlyMap<number, readonly number[]>
  readonly isWorse: boolean
  /** Receivers that heard of the incident. */
  readonly heard: ReadonlySet<string>
  /** Nobody is told of what they did themselves. */
  readonly actorId: number | null
}

/** Owners hear of what is theirs; whoever else a rule names hears of it as of an alert. */
const kindOf = ({ target }: Extract<AlertAction, { readonly kind: 'people' }>): Notice['kind'] =>
  target === 'owners' ? 'owner' : 'alert'

export const channelKey = (channelId: number): string => `channel:${channelId}`

export const userKey = (userId: number): string => `user:${userId}`

/** The receiver of a key; null for what is none. */
export const receiverOfKey = (key: string, kind: Notice['kind']): Receiver | null => {
  const [, what, id] = /^(channel|user):(\d+)$/.exec(key) ?? []
  if (what === undefined) return null
  return what === 'channel' ? { key, channelId: Number(id) } : { key, userId: Number(id), kind }
}

const receiversOf = (action: AlertAction, place: number, { actorId, people }: Asked): readonly Receiver[] => {
  if (action.kind === 'channel') {
    const channelId = Number(action.channelId)
    return [{ key: channelKey(channelId), channelId }]
  }
  const kind = kindOf(action)
  const users = (people.get(place) ?? []).filter((userId) => userId !== actorId)
  return users.map((userId) => ({ key: userKey(userId), userId, kind }))
}

export const audienceOf = (asked: Asked): Audience => {
  const { actions, heard, isWorse } = asked
  const receivers = new Map<string, Receiver>()
  const silent: Silent[] = []
  for (const [place, action] of actions.entries()) {
    const named = receiversOf(action, place, asked)
    if (named.length === 0) silent.push('no_receiver')
    // Whoever is told only of what becomes worse hears how that goes on.
    const told = action.from === 'worse' && !isWorse ? named.filter(({ key }) => heard.has(key)) : named
    if (named.length > 0 && told.length === 0) silent.push('not_worse')
    for (const one of told) if (!receivers.has(one.key)) receivers.set(one.key, one)
  }
  return { receivers: [...receivers.values()], silent }
}
