import { RecentMap } from '../lib/recent-map.ts'
import { MAIL_HOST, type Hosts } from './hosts.ts'
import type { Busy, TakenMessage } from './ledger/outbox-queue.ts'
import { LIMITS } from './limits.ts'

interface OnItsWay extends Pick<TakenMessage, 'way' | 'organizationId'> {
  readonly done: Promise<void>
}

export type UnderWay = ReturnType<typeof createUnderWay>

/** What is on its way, and what may therefore not be taken now. */
export const createUnderWay = (hosts: Hosts) => {
  const underWay = new Map<string, OnItsWay>()
  /** Receivers that want a pause, or whose host does, and until when. */
  const paused = new Map<string, number>()
  /** Where the last message to a receiver went: while that host has enough to do, what is for them stays where it is. */
  const hostOf = new RecentMap<string, { readonly host: string; readonly organizationId: number }>(
    LIMITS.DELIVERY_HOSTS,
  )

  /** Receivers at hosts to which as many messages are on their way as may be, those included that are only being opened. */
  const crowdedOut = (): readonly string[] => {
    const busyHosts = new Map<string, Map<number, number>>()
    for (const [lane, { organizationId }] of underWay) {
      const host = hostOf.peek(lane)?.host
      if (host === undefined) continue
      const counts = busyHosts.get(host) ?? new Map<number, number>()
      busyHosts.set(host, counts.set(organizationId, (counts.get(organizationId) ?? 0) + 1))
    }
    return [...hostOf.entries()].flatMap(([lane, { host, organizationId }]) => {
      const counts = busyHosts.get(host)
      return counts !== undefined && hosts.isFull(host, counts, organizationId) ? [lane] : []
    })
  }

  /** Those that have so many messages on their way. */
  const organizationsWith = (count: number): readonly number[] =>
    [...Map.groupBy(underWay.values(), ({ organizationId }) => organizationId)]
      .filter(([, own]) => own.length >= count)
      .map(([organizationId]) => organizationId)

  return {
    organizationsWith,
    busy: (now: number): Busy => {
      for (const [lane, until] of paused) if (until <= now) paused.delete(lane)
      const mails = [...underWay.values()].filter(({ way }) => way === 'mail').length
      const noMails = mails >= LIMITS.DELIVERY_MAILS_AT_ONCE || hosts.restsUntil(MAIL_HOST) > now
      return {
        ways: noMails ? ['mail'] : [],
        lanes: [...new Set([...underWay.keys(), ...paused.keys(), ...crowdedOut()])],
        organizations: organizationsWith(LIMITS.DELIVERIES_PER_ORGANIZATION_AT_ONCE),
      }
    },
    isFull: (): boolean => underWay.size >= LIMITS.DELIVERIES_AT_ONCE,
    /** Everything that is on its way now. */
    all: (): readonly Promise<void>[] => [...underWay.values()].map(({ done }) => done),
    add: ({ lane, way, organizationId }: TakenMessage, done: Promise<void>): void => {
      const ended = done.finally(() => underWay.delete(lane))
      underWay.set(lane, { way, organizationId, done: ended })
    },
    goesTo: (host: string, { lane, organizationId }: TakenMessage): void => hostOf.set(lane, { host, organizationId }),
    pause: (lane: string, until: number): void => {
      paused.set(lane, until)
    },
    pausesUntil: (): number => Math.min(...paused.values()),
  }
}
