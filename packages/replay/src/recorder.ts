import type { Client, Event } from '@firsthand/browser'
import { guard, hex, warn } from '@firsthand/browser/parts'
import type { DomListener, DomRecording } from './dom/index.ts'
import { breadcrumb, CUSTOM, customEvent, FULL_SNAPSHOT, isByHand, type RecordedEvent } from './events.ts'
import type { Settings } from './options.ts'
import { withoutNotedSecrets, withoutSecrets } from './privacy/address.ts'
import { itemsOf, MAX_LISTED, noneNoted, prepareEvent, prepareNow, type Segment } from './replay-event.ts'
import { CHECKOUT_MS, createBuffer, fitting, type Held } from './segment/buffer.ts'
import { canDeflate, packDeflated, packPlain } from './segment/pack.ts'
import { type Verdict, verdictOf } from './segment/verdict.ts'
import {
  isExpired,
  isPaused,
  newSession,
  type Rates,
  readSession,
  sample,
  type Sampled,
  type Session,
  writeSession,
} from './session.ts'

/** Characters of one segment: a page that makes more of them is too busy to be recorded. */
const MAX_SEGMENT = 20_000_000
/** Of what browsers let outlive the page (64 KiB), with room for the replay event and headers. Bytes. */
const LEAVING_BYTES = 60_000
const LEAVING_ROOM = 1000
/** Waits before a segment that nobody took is sent again, in milliseconds; afterwards it is given up. */
const RETRY_MS = [5000, 10_000, 20_000]
/** Pages that a server may refuse in a row: it takes none of this size, and nothing can be shown without one. */
const REFUSED_PAGES = 3
/** How often the tab's storage learns that the visitor is there, in milliseconds. */
const NOTED_MS = 1000

export interface Surroundings {
  readonly client: Client
  readonly settings: Settings
  readonly rates: Rates
  readonly store: Storage | undefined
  readonly recordDom: (settings: Settings, listener: DomListener) => DomRecording
  /** Said at the beginning of a replay: what was asked of the recorder. */
  readonly options: Readonly<Record<string, unknown>>
  /** Nothing more is recorded until somebody starts it again. */
  readonly onStop: () => void
}

const hasPage = (held: readonly Held[]): boolean => held.some(({ type }) => type === FULL_SNAPSHOT)

export type Mode = 'session' | 'buffer'

export interface Recorder {
  /** Undefined: nothing is recorded. */
  readonly mode: Mode | undefined
  /** Of what is sent, or will be: undefined while nothing is. */
  readonly replayId: string | undefined
  readonly dom: DomRecording | undefined
  /** @param force instead of what the rates say */
  start(force?: Mode): void
  /** The visitor is there. */
  touch(): void
  add(event: RecordedEvent): void
  noteUrl(url: string): void
  /** An error or a report that is being sent: begins to send where that was waited for. Returns the replay's id. */
  onEvent(event: Event, isSampled: () => boolean): string | undefined
  /** Called right before a segment is made. Returns what ends that, as the next does. */
  onFlush(listener: () => void): () => void
  /** Called with what the page does, and what is done to it. */
  onRecorded(listener: (event: RecordedEvent) => void): () => void
  flush(): Promise<void>
  /** The page goes away for good, as far as anybody knows, or is only hidden. */
  leave(isGone: boolean): void
  stop(): void
}

// long: one machine whose states only it knows; what can be told apart of it stands in files of its own.
export const createRecorder = (given: Surroundings): Recorder => {
  const { client, settings, rates, store } = given
  const buffer = createBuffer()
  const listeners = new Set<() => void>()
  const watchers = new Set<(event: RecordedEvent) => void>()
  let session: Session | undefined
  let mode: Mode | undefined
  let dom: DomRecording | undefined
  let isResting = false
  /** Something points to this replay: it is sent, however short it is. */
  let isWanted = false
  let noted = noneNoted()
  let lastPicture = 0
  /**
   * A segment was lost: changes that come now have no page to go on from, until another one is taken. That happens
   * `CHECKOUT_MS` after the last page at the earliest, as a server that refuses one segment may refuse all.
   */
  let hasGap = false
  /** In a row. */
  let refusedPages = 0
  let lastWritten = 0
  let limitedUntil = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let sending: Promise<void> | undefined
  /** Being made; a page that goes away takes it back. */
  let packing: { readonly held: readonly Held[]; readonly segment: Segment } | undefined

  const write = (): void => {
    lastWritten = Date.now()
    if (settings.isSticky) writeSession(store, session)
  }
  const isLimited = (): boolean => limitedUntil > Date.now()
  const roll = (): void => buffer.roll(mode === 'buffer' || isLimited())

  const startDom = (): void => {
    dom?.stop()
    dom = guard(() =>
      given.recordDom(settings, {
        onEvent: receive,
        onTooMuch: () => {
          warn('The page changes too much at once to be recorded.')
          void flush()
          stop()
        },
      }),
    )
    if (!dom) stop()
  }
  /** The visitor has gone: nothing is recorded until there is a sign again. */
  const rest = (): void => {
    if (mode === 'session') void flush()
    isResting = true
    dom?.stop()
    dom = undefined
  }

  const begin = (next: Session): void => {
    session = next
    mode = next.sampled === false ? undefined : next.sampled === 'buffer' && next.segmentId === 0 ? 'buffer' : 'session'
    isResting = false
    isWanted = false
    noted = noneNoted()
    refusedPages = 0
    buffer.clear()
    write()
    if (mode === undefined) return
    roll()
    noteUrl(location.href)
    if (next.segmentId === 0) add(customEvent('options', given.options, Date.now()))
    startDom()
  }
  const renew = (previous: Session | undefined, force?: Mode): void => {
    const sampled: Sampled = force ?? sample(rates)
    begin(newSession(hex(32), sampled, Date.now(), previous?.id))
  }

  const start = (force?: Mode): void => {
    if (mode !== undefined) return
    const known = settings.isSticky && force === undefined ? readSession(store) : undefined
    if (known && !isExpired(known, Date.now(), settings.maxDuration)) begin({ ...known, lastActivity: Date.now() })
    else renew(known, force)
  }

  const touch = (): void => {
    if (session === undefined || mode === undefined) return
    const at = Date.now()
    if (isExpired(session, at, settings.maxDuration)) {
      if (!isResting) rest()
      return renew(session)
    }
    session.lastActivity = at
    if (at - lastWritten > NOTED_MS) write()
    if (!isResting) return
    isResting = false
    noteUrl(location.href)
    startDom()
  }

  const schedule = (afterMs: number): void => {
    if (mode === 'session') timer ??= setTimeout(() => void flush(), afterMs)
  }

  const add = (event: RecordedEvent): void => {
    if (mode === undefined || isResting || session === undefined) return
    buffer.add(withoutNotedSecrets(event))
    schedule(Math.max(settings.flushDelay, limitedUntil - Date.now()))
  }

  /** What the page itself does, and what is done to it. */
  const receive = (event: RecordedEvent): void => {
    if (mode === undefined || isResting || session === undefined) return
    const at = Date.now()
    if (isByHand(event)) touch()
    else if (isPaused(session, at) || isExpired(session, at, settings.maxDuration)) return rest()
    add(event)
    for (const watcher of watchers) guard(() => watcher(event))
    if (event.type === FULL_SNAPSHOT) {
      lastPicture = at
      hasGap = false
    } else if (mode === 'buffer' || isLimited() || hasGap) nextPicture(at)
  }

  /** Takes one, unless the last is too new. */
  const nextPicture = (at: number): void => {
    if (at - lastPicture <= CHECKOUT_MS) return
    lastPicture = at
    roll()
    if (buffer.size > MAX_SEGMENT) stop()
    else dom?.snapshot()
  }

  const noteUrl = (address: string): void => {
    const url = withoutSecrets(address)
    if (noted.urls.at(-1) === url) return
    noted.urls.push(url)
    if (noted.urls.length > MAX_LISTED) noted.urls.shift()
  }

  /** What is sent next; the segment has its number from here on. */
  const takeSegment = (held: readonly Held[], of: Session): Segment => {
    // Notes may tell of what was before.
    const first = (held.find(({ type }) => type !== CUSTOM) ?? held[0])?.at ?? of.started
    const { propagationContext } = client.getCurrentScope().data
    noted.traceIds.add(propagationContext.traceId)
    const segment = {
      session: of,
      segmentId: of.segmentId,
      start: (of.sampled === 'buffer' && of.segmentId === 0 ? first : of.started) / 1000,
      end: held.reduce((end, { at }) => Math.max(end, at), first) / 1000,
      noted,
    }
    of.segmentId += 1
    noted = noneNoted()
    write()
    return segment
  }

  /** Not sent after all: it comes first the next time. */
  const takeBack = (held: readonly Held[], segment: Segment): void => {
    buffer.giveBack(held)
    segment.noted.urls.push(...noted.urls)
    for (const id of noted.errorIds) segment.noted.errorIds.add(id)
    for (const id of noted.traceIds) segment.noted.traceIds.add(id)
    noted = segment.noted
    if (segment.session.segmentId === segment.segmentId + 1) segment.session.segmentId = segment.segmentId
    write()
  }

  /** A processor of the page said so. */
  const leaveOut = (): void => {
    client.recordDroppedEvent('event_processor', 'replay')
    hasGap = true
  }

  /** Nobody has it, and nobody will. */
  const lose = (held: readonly Held[], isRefused: boolean): void => {
    client.recordDroppedEvent('network_error', 'replay')
    hasGap = true
    if (isRefused && hasPage(held)) refusedPages += 1
    if (refusedPages < REFUSED_PAGES) return nextPicture(Date.now())
    warn('The server takes no page of this size: it is not recorded.')
    stop()
  }

  const upload = async (held: readonly Held[], segment: Segment): Promise<Verdict> => {
    const pack = settings.isCompressed && canDeflate() ? packDeflated : packPlain
    const own = { held, segment }
    packing = own
    const [event, recording] = await Promise.all([prepareEvent(client, segment), pack(segment.segmentId, held)])
    // The page has gone away meanwhile, and taken it along.
    if (packing !== own) return { kind: 'sent', waitMs: 0 }
    packing = undefined
    if (event === null) return { kind: 'unwanted', waitMs: 0 }
    return verdictOf(await client.sendEnvelope([{ event_id: segment.session.id }, itemsOf(event, recording)]))
  }

  const send = async (held: readonly Held[], segment: Segment): Promise<void> => {
    for (let attempt = 0; ; attempt += 1) {
      const { kind, waitMs } = await upload(held, segment)
      if (waitMs > 0) limitedUntil = Date.now() + waitMs
      const wait = RETRY_MS[attempt]
      if (kind === 'again' && wait !== undefined && mode !== undefined) {
        await new Promise((resolve) => {
          setTimeout(resolve, wait)
        })
        continue
      }
      if (kind === 'later' && session === segment.session) {
        takeBack(held, segment)
        schedule(waitMs)
      } else if (kind === 'refused') stop()
      else if (kind === 'unwanted') leaveOut()
      else if (kind !== 'sent') lose(held, kind === 'lost')
      else if (hasPage(held)) refusedPages = 0
      roll()
      return
    }
  }

  const flushNow = async (): Promise<void> => {
    if (session === undefined || mode !== 'session' || buffer.isEmpty) return
    const left = Math.max(
      limitedUntil - Date.now(),
      session.segmentId === 0 && !isWanted ? session.started + settings.minDuration - Date.now() : 0,
    )
    if (left > 0) return schedule(left)
    if (buffer.size > MAX_SEGMENT) {
      warn('The page changes too much to be recorded.')
      buffer.clear()
      add(breadcrumb('replay.too-much', { level: 'warning', data: { limit: MAX_SEGMENT } }, Date.now()))
      dom?.stop()
    }
    for (const listener of listeners) guard(listener)
    const held = buffer.take()
    await send(held, takeSegment(held, session))
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    // One after the other, so that their numbers follow each other. What fails is not the page's.
    const work = (sending ? sending.then(flushNow) : flushNow()).catch(warn).then(() => {
      if (sending === work) sending = undefined
    })
    sending = work
    return work
  }

  const leave = (isGone: boolean): void => {
    if (session === undefined || mode !== 'session' || isLimited()) return
    write()
    if (session.segmentId === 0 && !isWanted && Date.now() - session.started < settings.minDuration) return
    if (packing !== undefined) {
      takeBack(packing.held, packing.segment)
      packing = undefined
    }
    if (buffer.isEmpty) return
    for (const listener of listeners) guard(listener)
    const held = buffer.take()
    const segment = takeSegment(held, session)
    const event = guard(() => prepareNow(client, segment))
    if (event === null) return leaveOut()
    const room = LEAVING_BYTES - LEAVING_ROOM - JSON.stringify(event ?? null).length
    const { fits, rest: left } = event ? fitting(held, room) : { fits: [], rest: held }
    // A page that only stands behind another has time to send it as one.
    if (!event || fits.length === 0 || (left.length > 0 && !isGone)) {
      takeBack(held, segment)
      if (!isGone) void flush()
      return
    }
    buffer.giveBack(left)
    if (left.length > 0) schedule(settings.flushDelay)
    void client.sendEnvelope([{ event_id: session.id }, itemsOf(event, packPlain(segment.segmentId, fits))])
  }

  const stop = (): void => {
    mode = undefined
    clearTimeout(timer)
    timer = undefined
    dom?.stop()
    dom = undefined
    buffer.clear()
    given.onStop()
  }

  return {
    get mode() {
      return mode
    },
    get replayId() {
      return mode === 'session' ? session?.id : undefined
    },
    get dom() {
      return dom
    },
    start,
    touch,
    add,
    noteUrl,
    onEvent: (event, isSampled) => {
      if (session === undefined || mode === undefined || isLimited()) return undefined
      // Nothing of what is to be shown was recorded.
      if (isResting && session.segmentId === 0) return undefined
      if (mode === 'buffer' && !isSampled()) return undefined
      isWanted = true
      if (event.event_id) noted.errorIds.add(event.event_id)
      const trace = event.contexts?.['trace']?.['trace_id']
      if (typeof trace === 'string') noted.traceIds.add(trace)
      if (mode === 'buffer') {
        mode = 'session'
        // What happened last was held, and is sent as far as it is not too old.
        schedule(0)
      }
      return session.id
    },
    onFlush: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    onRecorded: (watcher) => {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    flush,
    leave,
    stop,
  }
}
