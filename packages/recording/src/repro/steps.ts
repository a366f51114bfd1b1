import { EventType, Interaction, NodeType, Source, type RecordedEvent } from '../events.ts'
import { fieldsOf, isFields, textOf, type Fields } from '../fields.ts'
import { PageState } from '../page-state.ts'
import type { PageNode } from '../page-tree.ts'
import { attributeOf, closest, isElement, isMasked } from './element.ts'
import { Finder, newBudget, type Budget, type Located } from './locator.ts'
import { readRequest, type RecordedRequest } from './requests.ts'
import { inputTypeOf, roleOf } from './role.ts'
import { standIn } from './stand-in.ts'
import { cut, quoted } from './writer.ts'

/** What a visitor did, from what rrweb recorded: where the page was, what was clicked, typed and chosen. */

export interface Load {
  readonly kind: 'load'
  readonly at: number
  readonly url: string
  readonly width: number
  readonly height: number
  /** A click or a key just before it may have led here. */
  readonly isFollowed: boolean
}

/** The address changed without a load. */
export interface Move {
  readonly kind: 'move'
  readonly at: number
  readonly url: string
}

export interface Action {
  readonly kind: 'action'
  readonly at: number
  readonly verb: 'click' | 'dblclick' | 'fill' | 'check' | 'select' | 'press' | 'mouse'
  /** Of the element; 0 for none. */
  readonly nodeId: number
  readonly located: Located | null
  /** Arguments of the call, as source; of a field where they are not its value. */
  readonly args: string
  /** What was typed or chosen. */
  readonly value: string | null
  /** What is typed for a value that was masked, and may be typed for any. */
  readonly standsIn: string
  readonly isMasked: boolean
  /** Of a key: it, behind what is held down meanwhile. */
  readonly keys: readonly string[]
  readonly isSecondary: boolean
}

/** What most actions do not have. */
const PLAIN = { args: '', value: null, standsIn: '', isMasked: false, keys: [], isSecondary: false } as const

export type Step = Load | Move | Action

/** What cannot be done again, or not as it was. */
export interface Missing {
  readonly at: number
  readonly text: string
}

/** A click follows its key, that of a field the one on its label, a second one its first, a change its click: in so many ms. */
const CLICK_OF_KEY_MS = 200
const CLICK_OF_LABEL_MS = 50
const DOUBLE_CLICK_MS = 700
const CHANGE_OF_CLICK_MS = 1000
/** A page that loads so long after an action was loaded by it. */
const LOAD_OF_ACTION_MS = 15_000

/** Notes of one test; more say nothing more. */
const MAX_MISSING = 100
/** Steps and requests of one test that are remembered. */
export const MAX_STEPS = 500
const MAX_REQUESTS = 1000
/** Characters of what was typed. */
const MAX_VALUE = 2000

const KEYS: ReadonlySet<string> = new Set([
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'Backspace',
  'Delete',
  'End',
  'Enter',
  'Escape',
  'Home',
  'PageDown',
  'PageUp',
  'Tab',
])
const MODIFIERS = [
  ['metaKey', 'Meta'],
  ['ctrlKey', 'Control'],
  ['altKey', 'Alt'],
  ['shiftKey', 'Shift'],
] as const

const TEXT_TYPES: ReadonlySet<string> = new Set([
  'color',
  'date',
  'datetime-local',
  'email',
  'month',
  'number',
  'password',
  'range',
  'search',
  'tel',
  'text',
  'time',
  'url',
  'week',
])

const isField = (node: PageNode): boolean =>
  node.tag === 'select' || node.tag === 'textarea' || (node.tag === 'input' && TEXT_TYPES.has(inputTypeOf(node)))

const isCheck = (node: PageNode): boolean => node.tag === 'input' && /^(?:checkbox|radio)$/.test(inputTypeOf(node))

/** What people mean who click on something in it. */
const isControl = (node: PageNode): boolean =>
  roleOf(node) !== null
    ? !/^(?:heading|img)$/.test(roleOf(node) ?? '')
    : ['input', 'label', 'summary'].includes(node.tag)

const numberIn = (fields: Fields, name: string): number => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : 0
}

export class StepReader {
  readonly steps: Step[] = []
  readonly missing: Missing[] = []
  readonly requests: RecordedRequest[] = []
  /** Steps that were forgotten for those after them. */
  leftOut = 0
  readonly #page = new PageState()
  readonly #budget: Budget = newBudget()
  readonly #until: number
  #meta: Fields = {}
  #isLoaded = false
  #mayLoad = true
  #focused: number | null = null
  #sawFocus = false

  /** @param until milliseconds: what was done later is no step */
  constructor(until: number) {
    this.#until = until
  }

  /** @param shift what was added to the time of the event, and is added to those in it */
  add(event: RecordedEvent, shift: number): void {
    const data = isFields(event.data) ? event.data : {}
    if (event.type === EventType.Custom) this.#note(event.timestamp, data, shift)
    else if (event.timestamp <= this.#until) this.#read(event, data)
  }

  #read(event: RecordedEvent, data: Fields): void {
    switch (event.type) {
      case EventType.DomContentLoaded:
      case EventType.Load:
        this.#mayLoad = true
        return
      case EventType.Meta:
        this.#meta = data
        this.#page.apply(event)
        return
      case EventType.FullSnapshot:
        this.#page.apply(event)
        this.#load(event.timestamp, data)
        return
      case EventType.IncrementalSnapshot:
        if (data['source'] === Source.MouseInteraction) this.#interact(event.timestamp, data)
        else if (data['source'] === Source.Input) this.#input(event.timestamp, data)
        else if (data['source'] === Source.Drag) this.#miss(event.timestamp, 'something was dragged')
        this.#page.apply(event)
        return
      default:
    }
  }

  #miss(at: number, text: string): void {
    if (this.missing.length < MAX_MISSING && this.missing.at(-1)?.text !== text) this.missing.push({ at, text })
  }

  #push(step: Step): void {
    this.steps.push(step)
    if (this.steps.length <= MAX_STEPS) return
    // The page has to be opened in any case.
    const first = this.steps.findIndex(({ kind }) => kind !== 'load')
    this.steps.splice(first, 1)
    this.leftOut += 1
  }

  /** What was done before on this page, and its place; addresses may have changed since. */
  #before(index = this.steps.length): { readonly index: number; readonly action: Action } | null {
    const place = this.steps.slice(0, index).findLastIndex(({ kind }) => kind !== 'move')
    const action = this.steps[place]
    return action?.kind === 'action' ? { index: place, action } : null
  }

  /** Snapshots that an SDK makes from time to time go on with the ids of the page. */
  #load(at: number, { node }: Fields): void {
    const isFirst = isFields(node) && node['id'] === 1
    const isLoad = !this.#isLoaded || isFirst || this.#mayLoad
    this.#isLoaded = true
    this.#mayLoad = false
    if (!isLoad) return
    this.#focused = null
    this.#sawFocus = false
    const last = this.steps.findLast(({ kind }) => kind === 'action')
    const lastLoad = this.steps.findLast(({ kind }) => kind === 'load')
    const isFollowed =
      last !== undefined && last.at >= (lastLoad?.at ?? 0) && at - last.at <= LOAD_OF_ACTION_MS && mayLead(last)
    this.#push({
      kind: 'load',
      at,
      url: textOf(this.#meta['href']),
      width: numberIn(this.#meta, 'width'),
      height: numberIn(this.#meta, 'height'),
      isFollowed,
    })
  }

  #locate(node: PageNode): Located | null {
    const { document } = this.#page
    return document === null ? null : new Finder(document, this.#budget).find(node)
  }

  #interact(at: number, data: Fields): void {
    const node = this.#page.node(data['id'])
    switch (data['type']) {
      case Interaction.Focus:
        this.#focused = node?.id ?? null
        this.#sawFocus = true
        return
      case Interaction.Blur:
        if (this.#focused === node?.id) this.#focused = null
        return
      case Interaction.Click:
        return this.#click(at, node, data, false)
      case Interaction.ContextMenu:
        return this.#click(at, node, data, true)
      case Interaction.DoubleClick:
        return this.#doubleClick(at)
      default:
    }
  }

  #click(at: number, clicked: PageNode | null, data: Fields, isSecondary: boolean): void {
    const before = this.#before()
    const last = before?.action
    if (last?.verb === 'press' && at - last.at <= CLICK_OF_KEY_MS) return
    if (clicked === null) return this.#miss(at, 'a click: the recording does not say on what')
    const node = targetOf(clicked)
    if (node === null || node.tag === 'html' || node.tag === 'body') {
      const place = `${Math.round(numberIn(data, 'x'))}, ${Math.round(numberIn(data, 'y'))}`
      this.#push({ ...PLAIN, kind: 'action', at, verb: 'mouse', nodeId: 0, located: null, args: place })
      return
    }
    if (node.tag === 'option') return
    if (node.tag === 'input' && inputTypeOf(node) === 'file') return this.#miss(at, 'a file was chosen')
    // A click on a label is followed by one on what it belongs to.
    const isOfLabel =
      last !== undefined && this.#page.node(last.nodeId)?.tag === 'label' && at - last.at <= CLICK_OF_LABEL_MS
    if (isOfLabel && isCheck(node)) this.steps.splice(before?.index ?? -1, 1)
    if (node.tag === 'canvas') this.#miss(at, 'a click on a canvas: it goes to its middle')
    if (closest(node, isEditable) !== null) this.#miss(at, 'what was typed into text that can be edited in its place')
    const args = isSecondary ? "{ button: 'right' }" : ''
    this.#act(node, { ...PLAIN, at, verb: 'click', args, isSecondary })
  }

  #act(node: PageNode, action: Omit<Action, 'kind' | 'nodeId' | 'located'>): void {
    const { at, verb } = action
    const located = this.#locate(node)
    if (located === null) return this.#miss(at, `a ${verb} on ${cut(node.tag, 40)}: nothing tells it from others`)
    this.#push({ ...action, kind: 'action', nodeId: node.id, located })
  }

  /** It comes behind its two clicks. */
  #doubleClick(at: number): void {
    const second = this.#before()
    const first = this.#before(second?.index ?? 0)
    if (first === null || second === null || at - first.action.at > DOUBLE_CLICK_MS) return
    if (second.action.verb !== 'click' || first.action.verb !== 'click') return
    if (first.action.nodeId !== second.action.nodeId) return
    this.steps.splice(second.index, 1)
    this.steps.splice(first.index, 1, { ...first.action, verb: 'dblclick' })
  }

  #input(at: number, data: Fields): void {
    const node = this.#page.node(data['id'])
    if (node === null || !isElement(node) || data['userTriggered'] === false) return
    const before = this.#before()
    const own = before?.action.nodeId === node.id ? before.action : null
    const replace = (action: Action): void => void this.steps.splice(before?.index ?? -1, 1, action)
    if (isCheck(node)) {
      const isChecked = data['isChecked'] === true
      const wasClicked = own !== null && at - own.at <= CHANGE_OF_CLICK_MS
      // Others of the same name change with it, and scripts change some.
      if (!wasClicked && (this.#focused !== node.id || !isChecked)) return
      if (inputTypeOf(node) === 'radio' && !isChecked) return
      const args = isChecked ? '' : 'false'
      if (own === null) this.#act(node, { ...PLAIN, at, verb: 'check', args })
      else replace({ ...own, verb: 'check', args })
      return
    }
    // A script may set a field, too; a visitor is in it.
    if (!isField(node) || (this.#sawFocus && this.#focused !== node.id)) return
    const value = textOf(data['text']).slice(0, MAX_VALUE)
    const typed = {
      keys: [],
      isSecondary: false,
      verb: node.tag === 'select' ? ('select' as const) : ('fill' as const),
      args: '',
      value,
      standsIn: standIn(node),
      isMasked: isMasked(value) || inputTypeOf(node) === 'password',
    }
    if (own === null || own.verb === 'press') this.#act(node, { ...typed, at })
    else replace({ ...own, ...typed })
  }

  #note(at: number, data: Fields, shift: number): void {
    const payload = fieldsOf(data['payload'])
    if (data['tag'] === 'performanceSpan') {
      const request = readRequest(payload, shift)
      if (request !== null && request.from <= this.#until && this.requests.length < MAX_REQUESTS)
        this.requests.push(request)
      if (payload['op'] === 'navigation.push') this.#move(at, textOf(payload['description']))
    } else if (data['tag'] === 'breadcrumb') {
      const inner = fieldsOf(payload['data'])
      if (payload['category'] === 'ui.keyDown' && at <= this.#until) this.#press(at, inner)
      else if (payload['category'] === 'navigation') this.#move(at, textOf(inner['to']))
    }
  }

  #move(at: number, url: string): void {
    if (at <= this.#until && url !== '' && url.length <= 2048 && this.#isLoaded) this.#push({ kind: 'move', at, url })
  }

  #press(at: number, data: Fields): void {
    const key = textOf(data['key'])
    const modifiers = MODIFIERS.filter(([name]) => data[name] === true).map(([, modifier]) => modifier)
    const isShortcut = /^[a-z0-9]$/i.test(key) && modifiers.some((one) => one !== 'Shift')
    if (!KEYS.has(key) && !isShortcut) return
    const node = this.#page.node(data['nodeId'])
    const keys = [...modifiers, key]
    const args = quoted(keys.join('+'))
    if (node !== null && isElement(node) && node.tag !== 'body' && node.tag !== 'html')
      this.#act(node, { ...PLAIN, at, verb: 'press', args, keys })
    else this.#push({ ...PLAIN, kind: 'action', at, verb: 'press', nodeId: 0, located: null, args, keys })
  }
}

const isEditable = (node: PageNode): boolean => {
  const value = attributeOf(node, 'contenteditable')
  return value !== null && value !== 'false'
}

const mayLead = (step: Step): boolean => step.kind === 'action' && (step.verb === 'click' || step.verb === 'press')

/** The control that something belongs to, else itself. */
const targetOf = (clicked: PageNode): PageNode | null => {
  const element = clicked.type === NodeType.Element ? clicked : clicked.parent
  if (element === null || !isElement(element)) return null
  const outside = element.data['isSVG'] === true ? closest(element, ({ tag }) => tag === 'svg') : null
  return closest(element, isControl) ?? outside ?? element
}
