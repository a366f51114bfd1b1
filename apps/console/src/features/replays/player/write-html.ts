/** Of a text that somebody reads. */
const MAX_LINES = 5000
const MAX_CHARACTERS = 400_000
const MAX_TEXT = 2000
const INDENT = '  '
const MAX_INDENTS = 40

/** Written by the player, not by the page. */
const OF_PLAYER = /^(?:rrweb-paused|:hover)$/
const HREF = 'data-fh-href'

const quoted = (value: string): string => value.replaceAll('"', '&quot;').slice(0, MAX_TEXT)

function attributesOf(element: Element): string {
  const written: string[] = []
  for (const { name, value } of element.attributes) {
    const text =
      name === 'class'
        ? value
            .split(' ')
            .filter((word) => !OF_PLAYER.test(word))
            .join(' ')
        : value
    if (name === 'class' && text === '' && value !== '') continue
    written.push(` ${name === HREF ? 'href' : name}="${quoted(text)}"`)
  }
  return written.join('')
}

const isText = (node: Node): boolean => node.nodeType === 3
const textOf = (node: Node): string => (node.nodeValue ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, MAX_TEXT)

/** The player's own sheet stands beside the head. */
const isOfPlayer = (node: Node): boolean => node.nodeName === 'STYLE' && node.parentNode?.nodeName === 'HTML'

/** Stands for what may not be drawn, and is of no page. */
const REMOVED = 'FH-REMOVED'

const isShown = (node: Node): boolean =>
  isText(node)
    ? textOf(node) !== ''
    : (node.nodeType === 1 || node.nodeType === 11) && node.nodeName !== REMOVED && !isOfPlayer(node)

/** What is in a node: a shadow root and the document of a frame stand before children. */
function childrenOf(node: Node): readonly Node[] {
  const { contentDocument, shadowRoot } = node as Partial<HTMLIFrameElement>
  const inside = contentDocument?.documentElement ?? shadowRoot
  return [...(inside == null ? [] : [inside]), ...node.childNodes].filter(isShown)
}

function opening(node: Node): string {
  if (node.nodeType === 11) return '#shadow-root'
  const element = node as Element
  return `<${element.localName}${attributesOf(element)}>`
}

/**
 * A page as a text that people read: an element in a line, what is in it below it. Shadow roots and frames are in it.
 * Very large ones end with a line that says so.
 */
export function writeHtml(root: Element): string {
  const lines: string[] = []
  let characters = 0
  // By hand: pages are as deep as strangers want them to be.
  const open: { readonly node: Node; readonly depth: number; readonly isEnd: boolean }[] = [
    { node: root, depth: 0, isEnd: false },
  ]
  const say = (depth: number, line: string): void => {
    lines.push(INDENT.repeat(Math.min(depth, MAX_INDENTS)) + line)
    characters += line.length
  }
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (lines.length >= MAX_LINES || characters >= MAX_CHARACTERS) {
      say(0, '<!-- The page goes on; it is too long to be read here. -->')
      break
    }
    const { node, depth, isEnd } = next
    if (isText(node)) {
      say(depth, textOf(node))
      continue
    }
    if (isEnd) {
      say(depth, `</${(node as Element).localName}>`)
      continue
    }
    const children = childrenOf(node)
    const [only] = children
    if (children.length === 0) say(depth, opening(node))
    else if (children.length === 1 && only !== undefined && isText(only) && node.nodeType === 1) {
      say(depth, `${opening(node)}${textOf(only)}</${(node as Element).localName}>`)
    } else {
      say(depth, opening(node))
      if (node.nodeType === 1) open.push({ node, depth, isEnd: true })
      for (const child of children.toReversed()) open.push({ node: child, depth: depth + 1, isEnd: false })
    }
  }
  return lines.join('\n')
}
