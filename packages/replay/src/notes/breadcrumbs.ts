import { isObject, normalise } from '@firsthand/browser/parts'
import type { Breadcrumb, BreadcrumbHint, Client } from '@firsthand/browser'
import { breadcrumb } from '../events.ts'
import type { Note } from './sink.ts'

/** Levels and characters of one text of a breadcrumb, as Sentry's recorder keeps them; and characters in all. */
const MAX_DEPTH = 7
const MAX_TEXT = 5000
const MAX_NOTE = 50_000

/** What the SDK and the page note: the console, navigation, whatever the page adds itself; and requests, to `onRequest`. */
export const watchBreadcrumbs = (
  client: Client,
  note: Note,
  onRequest: (crumb: Breadcrumb, hint: BreadcrumbHint) => void,
): (() => void) =>
  client.on('beforeAddBreadcrumb', (crumb: Breadcrumb, hint?: BreadcrumbHint) => {
    const { category = '', timestamp } = crumb
    if (category === 'fetch' || category === 'xhr') return onRequest(crumb, hint ?? {})
    // What the visitor does is noted with the node of the picture, and what was sent has the replay's id.
    if (!category || /^(?:ui|sentry)\./.test(category)) return
    const copy = normalise(crumb, MAX_DEPTH, MAX_TEXT)
    if (!isObject(copy)) return
    const at = timestamp === undefined ? Date.now() : timestamp * 1000
    const { data, ...rest } = copy
    const isLong = JSON.stringify(copy).length > MAX_NOTE
    const kept = isLong ? { data: { _meta: { warnings: ['CONSOLE_ARG_TRUNCATED'] } } } : data ? { data } : {}
    note(breadcrumb(category, { ...rest, ...kept, timestamp: at / 1000 }, at))
  })
