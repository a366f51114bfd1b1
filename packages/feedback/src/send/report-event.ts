import type { ClientLike } from '../client.ts'
import type { FeedbackEvent, FeedbackOptions, SendFeedbackParams } from '../options.ts'
import { announce, guarded } from './announce.ts'
import { isLine } from './lines.ts'
import { prepare } from './scopes.ts'
import { scrubUrl } from './scrub-url.ts'

/** What the visitor lets go along with the text. */
export interface Included {
  readonly page: boolean
  readonly browser: boolean
  readonly actions: boolean
  readonly replay: boolean
  /** What was noted of console and network before the form was opened, as the visitor could read it. */
  readonly lines: readonly { readonly timestamp: number }[]
  /** The lines are the SDK's notes: they are in the event anyway, with others that nobody could read. */
  readonly areLinesTheirs?: boolean
}

export const EVERYTHING: Included = { page: true, browser: true, actions: true, replay: true, lines: [] }

export interface Signals {
  readonly fillMs: number
  readonly honeypot: string
}

/**
 * The event of a report, with what the SDK's scopes know.
 *
 * @returns null when an event processor or a hook of the page dropped it
 */
export const eventOf = async (
  client: ClientLike,
  options: FeedbackOptions,
  params: SendFeedbackParams,
  eventId: string,
  included: Included = EVERYTHING,
  signals?: Signals,
): Promise<FeedbackEvent | null> => {
  const { release, environment, dist } = client.getOptions()
  const url = scrubUrl(params.url ?? location.href)
  const associated = params.associatedEventId ?? options.associatedEventId
  const user = guarded(() => options.user?.())
  const event: FeedbackEvent = {
    event_id: eventId,
    type: 'feedback',
    level: 'info',
    timestamp: Date.now() / 1000,
    platform: 'javascript',
    ...(release && { release }),
    environment: environment ?? 'production',
    ...(dist && { dist }),
    ...(user && { user }),
    ...(included.lines.length > 0 && !included.areLinesTheirs && { breadcrumbs: included.lines }),
    tags: { ...options.tags, ...params.tags },
    contexts: {
      ...guarded(() => options.context?.()),
      feedback: {
        message: params.message,
        ...(params.name && { name: params.name }),
        ...(params.email && { contact_email: params.email }),
        ...(included.page && { url }),
        source: params.source ?? 'api',
        ...(associated && { associated_event_id: associated }),
        ...(params.category && { category: params.category }),
        ...(params.rating && { rating: params.rating }),
        ...(params.fields && Object.keys(params.fields).length > 0 && { fields: { ...params.fields } }),
        ...(signals && { fill_ms: signals.fillMs, honeypot: signals.honeypot }),
      },
    },
  }
  // The replay integration answers this by putting its id into the event.
  announce(client, 'beforeSendFeedback', event, { includeReplay: included.replay })
  const prepared = await prepare(client, event)
  if (prepared === null) return null
  keepWithin(prepared, included, url)
  try {
    return options.beforeSend ? await options.beforeSend(prepared) : prepared
  } catch (error) {
    reportError(error)
    // It may have been about to take something out that must not leave the page.
    return null
  }
}

/** Of the SDK's notes, those of console and network that were shown, and the others as recent actions. */
const keepNotes = (event: FeedbackEvent, { actions, areLinesTheirs, lines }: Included): void => {
  const notes = event['breadcrumbs']
  if (!areLinesTheirs || !Array.isArray(notes)) {
    if (!actions) delete event['breadcrumbs']
    return
  }
  const shown = new Set(lines.map(({ timestamp }) => timestamp))
  const kept = notes.filter((note: unknown) => (isLine(note) ? shown.has(note.timestamp) : actions))
  if (kept.length > 0) event['breadcrumbs'] = kept
  else delete event['breadcrumbs']
}

/** The SDK's own words for what the page is and what happened on it, less what the visitor took out. */
const keepWithin = (event: FeedbackEvent, included: Included, url: string): void => {
  event['type'] = 'feedback'
  if (!included.replay) delete event.contexts.feedback.replay_id
  keepNotes(event, included)
  const headers = included.browser ? { 'User-Agent': navigator.userAgent } : {}
  event['request'] = { headers, ...(included.page && { url }) }
  if (included.browser) {
    event.contexts['device'] ??= {
      screen_width_pixels: screen.width,
      screen_height_pixels: screen.height,
      viewport: `${innerWidth} × ${innerHeight}`,
      device_pixel_ratio: devicePixelRatio,
    }
    event.contexts['culture'] ??= { locale: navigator.language }
  }
}
