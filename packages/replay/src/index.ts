/**
 * What a visitor saw. `recorder.ts` is the replay: when it begins, pauses, is sent and ends; `dom/` is the page and its
 * changes, `canvas/` what is drawn on it, and `notes/` what happened beside the picture (clicks, requests, the console);
 * `privacy/` is what of them nobody may see, and `segment/` what is sent together.
 */
import type { Client, ErrorEvent, Event, Integration } from '@firsthand/browser'
import { guard } from '@firsthand/browser/parts'
import { recordDom } from './dom/index.ts'
import { breadcrumb } from './events.ts'
import { watchNotes } from './notes/index.ts'
import { type ReplayOptions, settingsOf, type Settings } from './options.ts'
import { createRecorder, type Mode, type Recorder } from './recorder.ts'
import type { Rates } from './session.ts'

export type { ReplayOptions } from './options.ts'
export type { Mode } from './recorder.ts'

/** Names of `@sentry/browser`'s. */
export interface Replay extends Integration {
  /** Records and sends, whatever the rates say. */
  start(): void
  /** Records, and sends when something goes wrong. */
  startBuffering(): void
  /** Sends what is left, and takes every listener and wrapper away. */
  stop(): Promise<void>
  flush(): Promise<void>
  /** Of what is sent; undefined while nothing is. */
  getReplayId(): string | undefined
  getRecordingMode(): Mode | undefined
}

const rateOf = (value: unknown): number => (typeof value === 'number' && value >= 0 ? Math.min(value, 1) : 0)

const ratesOf = (client: Client): Rates => {
  const { replaysSessionSampleRate, replaysOnErrorSampleRate } = client.getOptions()
  return { session: rateOf(replaysSessionSampleRate), onError: rateOf(replaysOnErrorSampleRate) }
}

/** What the recorder was asked for, in the words of Sentry's, for whoever reads the replay. */
const said = (settings: Settings, rates: Rates): Record<string, unknown> => ({
  shouldRecordCanvas: settings.canvas !== undefined,
  sessionSampleRate: rates.session,
  errorSampleRate: rates.onError,
  useCompressionOption: settings.isCompressed,
  useCompression: settings.isCompressed,
  blockAllMedia: settings.blockAllMedia,
  maskAllText: settings.maskAllText,
  maskAllInputs: settings.maskAllInputs,
  networkDetailHasUrls: settings.detailAllowed.length > 0,
  networkCaptureBodies: settings.hasBodies,
  networkRequestHasHeaders: settings.requestHeaders.length > 0,
  networkResponseHasHeaders: settings.responseHeaders.length > 0,
})

/** What React says when the page of the server is not the one that it makes. */
const HYDRATION =
  /(?:reactjs\.org\/docs\/error-decoder\.html\?invariant=|react\.dev\/errors\/)(?:418|419|422|423|425)|does not match server-rendered HTML|Hydration failed because/i

/** Signs of the visitor, also while nothing is recorded. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'focus']

/** Listens until the recording ends. */
const watchPage = (recorder: Recorder): (() => void) => {
  const undo: (() => void)[] = []
  const on = (target: EventTarget, type: string, handle: () => void): void => {
    const listener = (): void => guard(handle)
    target.addEventListener(type, listener, { capture: true, passive: true })
    undo.push(() => target.removeEventListener(type, listener, { capture: true }))
  }
  for (const type of SIGNS) on(globalThis, type, recorder.touch)
  on(globalThis, 'pagehide', () => recorder.leave(true))
  on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') recorder.leave(false)
  })
  return () => undo.forEach((one) => one())
}

/** Puts the replay's id on what is sent of an error, and begins to send where an error was waited for. */
const link = (client: Client, recorder: Recorder, rates: Rates, { beforeErrorSampling }: Settings): void => {
  const isSampled = (event: Event): boolean =>
    Math.random() < rates.onError && guard(() => beforeErrorSampling?.(event as ErrorEvent) !== false, false)
  client.on('beforeSendEvent', (event: Event) => {
    const isError = !event.type
    const id = isError ? recorder.onEvent(event, () => isSampled(event)) : recorder.replayId
    if (id) event.contexts = { ...event.contexts, replay: { replay_id: id } }
    if (isError && HYDRATION.test(event.exception?.values?.[0]?.value ?? ''))
      recorder.add(breadcrumb('replay.hydrate-error', { data: { url: location.href } }, Date.now()))
  })
  client.on('beforeSendFeedback', (event: Event, options?: { includeReplay?: boolean }) => {
    if (options?.includeReplay === false) return
    const id = recorder.onEvent({}, () => true)
    if (!id) return
    event.contexts = { ...event.contexts, feedback: { ...event.contexts?.['feedback'], replay_id: id } }
    recorder.add(breadcrumb('sentry.feedback', { data: { feedbackId: event.event_id } }, Date.now()))
  })
}

/**
 * Records what the visitor sees and does, masked, and sends it with what goes wrong.
 * `init({ dsn, replaysSessionSampleRate: 0.1, replaysOnErrorSampleRate: 1, integrations: [replayIntegration()] })`
 */
export const replayIntegration = (options: ReplayOptions = {}): Replay => {
  let recorder: Recorder | undefined
  let watch: (() => () => void) | undefined
  let unwatch: (() => void) | undefined

  const start = (mode?: Mode): void => {
    if (!recorder || recorder.mode) return
    recorder.start(mode)
    if (recorder.mode) unwatch = watch?.()
  }
  const leave = (): void => {
    unwatch?.()
    unwatch = undefined
  }
  const stop = async (): Promise<void> => {
    const flushed = recorder?.flush()
    recorder?.stop()
    await flushed
  }

  return {
    name: 'Replay',
    setup: (client) => {
      if (typeof document === 'undefined' || typeof MutationObserver === 'undefined') return
      const settings = settingsOf(options)
      const rates = ratesOf(client)
      const made = createRecorder({
        client,
        settings,
        rates,
        store: guard(() => sessionStorage),
        recordDom,
        options: said(settings, rates),
        onStop: leave,
      })
      recorder = made
      watch = () => {
        const undo = [watchPage(made), watchNotes(client, made, settings)]
        return () => undo.forEach((one) => one())
      }
      link(client, made, rates, settings)
      client.on('close', () => void stop())
      start()
    },
    start: () => guard(() => start('session')),
    startBuffering: () => guard(() => start('buffer')),
    stop,
    flush: async () => recorder?.flush(),
    getReplayId: () => recorder?.replayId,
    getRecordingMode: () => recorder?.mode,
  }
}
