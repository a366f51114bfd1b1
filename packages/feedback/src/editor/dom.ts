type Attributes = Readonly<Record<string, string | boolean>>

/** An element by DOM calls only: no inner HTML and no style attribute, so Trusted Types and a strict CSP never object. */
export const element = <Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) made.setAttribute(name, value === true ? '' : value)
  }
  made.append(...children)
  return made
}

export const button = (
  attributes: Attributes,
  content: Node | string,
  onClick: (event: MouseEvent) => void,
): HTMLButtonElement => {
  const made = element('button', { type: 'button', ...attributes }, content)
  made.addEventListener('click', onClick)
  return made
}

const SVG = 'http://www.w3.org/2000/svg'

/** A 16 px line icon. */
export const icon = (path: string): SVGSVGElement => {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('aria-hidden', 'true')
  const line = document.createElementNS(SVG, 'path')
  line.setAttribute('d', path)
  svg.append(line)
  return svg
}

export const ICONS = {
  undo: 'M6 3 3 6l3 3M3 6h6a4 4 0 0 1 0 8H6',
  redo: 'm10 3 3 3-3 3M13 6H7a4 4 0 0 0 0 8h3',
  enlarge: 'M9 3h4v4M7 13H3V9M13 3 9 7M3 13l4-4',
  close: 'm4 4 8 8M12 4l-8 8',
  check: 'm3.5 8.5 3 3 6-7',
  remove: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  more: 'm4 6.5 4 4 4-4',
  plus: 'M8 3v10M3 8h10',
  page: 'M2.5 3.5h11v9h-11zM2.5 6h11',
  capture: 'M2.5 3.5h11v7h-11zM6 13.5h4M8 10.5v3',
  upload: 'M8 10.5V3M5 6l3-3 3 3M3 10.5v2.5h10v-2.5',
} as const

/** `{width} × {height}` filled in. */
export const fill = (text: string, values: Readonly<Record<string, string | number>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole))

export const place = (
  style: CSSStyleDeclaration,
  at: { x: number; y: number; width: number; height: number },
): void => {
  style.left = `${at.x}px`
  style.top = `${at.y}px`
  style.width = `${at.width}px`
  style.height = `${at.height}px`
}
