import { guard, warn } from '@firsthand/browser/parts'
import { record } from '@rrweb/record'
import type { Canvases, CanvasSettings } from '../canvas/index.ts'
import { breadcrumb, type RecordedEvent } from '../events.ts'
import type { Settings } from '../options.ts'
import { createMasker, type Masker } from '../privacy/mask-event.ts'
import { createRules, type Rules } from '../privacy/rules.ts'
import { type Copying, createCopying } from './copying.ts'
import { createPageCalls } from './page-calls.ts'

/** A page of more elements would stand still for a second and more while it is copied. */
const MAX_ELEMENTS = 50_000
/** A page in the page may be written anew with every key: pictures that are taken for it are at least so far apart. Milliseconds. */
const NEW_ROOT_MS = 5000
/** They change all the time, and no rule looks at them. */
const FREQUENT: ReadonlySet<string> = new Set(['style', 'value', 'd', 'transform'])

export interface DomRecording {
  readonly rules: Rules
  /** As the picture has it where text is masked. */
  readonly maskedAttribute: Masker['maskedAttribute']
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

const tooLargeNote = (count: number): RecordedEvent =>
  breadcrumb('replay.page-too-large', { level: 'warning', data: { count, limit: MAX_ELEMENTS } }, Date.now())

/** Elements that come at once. */
const countAdded = (records: readonly MutationRecord[]): number => {
  let count = 0
  for (const record of records) {
    // A list is made when it is asked for: of an attribute that changed it is empty.
    if (record.type !== 'childList') continue
    const { addedNodes } = record
    count += addedNodes.length
    for (const node of addedNodes)
      if ((node as Partial<Element>).firstElementChild) count += (node as Element).getElementsByTagName('*').length
  }
  return count
}

/** A document has got another root, which rrweb says nothing of. */
const hasNewRoot = (records: readonly MutationRecord[]): boolean =>
  records.some(
    ({ addedNodes, target }) =>
      target.nodeType === Node.DOCUMENT_NODE && [...addedNodes].some((node) => node.nodeType === Node.ELEMENT_NODE),
  )

/** Looks at changes before rrweb does: how many there are at once, and whether something is to be hidden from now on. */
const watchChanges = (
  settings: Settings,
  isHiddenNow: (element: Element) => boolean,
  {
    note,
    stop,
    leave,
    renew,
    onNewRoot,
  }: Record<'stop' | 'leave' | 'renew' | 'onNewRoot', () => void> & { note(event: RecordedEvent): void },
): MutationObserver => {
  const observer = new MutationObserver((records) =>
    guard(() => {
      const count = records.length
      if (count > settings.mutationsNoted) {
        const limit = count > settings.mutationsBorne
        note(breadcrumb('replay.mutations', { data: { count, limit } }, Date.now()))
        if (limit) return stop()
      }
      const added = countAdded(records)
      if (added > MAX_ELEMENTS) {
        note(tooLargeNote(added))
        return leave()
      }
      const isHidden = records.some(
        ({ attributeName, target }) =>
          attributeName !== null && !FREQUENT.has(attributeName) && isHiddenNow(target as Element),
      )
      if (isHidden) renew()
      else if (hasNewRoot(records)) onNewRoot()
    }),
  )
  observer.observe(document, { attributes: true, characterData: true, childList: true, subtree: true })
  return observer
}

/** All that says nothing. rrweb asks for the last of it at each node that it copies. */
const leftOut = (copying: Copying) => ({
  script: true,
  headFavicon: true,
  headWhitespace: true,
  headMetaSocial: true,
  headMetaRobots: true,
  headMetaHttpEquiv: true,
  headMetaVerification: true,
  headMetaAuthorship: true,
  headMetaDescKeywords: true,
  headTitleMutations: true,
  get comment() {
    copying.node()
    return true
  },
})

/** rrweb leaves properties of its own on documents and shadow roots. */
const tidy = (roots: Iterable<object>): void => {
  for (const root of roots) guard(() => Reflect.deleteProperty(root, 'adoptedStyleSheets'))
}

/** One run of rrweb, which is ended completely: it leaves listeners behind that would begin again. */
const runRrweb = (
  { rules, masker }: { readonly rules: Rules; readonly masker: Masker },
  { onEvent, onTooLarge, onNewRoot }: { onEvent(event: RecordedEvent): void; onTooLarge(): void; onNewRoot(): void },
): (() => void) => {
  const { mirror } = record
  let isOn = true
  let isAttaching = false
  const calls = createPageCalls()
  const copying = createCopying(() => {
    if (!isOn) return
    isOn = false
    onEvent(breadcrumb('replay.page-too-large', { level: 'warning' }, Date.now()))
    // rrweb is in the middle of it.
    queueMicrotask(onTooLarge)
  })
  const roots = new MutationObserver((records) => guard(() => hasNewRoot(records) && onNewRoot()))
  /** A page in the page, which rrweb is about to watch. */
  const enter = (data: { adds?: readonly { parentId: number }[] }): void => {
    const frame = mirror.getNode(data.adds?.[0]?.parentId ?? -1) as HTMLIFrameElement | null
    const realm = frame?.contentWindow as (Window & typeof globalThis) | null
    if (!realm) return
    copying.know(realm)
    roots.observe(realm.document, { childList: true })
    queueMicrotask(calls.watch(realm))
  }
  const cover = calls.watch(window)
  const stopRecord = record({
    emit: (event) => {
      copying.pause()
      guard(() => {
        const made = event as unknown as RecordedEvent
        if (!isOn || !masker.mask(made)) return
        isAttaching = (made.data as { isAttachIframe?: boolean }).isAttachIframe === true
        if (isAttaching) enter(made.data as object)
        guard(() => onEvent(made))
        isAttaching = false
      })
    },
    blockSelector: rules.blockSelector,
    // Everything is masked once more by `masker`, which knows exceptions and attributes as well.
    maskInputOptions: { text: true, textarea: true, select: true, password: true },
    maskInputFn: (value, element) =>
      rules.isMasked(rules.said(element), true) || rules.isSecret(element) ? '*'.repeat(value.length) : value,
    slimDOMOptions: leftOut(copying),
    keepIframeSrcFn: () => {
      copying.node()
      return false
    },
    collectFonts: true,
    errorHandler: (error: unknown) => !calls.isPages(error),
  })
  copying.pause()
  cover()
  const end = (): void => {
    const told = mirror.getIds().flatMap((id): object[] => {
      const node = mirror.getNode(id)
      const { shadowRoot } = node as Partial<Element>
      return node?.nodeType === 9 ? [node] : shadowRoot ? [shadowRoot] : []
    })
    copying.stop()
    roots.disconnect()
    // From the outside in: ours stand around rrweb's, and inside of them.
    calls.uncover()
    guard(() => stopRecord?.())
    calls.stop()
    tidy(told)
    mirror.reset()
  }
  return () => {
    isOn = false
    // Who is told of a page in the page and stops at that: rrweb begins to watch it right afterwards.
    if (isAttaching) queueMicrotask(end)
    else end()
  }
}

/** The page and its changes, masked. Throws when a rule of the settings cannot be read. */
export const recordDom = (settings: Settings, listener: DomListener): DomRecording => {
  const rules = createRules(settings)
  const { mirror } = record
  const canvases = new Set<number>()
  const nodeOf = (id: number): Node | null => mirror.getNode(id)
  const masker = createMasker(settings, rules, nodeOf, (id) => void canvases.add(id))
  const idOf = (node: Node): number => mirror.getId(node)
  let isOn = true
  let renewing: ReturnType<typeof setTimeout> | undefined
  let lastPicture = 0
  let stopRun: (() => void) | undefined
  let stopCanvas: (() => void) | undefined

  const stop = (): void => {
    isOn = false
    clearTimeout(renewing)
    document.removeEventListener('DOMContentLoaded', begin)
    changes?.disconnect()
    stopCanvas?.()
    stopRun?.()
    stopRun = undefined
  }
  const tooMuch = (): void => {
    stop()
    listener.onTooMuch()
  }
  const snapshot = (): void => {
    if (!isOn) return
    clearTimeout(renewing)
    renewing = undefined
    stopRun?.()
    canvases.clear()
    const count = document.getElementsByTagName('*').length
    if (count > MAX_ELEMENTS) {
      listener.onEvent(tooLargeNote(count))
      return stop()
    }
    lastPicture = performance.now()
    stopRun = runRrweb({ rules, masker }, { onEvent: listener.onEvent, onTooLarge: stop, onNewRoot })
  }
  const renew = (afterMs = 0): void => {
    clearTimeout(renewing)
    renewing = setTimeout(() => guard(snapshot), afterMs)
  }
  const onNewRoot = (): void => {
    if (renewing === undefined) renew(lastPicture + NEW_ROOT_MS - performance.now())
  }
  let changes: MutationObserver | undefined
  const begin = (): void =>
    guard(() => {
      // Before rrweb's own, so that it comes first.
      changes = watchChanges(settings, (element) => isRecordedAndBlocked(element, rules, idOf), {
        note: listener.onEvent,
        stop: tooMuch,
        leave: stop,
        renew: () => renew(),
        onNewRoot,
      })
      snapshot()
    })
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', begin)
  else begin()
  const { canvas } = settings
  const note = (category: string, data: object): void => listener.onEvent(breadcrumb(category, { data }, Date.now()))
  if (canvas)
    loadCanvas(
      { ids: canvases, nodeOf, isBlocked: rules.isBlocked, emit: listener.onEvent, note },
      canvas,
      (stopIt) => {
        if (isOn) stopCanvas = stopIt
        else stopIt()
      },
    )
  return {
    rules,
    maskedAttribute: masker.maskedAttribute,
    idOf,
    // Not in the middle of what rrweb tells.
    snapshot: () => queueMicrotask(() => guard(snapshot)),
    stop,
  }
}

/** Its own file, which only pages load that want it. */
const loadCanvas = (canvases: Canvases, settings: CanvasSettings, take: (stop: () => void) => void): void => {
  import('../canvas/index.ts')
    .then(({ recordCanvases }) => take(recordCanvases(canvases, settings)))
    .catch((error: unknown) => warn('Canvases are not recorded:', error))
}

/** It has become a box, and what is in it was told before. */
const isRecordedAndBlocked = (element: Element, rules: Rules, idOf: (node: Node) => number): boolean =>
  element.firstChild !== null && idOf(element.firstChild) > 0 && element.matches(rules.blockSelector)
