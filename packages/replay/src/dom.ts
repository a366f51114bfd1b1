import { guard } from '@firsthand/browser/parts'
import { record } from '@rrweb/record'
import { breadcrumb, type RecordedEvent } from './events.ts'
import type { Settings } from './options.ts'
import { createMasker } from './privacy/mask-event.ts'
import { createRules, type Rules } from './privacy/rules.ts'

/** A page of more elements would stand still for a second and more while it is copied. */
const MAX_ELEMENTS = 50_000
/** They change all the time, and no rule looks at them. */
const FREQUENT: ReadonlySet<string> = new Set(['style', 'value', 'd', 'transform'])

export interface DomRecording {
  readonly rules: Rules
  idOf(node: Node): number
  /** Another picture of the whole page. */
  snapshot(): void
  stop(): void
}

export interface DomListener {
  onEvent(event: RecordedEvent): void
  /** More changes at once than are borne: nothing more comes. */
  onTooMuch(): void
}

/** What of the page is too much to record, as a note; undefined: nothing. */
const tooLarge = (): RecordedEvent | undefined => {
  const count = document.getElementsByTagName('*').length
  return count > MAX_ELEMENTS
    ? breadcrumb('replay.page-too-large', { level: 'warning', data: { count, limit: MAX_ELEMENTS } }, Date.now())
    : undefined
}

/** Looks at changes before rrweb does: how many there are at once, and whether something is to be hidden from now on. */
const watchChanges = (
  settings: Settings,
  isHiddenNow: (element: Element) => boolean,
  { note, stop, renew }: { note(event: RecordedEvent): void; stop(): void; renew(): void },
): MutationObserver => {
  const observer = new MutationObserver((records) =>
    guard(() => {
      const count = records.length
      if (count > settings.mutationsNoted) {
        const limit = count > settings.mutationsBorne
        note(breadcrumb('replay.mutations', { data: { count, limit } }, Date.now()))
        if (limit) return stop()
      }
      const isHidden = records.some(
        ({ attributeName, target }) =>
          attributeName !== null && !FREQUENT.has(attributeName) && isHiddenNow(target as Element),
      )
      if (isHidden) renew()
    }),
  )
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
  return observer
}

/** The page and its changes, masked. Throws when a rule of the settings cannot be read. */
export const recordDom = (settings: Settings, listener: DomListener): DomRecording => {
  const rules = createRules(settings)
  const { mirror } = record
  const masker = createMasker(settings, rules, (id) => mirror.getNode(id))
  let isOn = true
  let renewing: ReturnType<typeof setTimeout> | undefined
  const idOf = (node: Node): number => mirror.getId(node)
  const nothing: DomRecording = { rules, idOf, snapshot: () => undefined, stop: () => undefined }

  const large = tooLarge()
  if (large) {
    listener.onEvent(large)
    return nothing
  }

  const snapshot = (): void => {
    if (isOn) guard(() => record.takeFullSnapshot(true))
  }
  const stop = (): void => {
    isOn = false
    clearTimeout(renewing)
    changes.disconnect()
    guard(() => stopRecord?.())
    mirror.reset()
  }
  // Before rrweb's own, so that it comes first.
  const changes = watchChanges(settings, (element) => isRecordedAndBlocked(element, rules, idOf), {
    note: listener.onEvent,
    stop: () => {
      stop()
      listener.onTooMuch()
    },
    renew: () => {
      clearTimeout(renewing)
      renewing = setTimeout(snapshot)
    },
  })
  const stopRecord = record({
    emit: (event) => {
      const made = event as unknown as RecordedEvent
      // Those who listen to something that is not taken away go on.
      if (isOn && guard(() => masker.mask(made), false)) listener.onEvent(made)
    },
    blockSelector: rules.blockSelector,
    // Everything is masked once more by `masker`, which knows exceptions and attributes as well.
    maskInputOptions: { text: true, textarea: true, select: true, password: true },
    maskInputFn: (value, element) =>
      rules.isMasked(rules.said(element), true) || rules.isSecret(element) ? '*'.repeat(value.length) : value,
    slimDOMOptions: 'all',
    collectFonts: true,
    recordAfter: 'DOMContentLoaded',
    // What the page has done wrong itself is the page's to hear of.
    errorHandler: (error: unknown) => !(error instanceof DOMException),
  })
  return { rules, idOf, snapshot, stop }
}

/** It has become a box, and what is in it was told before. */
const isRecordedAndBlocked = (element: Element, rules: Rules, idOf: (node: Node) => number): boolean =>
  element.firstChild !== null && idOf(element.firstChild) > 0 && element.matches(rules.blockSelector)
