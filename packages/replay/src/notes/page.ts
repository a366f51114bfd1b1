import { guard, watchHref, wrap } from '@firsthand/browser/parts'
import { breadcrumb, SOURCE, sourceOf, span, type RecordedEvent } from '../events.ts'
import type { Settings } from '../options.ts'
import type { Recorder } from '../recorder.ts'
import { clickable, describe, targetOf, type Described } from './element.ts'
import type { Note } from './sink.ts'
import { watchSlowClicks, type SlowClicks } from './slow-clicks.ts'

type Undo = () => void

/** The same done to the same element again within this time is not noted again. Milliseconds. */
const SAME_MS = 1000
/** What changes when a page answers. */
const ANSWERS: ReadonlySet<number> = new Set([
  SOURCE.mutation,
  SOURCE.media,
  SOURCE.rule,
  SOURCE.canvas,
  SOURCE.declaration,
  SOURCE.selection,
  SOURCE.adopted,
])
/** Answers that no picture shows: sound, the clipboard. */
const UNSEEN = ['play', 'pause', 'copy', 'cut']

const listenTo = (target: EventTarget, types: readonly string[], handle: (event: Event) => void): Undo => {
  const listener = (event: Event): void => guard(() => handle(event))
  for (const type of types) target.addEventListener(type, listener, { capture: true, passive: true })
  return () => types.forEach((type) => target.removeEventListener(type, listener, { capture: true }))
}

/** Of what is none of these, nobody expects that something happens. */
const isAnswering = (element: Element, ignored: string): boolean => {
  const { tagName } = element
  if (!/^(?:A|BUTTON|INPUT)$/.test(tagName)) return false
  if (tagName === 'INPUT' && !/^(?:submit|button)$/.test(element.getAttribute('type') ?? '')) return false
  const target = element.getAttribute('target')
  if (tagName === 'A' && (element.hasAttribute('download') || (target !== null && target !== '_self'))) return false
  return ignored === '' || !guard(() => element.matches(ignored), false)
}

const isField = (element: Element): boolean =>
  /^(?:INPUT|TEXTAREA)$/.test(element.tagName) || (element as HTMLElement).isContentEditable

/** Also what a page does without changing: opening a window, writing into the clipboard. */
const watchAnswers = (recorder: Recorder, clicks: SlowClicks): Undo[] => {
  const answer = (): void => clicks.answer(Date.now())
  const around = (call: () => unknown): unknown => {
    answer()
    return call()
  }
  let lastAct = 0
  const clipboard = guard(() => Clipboard.prototype)
  return [
    recorder.onRecorded((event: RecordedEvent) => {
      const source = sourceOf(event)
      if (ANSWERS.has(source)) clicks.answer(event.timestamp)
      else if (source === SOURCE.scroll) clicks.scroll(event.timestamp)
    }),
    listenTo(document, UNSEEN, answer),
    listenTo(document, ['pointerdown', 'keydown'], () => {
      lastAct = Date.now()
    }),
    // Another field that has the focus is an answer, unless the visitor went there.
    listenTo(document, ['focusin'], () => clicks.answer(Date.now(), lastAct)),
    wrap(globalThis, 'open', around),
    wrap(clipboard, 'write', around),
    wrap(clipboard, 'writeText', around),
  ]
}

/** What the visitor does: clicks (also those in vain), keys (no letters of fields), fields, windows, addresses. */
export const watchVisitor = (recorder: Recorder, settings: Settings, note: Note): Undo => {
  const say = (element: Element): Described => describe(element, recorder.dom)
  const clicks =
    settings.slowClickTimeout > 0
      ? watchSlowClicks(settings.slowClickTimeout, (category, { at, message, data }, more) => {
          note(breadcrumb(category, { message, data: { ...data, url: location.href, ...more } }, at))
        })
      : undefined

  let last: unknown
  let lastType = ''
  let lastAt = 0
  const isAgain = (element: Element, type: string, at: number): boolean => {
    const isSame = element === last && type === lastType && at - lastAt < SAME_MS
    ;[last, lastType, lastAt] = [element, type, at]
    return isSame
  }

  const click = (event: MouseEvent): void => {
    const target = targetOf(event)
    if (target === undefined) return
    const element = clickable(target)
    const at = Date.now()
    const said = say(element)
    if (!isAgain(element, 'click', at)) note(breadcrumb('ui.click', { ...said }, at))
    const isPlain = !event.altKey && !event.metaKey && !event.ctrlKey && !event.shiftKey
    const isCandidate = isPlain && 'nodeId' in said.data && isAnswering(element, settings.slowClickIgnored)
    clicks?.click(element, { at, ...said }, isCandidate)
  }
  const input = (event: Event): void => {
    const target = targetOf(event)
    const at = Date.now()
    if (target === undefined || !isField(target) || isAgain(target, 'input', at)) return
    if (!recorder.dom?.rules.isIgnored(target)) note(breadcrumb('ui.input', { ...say(target) }, at))
  }
  const key = (event: KeyboardEvent): void => {
    const { metaKey, shiftKey, ctrlKey, altKey, key: name } = event
    const target = targetOf(event)
    if (target === undefined || !name || isField(target)) return
    // A letter without more may be part of a word.
    if (name.length === 1 && !metaKey && !ctrlKey && !altKey) return
    const { message, data } = say(target)
    note(
      breadcrumb(
        'ui.keyDown',
        { message, data: { ...data, metaKey, shiftKey, ctrlKey, altKey, key: name } },
        Date.now(),
      ),
    )
  }

  const undo: Undo[] = [
    listenTo(globalThis, ['click'], (event) => click(event as MouseEvent)),
    listenTo(globalThis, ['input'], input),
    listenTo(globalThis, ['keydown'], (event) => key(event as KeyboardEvent)),
    listenTo(globalThis, ['focus', 'blur'], ({ target, type }) => {
      if (target === globalThis) note(breadcrumb(`ui.${type}`, {}, Date.now()))
    }),
    watchHref((from, to) => {
      recorder.noteUrl(to)
      const at = Date.now()
      note(span('navigation.push', to, at, at, { previous: from }))
    }),
  ]
  if (clicks) undo.push(...watchAnswers(recorder, clicks), clicks.stop)
  return () => undo.forEach((one) => one())
}
