import type { Settings } from '../options.ts'

/** Whose text, whose picture, and whose changes are recorded. */
export interface Rules {
  /**
   * Nothing around it says anything of it: it is neither blocked nor an exception.
   *
   * @param known what was found of elements since the page last changed
   */
  isPlain(element: Element | null, known: Map<Element, boolean>): boolean
  /** What the element, or the nearest one around it that says anything, says of its text. */
  said(element: Element | null): boolean | undefined
  /** … what it says itself. */
  saidHere(element: Element): boolean | undefined
  isMasked(said: boolean | undefined, isField: boolean): boolean
  isBlocked(element: Element | null): boolean
  /** The outermost element around that is only a box; null: the element is shown. */
  boxOf(element: Element): Element | null
  /** For who begins at an element: whether it would be blocked itself. */
  readonly blockSelector: string
  isIgnored(element: Element | null): boolean
  /** A password, or what was one, and what is as secret as one. */
  isSecret(element: Element): boolean
}

const named = (name: string): string => `[data-fh-${name}],[data-sentry-${name}],.sentry-${name}`
const MEDIA =
  'img,image,svg,video,object,picture,embed,map,audio,input[type="image"],link[rel~="icon"],link[rel="apple-touch-icon"]'
const SECRET =
  'input[type="password"],[data-rr-is-password],[autocomplete~="current-password"],[autocomplete~="new-password"],[autocomplete~="one-time-code"],[autocomplete*="cc-"]'

/** The element around: out of a shadow root into its host, out of a frame into the page. */
const around = (element: Element): Element | null => {
  const root = element.getRootNode()
  if (root instanceof Document || root.nodeType === 9) return (root as Document).defaultView?.frameElement ?? null
  return (root as Partial<ShadowRoot>).host ?? null
}

const nearest = (from: Element | null, selector: string): Element | null => {
  for (let element = from; element; element = around(element)) {
    const found = element.closest(selector)
    if (found) return found
  }
  return null
}

/** A selector that browsers cannot read throws: what was to be hidden must not be shown for a typing error. */
export const createRules = (settings: Settings): Rules => {
  const join = (base: string, more: readonly string[]): string => [base, ...more].join(',')
  const mask = join(named('mask'), settings.mask)
  const unmask = join(named('unmask'), settings.unmask)
  const either = `${mask},${unmask}`
  const ignore = join(`${named('ignore')},input[type="file"]`, settings.ignore)
  const unblock = join(named('unblock'), settings.unblock)
  const shown = `:is(${MEDIA}):not(:is(${unblock}),:is(${unblock}) *)`
  const block = join(`${named('block')},base`, [...(settings.blockAllMedia ? [shown] : []), ...settings.block])
  for (const selector of [mask, unmask, ignore, block]) document.querySelector(selector)
  const any = `${block},${either}`
  const secrets = new WeakSet<Element>()

  return {
    isPlain: (element, known) => {
      const asked: Element[] = []
      let isPlain = true
      for (let one = element; one; one = one.parentElement ?? around(one)) {
        const found = known.get(one)
        if (found === undefined) asked.push(one)
        isPlain = found ?? !one.matches(any)
        if (found !== undefined || !isPlain) break
      }
      for (const one of asked) known.set(one, isPlain)
      return isPlain
    },
    said: (element) => {
      const found = nearest(element, either)
      return found === null ? undefined : found.matches(mask)
    },
    saidHere: (element) => (element.matches(either) ? element.matches(mask) : undefined),
    isMasked: (said, isField) => said ?? (isField ? settings.maskAllInputs : settings.maskAllText),
    isBlocked: (element) => nearest(element, block) !== null,
    boxOf: (element) => {
      let box: Element | null = null
      for (let found = nearest(element, block); found;) {
        box = found
        found = nearest(found.parentElement ?? around(found), block)
      }
      return box
    },
    blockSelector: block,
    isIgnored: (element) => nearest(element, ignore) !== null,
    isSecret: (element) => {
      if (secrets.has(element)) return true
      const isSecret = element.matches(SECRET)
      if (isSecret) secrets.add(element)
      return isSecret
    },
  }
}
