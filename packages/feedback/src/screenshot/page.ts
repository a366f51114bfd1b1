import { createContext, destroyContext, domToCanvas } from 'modern-screenshot'
import type { PictureOptions } from './contract.ts'
import { fitInto } from './encode.ts'
import { fontsOfPage } from './fonts.ts'
import { LONGEST_SIDE_PX, RESOURCE_MS } from './limits.ts'
import { createMasking, type Masking } from './mask.ts'

/**
 * A picture of what the visitor sees, made from the DOM, without a permission prompt.
 *
 * modern-screenshot clones the page into an SVG `foreignObject`. This file decides what may be cloned: only what touches
 * the viewport, nothing of the widget, and of masked elements a box. The page itself is never changed.
 * Null when the page's policy forbids it: the library would answer with a blank picture.
 */
export const picturePage = async (widget: Element, options: PictureOptions): Promise<HTMLCanvasElement | null> => {
  if (!(await mayDrawDataImages())) return null
  const { innerWidth: width, innerHeight: height } = window
  const root = document.documentElement
  const clones = createCloneRules(widget, options)
  const context = await createContext<HTMLElement>(document.createElement('div'), {
    autoDestruct: false,
    width,
    height,
    scale: Math.min(window.devicePixelRatio, LONGEST_SIDE_PX / Math.max(width, height)),
    backgroundColor: backgroundOfPage(),
    timeout: RESOURCE_MS,
    fetch: { requestInit: { cache: 'force-cache', credentials: 'same-origin' }, placeholderImage: PLACEHOLDER },
    fetchFn: readImage,
    // Never empty: then the library would look for fonts itself.
    font: { cssText: `/**/${await fontsOfPage()}` },
    features: { restoreScrollPosition: true, copyScrollbar: false },
    includeStyleProperties: paintedProperties(),
    filter: clones.filter,
    onCloneEachNode: clones.onClone,
  })
  // The context was made for an empty element, because making it for the page waits for every image that is still loading.
  context.node = root
  // The library's own frame is filled by srcdoc, which Trusted Types forbid. It takes ours, an empty one.
  const sandbox = emptyFrame()
  context.sandbox = sandbox
  root.append(sandbox)
  try {
    const canvas = await domToCanvas(context)
    return isBlank(canvas) ? null : canvas
  } finally {
    destroyContext(context)
    sandbox.remove()
  }
}

const TRANSPARENT = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
/** Light grey: where an image of another origin cannot be read. */
const PLACEHOLDER = 'data:image/gif;base64,R0lGODdhAQABAIAAAN3d3f///ywAAAAAAQABAAACAkQBADs='
const EMPTY = '#ddd'
const MASKED = '#8a877f'

let dataImages: Promise<boolean> | undefined
/** Does `img-src` allow what the library needs? There is no way to ask without one attempt, so it is made once per page. */
const mayDrawDataImages = (): Promise<boolean> => {
  dataImages ??= new Promise((resolve) => {
    const image = new Image()
    image.addEventListener('load', () => resolve(image.naturalWidth > 0))
    image.addEventListener('error', () => resolve(false))
    image.src = TRANSPARENT
  })
  return dataImages
}

const emptyFrame = (): HTMLIFrameElement => {
  const frame = document.createElement('iframe')
  frame.setAttribute('aria-hidden', 'true')
  frame.tabIndex = -1
  for (const [name, value] of Object.entries({
    position: 'fixed',
    width: '0',
    height: '0',
    border: '0',
    visibility: 'hidden',
    display: 'block',
  })) {
    frame.style.setProperty(name, value, 'important')
  }
  return frame
}

const isTransparent = (colour: string): boolean => colour === 'transparent' || /^rgba\(.*,\s*0\)$/.test(colour)

/** The canvas behind the page gets the colour of the root element, else of the body, else white. */
const backgroundOfPage = (): string => {
  for (const element of [document.documentElement, document.body]) {
    const colour = element === null ? 'transparent' : getComputedStyle(element).backgroundColor
    if (!isTransparent(colour)) return colour
  }
  return '#fff'
}

/** Logical properties repeat the physical ones, and what moves, scrolls or reacts does not show: half of the work saved. */
const NOT_PAINTED =
  /^(animation|transition|scroll|view-|timeline|cursor|pointer-events|page|break-|orphans|widows|speak|will-change|touch-action|user-select|-webkit-(user|locale|app|tap|line-break)|interactivity|app-region|(block|inline)-size|(min|max)-(block|inline)-size|(margin|padding|inset|border)-(block|inline)|border-(start|end)-|contain-intrinsic|overscroll|anchor|position-(try|area|anchor|visibility)|field-sizing|container)/

const paintedProperties = (): string[] =>
  Array.from(getComputedStyle(document.documentElement)).filter((name) => !NOT_PAINTED.test(name))

/** Every element that touches the viewport, with its ancestors. */
const elementsInView = (): Set<Element> => {
  const seen = new Set<Element>()
  const visit = (root: ParentNode): void => {
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot !== null) visit(element.shadowRoot)
      const { bottom, top, left, right } = element.getBoundingClientRect()
      if (bottom < 0 || right < 0 || top > innerHeight || left > innerWidth) continue
      for (let up: Element | null = element; up !== null && !seen.has(up); up = parentOf(up)) seen.add(up)
    }
  }
  visit(document)
  return seen
}

const parentOf = (element: Element): Element | null => {
  if (element.assignedSlot !== null) return element.assignedSlot
  if (element.parentElement !== null) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

/** An element whose clone is being made. */
interface Entry {
  readonly original: Node
  readonly masked: Masking
  /** Nothing below it is cloned. */
  readonly isEmpty: boolean
  /** Children cloned so far. */
  children: number
  /** Boxes to stand in for children that may not be cloned, and before which child. */
  readonly holes: { readonly box: HTMLElement; readonly at: number }[]
}

/**
 * The library asks `filter(original)` right before it clones a node, and calls `onClone(clone)` right after all below it
 * is cloned, one after the other: so the originals form a stack, and each clone belongs to its top.
 */
const createCloneRules = (widget: Element, options: PictureOptions) => {
  const masking = createMasking(options)
  const inView = elementsInView()
  const newEntry = (original: Node, masked: Masking, isEmpty: boolean): Entry => ({
    original,
    masked,
    isEmpty,
    children: 0,
    holes: [],
  })
  const stack: Entry[] = [newEntry(document.documentElement, null, false)]
  return {
    filter: (original: Node): boolean => {
      const parent = stack.at(-1)
      if (original === widget || parent === undefined || parent.isEmpty) return false
      if (original instanceof Element) {
        if (LEFT_OUT.has(original.localName)) return false
        const masked = masking(original)
        if (HOLLOW.has(original.localName)) {
          // The library would clone the other document, or load the video again.
          parent.holes.push({ box: boxFor(original, masked), at: parent.children })
          return false
        }
        const isEmpty = masked !== null || (!inView.has(original) && isBlock(original))
        stack.push(newEntry(original, masked, isEmpty))
      } else if (original.nodeType !== Node.TEXT_NODE) return false
      parent.children += 1
      return true
    },
    onClone: (clone: Node): void => {
      const entry = stack.pop()
      if (entry === undefined || !isStyled(clone) || !(entry.original instanceof Element)) return
      const { original, masked } = entry
      dropHandlers(clone)
      flattenBorder(original, clone)
      if (masked !== null) {
        cover(clone, original, masked)
        return
      }
      for (const { box, at } of entry.holes.toReversed()) clone.insertBefore(box, clone.childNodes[at] ?? null)
      if (original instanceof HTMLTextAreaElement) clone.textContent = original.value
      if (original instanceof HTMLSelectElement) markChosen(original, clone)
      if (original instanceof HTMLInputElement) clone.toggleAttribute('checked', original.checked)
      keepInPlace(original, clone)
      hideBars(original, clone)
      dim(original, clone)
    },
  }
}

/** Nothing to see, or not to be run: the library clones into the page's own document. */
const LEFT_OUT = new Set(['head', 'script', 'style', 'link', 'meta', 'template', 'noscript', 'audio'])
/** Another document, a plugin or a video: a box of the same size. What is masked inside cannot be known. */
const HOLLOW = new Set(['iframe', 'frame', 'object', 'embed', 'video', 'portal', 'fencedframe'])
/** What makes a box lie where the element lies. */
const LAYOUT =
  'display position top right bottom left float clear z-index vertical-align box-sizing width height margin-top margin-right margin-bottom margin-left flex-grow flex-shrink flex-basis align-self justify-self order grid-row-start grid-row-end grid-column-start grid-column-end transform opacity visibility border-radius'

const boxFor = (original: Element, masked: Masking): HTMLElement => {
  const frame = masked === null && original instanceof HTMLVideoElement ? frameOf(original) : null
  const box = document.createElement(frame === null ? 'span' : 'img')
  const computed = getComputedStyle(original)
  for (const name of LAYOUT.split(' ')) box.style.setProperty(name, computed.getPropertyValue(name))
  if (computed.display === 'inline') box.style.display = 'inline-block'
  box.style.background = frame === null ? EMPTY : '#000'
  box.style.objectFit = computed.objectFit
  if (frame !== null && box instanceof HTMLImageElement) box.src = frame
  return box
}

/** What a video shows now, where its pixels may be read. */
const frameOf = (video: HTMLVideoElement): string | null =>
  video.videoWidth > 0 ? readPixels(video, video.videoWidth, video.videoHeight) : null

const isStyled = (node: Node): node is HTMLElement | SVGElement =>
  node instanceof HTMLElement || node instanceof SVGElement

const isBlock = (element: Element): boolean => !/^(inline$|contents|none)/.test(getComputedStyle(element).display)

const dropHandlers = (clone: Element): void => {
  for (const name of clone.getAttributeNames()) if (name.startsWith('on')) clone.removeAttribute(name)
}

/** Copied styles take a native field its theme, which leaves it the sunken borders of old. */
const flattenBorder = (original: Element, clone: HTMLElement | SVGElement): void => {
  if (original.localName !== 'input' || getComputedStyle(original).borderTopStyle !== 'inset') return
  clone.style.setProperty('border-style', 'solid', 'important')
  clone.style.setProperty('border-color', '#9a9a9a', 'important')
}

/** A box of the same size, without anything that was in it. */
const cover = (clone: HTMLElement | SVGElement, original: Element, masked: Masking): void => {
  clone.replaceChildren()
  // What the page asks for in an empty field is its own text.
  const kept = masked === 'value' && isEmptyField(original) ? ['style', 'type', 'placeholder'] : ['style', 'type']
  for (const name of clone.getAttributeNames()) if (!kept.includes(name)) clone.removeAttribute(name)
  if (clone instanceof HTMLImageElement) clone.src = TRANSPARENT
  if (clone instanceof HTMLInputElement) clone.type = 'text'
  const set = (name: string, value: string): void => clone.style.setProperty(name, value, 'important')
  const { width, height } = original.getBoundingClientRect()
  if (masked !== 'value') {
    set('background', MASKED)
    set('border-color', MASKED)
    // The colour of text that the browser shows there itself, as in a date field.
    set('-webkit-text-fill-color', MASKED)
    for (const name of ['border-image', 'box-shadow', 'outline', 'list-style']) set(name, 'none')
    if (getComputedStyle(original).display === 'inline') {
      set('display', 'inline-block')
      set('width', `${width}px`)
      set('height', `${height}px`)
      set('vertical-align', 'text-bottom')
    }
    return
  }
  // The arrow of a select has the colour of its text.
  set('color', MASKED)
  // The field stays a field; a bar stands where its value is, the same for every value.
  if (isEmptyField(original)) return
  set('background-image', `linear-gradient(${MASKED}, ${MASKED})`)
  set('background-size', 'min(60%, 96px) min(50%, 10px)')
  set('background-position', '10px center')
  set('background-repeat', 'no-repeat')
  set('background-clip', 'border-box')
}

const isEmptyField = (element: Element): boolean =>
  (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) && element.value === ''

const markChosen = (original: HTMLSelectElement, clone: Element): void => {
  for (const [index, option] of [...clone.querySelectorAll('option')].entries()) {
    option.toggleAttribute('selected', original.options[index]?.selected === true)
  }
}

/** Fixed and sticky elements stand where the visitor sees them: the clone has no scrolled window that would hold them. */
const keepInPlace = (original: Element, clone: HTMLElement | SVGElement): void => {
  const computed = getComputedStyle(original)
  if (computed.position === 'fixed') keepFixed(original, computed, clone.style)
  if (computed.position === 'sticky') keepStuck(original, computed, clone.style)
}

/** Where the page is scrolled, the library moves the body, which then holds what is fixed: so its offset is taken back. */
const keepFixed = (original: Element, { left, top }: CSSStyleDeclaration, style: CSSStyleDeclaration): void => {
  const isOnTop = original.matches(':modal, :popover-open')
  if (isOnTop) style.setProperty('z-index', '2147483647', 'important')
  if ((scrollX === 0 && scrollY === 0) || (!isOnTop && hasHolder(original))) return
  const body = document.body.getBoundingClientRect()
  style.setProperty('left', `${parseFloat(left) - body.left}px`, 'important')
  style.setProperty('top', `${parseFloat(top) - body.top}px`, 'important')
  style.setProperty('right', 'auto', 'important')
  style.setProperty('bottom', 'auto', 'important')
}

/** Is an ancestor the containing block of fixed elements already? */
const hasHolder = (element: Element): boolean => {
  for (let up = parentOf(element); up !== null && up !== document.documentElement; up = parentOf(up)) {
    const { transform, filter, perspective, backdropFilter } = getComputedStyle(up)
    if ([transform, filter, perspective, backdropFilter].some((value) => value !== 'none' && value !== '')) return true
  }
  return false
}

const keepStuck = (original: Element, { marginTop }: CSSStyleDeclaration, style: CSSStyleDeclaration): void => {
  const parent = original.parentElement
  if (parent === null) return
  let before = original.previousElementSibling
  while (before !== null && !isInFlow(before)) before = before.previousElementSibling
  const { paddingTop, borderTopWidth } = getComputedStyle(parent)
  // What holds it may be what is scrolled: then its first place is above what is seen of it.
  const natural =
    before === null
      ? parent.getBoundingClientRect().top + parseFloat(paddingTop) + parseFloat(borderTopWidth) - parent.scrollTop
      : before.getBoundingClientRect().bottom
  const shift = original.getBoundingClientRect().top - parseFloat(marginTop) - natural
  style.setProperty('position', 'relative', 'important')
  style.setProperty('top', shift > 1 ? `${shift}px` : '0', 'important')
  for (const side of ['bottom', 'left', 'right']) style.setProperty(side, 'auto', 'important')
}

/** Bars that take no room (of phones, of Macs, hidden by the page) would be drawn all the same, and take some. */
const hideBars = (original: Element, clone: HTMLElement | SVGElement): void => {
  if (!(original instanceof HTMLElement)) return
  const computed = getComputedStyle(original)
  const { offsetWidth, offsetHeight, clientWidth, clientHeight } = original
  const widths = (first: string, second: string): number => parseFloat(first) + parseFloat(second)
  const upright = offsetWidth - clientWidth - widths(computed.borderLeftWidth, computed.borderRightWidth)
  const lying = offsetHeight - clientHeight - widths(computed.borderTopWidth, computed.borderBottomWidth)
  if (/auto|scroll/.test(computed.overflowY) && upright < 1)
    clone.style.setProperty('overflow-y', 'hidden', 'important')
  if (/auto|scroll/.test(computed.overflowX) && lying < 1) clone.style.setProperty('overflow-x', 'hidden', 'important')
}

/** What a modal dialog lies on is no element: a shadow without a blur stands in for it. */
const dim = (original: Element, clone: HTMLElement | SVGElement): void => {
  if (!original.matches('dialog:modal')) return
  const { boxShadow } = getComputedStyle(original)
  const behind = `0 0 0 200vmax ${getComputedStyle(original, '::backdrop').backgroundColor}`
  clone.style.setProperty('box-shadow', boxShadow === 'none' ? behind : `${boxShadow}, ${behind}`, 'important')
}

const isInFlow = (element: Element): boolean =>
  element.getClientRects().length > 0 && !/fixed|absolute/.test(getComputedStyle(element).position)

/** Images of the page as data URLs: of this page's own origin, or of another one that allows it. Without cookies there. */
const readImage = async (url: string): Promise<string | false> => {
  const shown = [...document.images].find(
    (image) => image.currentSrc === url && image.complete && image.naturalWidth > 0,
  )
  const known = shown === undefined ? null : draw(shown)
  if (known !== null) return known
  return (await load(url)) ?? PLACEHOLDER
}

const load = (url: string): Promise<string | null> =>
  new Promise((resolve) => {
    const image = new Image()
    const timer = setTimeout(() => resolve(null), RESOURCE_MS)
    const settle = (value: string | null): void => {
      clearTimeout(timer)
      resolve(value)
    }
    image.crossOrigin = 'anonymous'
    image.referrerPolicy = 'strict-origin'
    image.addEventListener('load', () => settle(draw(image)))
    image.addEventListener('error', () => settle(null))
    image.src = url
  })

/** An image without a size of its own (SVG) gets the size it is shown at. */
const draw = (image: HTMLImageElement): string | null =>
  readPixels(image, image.naturalWidth || image.width || 300, image.naturalHeight || image.height || 150)

/** Null when the pixels may not be read. */
const readPixels = (image: CanvasImageSource, width: number, height: number): string | null => {
  const size = fitInto({ width, height })
  const canvas = document.createElement('canvas')
  canvas.width = size.width
  canvas.height = size.height
  try {
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/webp', 0.92)
  } catch {
    // A picture of another origin may not be read back.
    return null
  }
}

/** A page of one single colour is nothing to look at, and most likely a picture that failed. */
const isBlank = (canvas: HTMLCanvasElement): boolean => {
  const small = document.createElement('canvas')
  small.width = small.height = 64
  const context = small.getContext('2d')
  if (context === null || canvas.width === 0 || canvas.height === 0) return true
  context.drawImage(canvas, 0, 0, 64, 64)
  const colours = new Set(new Uint32Array(context.getImageData(0, 0, 64, 64).data.buffer))
  return colours.size < 2
}
