import type { ErrorEvent, Pattern } from '@firsthand/browser'
import type { CanvasSettings } from './canvas/index.ts'
import type { RecordedEvent } from './events.ts'

/** Names and defaults of `@sentry/browser`'s replay; the default stands behind each. */
export interface ReplayOptions {
  /** The replay goes on over page loads of the same tab. `true` */
  stickySession?: boolean | undefined
  /** A shorter one is not sent, in milliseconds, at most 50,000. `4999` */
  minReplayDuration?: number | undefined
  /** A longer one ends, in milliseconds, at most an hour. `3600000` */
  maxReplayDuration?: number | undefined
  /** Milliseconds that events wait for more. `5000` */
  flushMinDelay?: number | undefined
  /** `true` */
  useCompression?: boolean | undefined
  /** Every letter becomes `*`. `true` */
  maskAllText?: boolean | undefined
  /** Passwords stay masked in any case. `true` */
  maskAllInputs?: boolean | undefined
  /** Pictures, sound and video become boxes. `true` */
  blockAllMedia?: boolean | undefined
  /** Selectors beside `[data-fh-mask]`, `[data-sentry-mask]` and `.sentry-mask`. */
  mask?: readonly string[] | undefined
  /** Selectors beside `[data-fh-unmask]`, `[data-sentry-unmask]` and `.sentry-unmask`. */
  unmask?: readonly string[] | undefined
  /** Selectors beside `[data-fh-block]`, `[data-sentry-block]` and `.sentry-block`. */
  block?: readonly string[] | undefined
  /** Selectors of media that are shown, beside `[data-fh-unblock]`, `[data-sentry-unblock]` and `.sentry-unblock`. */
  unblock?: readonly string[] | undefined
  /** Selectors of fields whose changes are not recorded, beside `[data-fh-ignore]`, `[data-sentry-ignore]` and `.sentry-ignore`. */
  ignore?: readonly string[] | undefined
  /** Attributes that are masked like text, beside those that people read. */
  maskAttributes?: readonly string[] | undefined
  /** Changes of the page at once, from which on the replay notes them as one. `750` */
  mutationBreadcrumbLimit?: number | undefined
  /** Changes of the page at once that end the recording. `10000` */
  mutationLimit?: number | undefined
  /** A click that the page has not answered after so many milliseconds was in vain; 0: nobody looks. `7000` */
  slowClickTimeout?: number | undefined
  /** Selectors of what may be clicked without an answer. */
  slowClickIgnoreSelectors?: readonly string[] | undefined
  /** Requests whose headers and bodies are recorded: parts of their URL, or patterns. None without it. */
  networkDetailAllowUrls?: readonly Pattern[] | undefined
  /** … but not of these. */
  networkDetailDenyUrls?: readonly Pattern[] | undefined
  /** Bodies of the allowed requests as well, up to 150,000 characters each. `true` */
  networkCaptureBodies?: boolean | undefined
  /** Headers beside `content-length`, `content-type` and `accept`. Credentials and cookies are never among them. */
  networkRequestHeaders?: readonly string[] | undefined
  networkResponseHeaders?: readonly string[] | undefined
  /** Pictures of canvases: `true` is medium quality. Canvases show what they show: nothing of them is masked. `false` */
  canvas?: boolean | CanvasOptions | undefined
  /** Last look at what is noted beside the picture; null drops it, and so does an error. */
  beforeAddRecordingEvent?: ((event: RecordedEvent) => RecordedEvent | null | undefined) | undefined
  /** False: this error does not send what was recorded before it. */
  beforeErrorSampling?: ((event: ErrorEvent) => boolean) | undefined
}

export interface CanvasOptions {
  /** At most one, two or four pictures in a second. `'medium'` */
  readonly quality?: 'low' | 'medium' | 'high' | undefined
  /** Largest picture in pixels, at most the default; a larger canvas is scaled down. `[1280, 1280]` */
  readonly maxCanvasSize?: readonly [number, number] | undefined
}

/** Milliseconds. */
const MIN_DURATION = 4999
const MAX_MIN_DURATION = 50_000
const MAX_DURATION = 3_600_000
const FLUSH_DELAY = 5000
/** Changes of one turn of the page's script. */
const MUTATIONS_NOTED = 750
const MUTATIONS_BORNE = 10_000
const SLOW_CLICK = 7000
const MAX_SLOW_CLICK = 60_000
const HEADERS = ['content-length', 'content-type', 'accept']
const SECRET_HEADER = /authorization|cookie/i

const within = (value: number | undefined, otherwise: number, max: number): number =>
  Math.min(value !== undefined && value >= 0 ? value : otherwise, max)

const headersOf = (more: readonly string[] = []): readonly string[] =>
  [...new Set([...HEADERS, ...more.map((name) => name.toLowerCase())])].filter((name) => !SECRET_HEADER.test(name))

/** Those of Sentry's recorder: pictures in a second, and the quality of WebP. */
const QUALITIES = {
  low: { fps: 1, quality: 0.25 },
  medium: { fps: 2, quality: 0.4 },
  high: { fps: 4, quality: 0.5 },
}

const canvasOf = (given: boolean | CanvasOptions | undefined): CanvasSettings | undefined => {
  if (!given) return undefined
  const { quality = 'medium', maxCanvasSize } = given === true ? {} : given
  return { ...(QUALITIES[quality] ?? QUALITIES.medium), maxSize: maxCanvasSize }
}

export type Settings = ReturnType<typeof settingsOf>

/** What is not said is private. */
export const settingsOf = (options: ReplayOptions) => ({
  isSticky: options.stickySession !== false,
  minDuration: within(options.minReplayDuration, MIN_DURATION, MAX_MIN_DURATION),
  maxDuration: within(options.maxReplayDuration, MAX_DURATION, MAX_DURATION),
  flushDelay: within(options.flushMinDelay, FLUSH_DELAY, MAX_MIN_DURATION),
  isCompressed: options.useCompression !== false,
  maskAllText: options.maskAllText !== false,
  maskAllInputs: options.maskAllInputs !== false,
  blockAllMedia: options.blockAllMedia !== false,
  mask: options.mask ?? [],
  unmask: options.unmask ?? [],
  block: options.block ?? [],
  unblock: options.unblock ?? [],
  ignore: options.ignore ?? [],
  maskAttributes: options.maskAttributes ?? [],
  mutationsNoted: within(options.mutationBreadcrumbLimit, MUTATIONS_NOTED, MUTATIONS_BORNE),
  mutationsBorne: within(options.mutationLimit, MUTATIONS_BORNE, MUTATIONS_BORNE),
  slowClickTimeout: within(options.slowClickTimeout, SLOW_CLICK, MAX_SLOW_CLICK),
  slowClickIgnored: (options.slowClickIgnoreSelectors ?? []).join(','),
  detailAllowed: options.networkDetailAllowUrls ?? [],
  detailDenied: options.networkDetailDenyUrls ?? [],
  hasBodies: options.networkCaptureBodies !== false,
  requestHeaders: headersOf(options.networkRequestHeaders),
  responseHeaders: headersOf(options.networkResponseHeaders),
  canvas: canvasOf(options.canvas),
  beforeAddRecordingEvent: options.beforeAddRecordingEvent,
  beforeErrorSampling: options.beforeErrorSampling,
})
