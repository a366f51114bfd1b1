import { FONT_FACES, RESOURCE_MS } from './limits.ts'

/**
 * The fonts that the page shows just now, as rules that need nothing from outside: the picture is an SVG image, which
 * loads nothing. They are read from the page's own style sheets. (modern-screenshot would put a style element into a
 * document of its own, which a policy without inline styles forbids, and reports.)
 */
export const fontsOfPage = async (): Promise<string> => {
  const shown = new Set(
    [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => plain(family)),
  )
  if (shown.size === 0) return ''
  const faces: CSSFontFaceRule[] = []
  for (const sheet of [...document.styleSheets, ...document.adoptedStyleSheets]) collectFaces(sheet, shown, faces)
  const rules = await Promise.all(faces.slice(0, FONT_FACES).map(embedded))
  return rules.join('')
}

const plain = (family: string): string => family.replaceAll(/["']/g, '').trim().toLowerCase()

const collectFaces = (
  group: { readonly cssRules: CSSRuleList },
  shown: ReadonlySet<string>,
  faces: CSSFontFaceRule[],
) => {
  let rules: CSSRuleList
  try {
    rules = group.cssRules
  } catch {
    // A style sheet of another origin tells nobody what is in it.
    return
  }
  for (const rule of rules) {
    if (rule instanceof CSSFontFaceRule) {
      if (shown.has(plain(rule.style.getPropertyValue('font-family')))) faces.push(rule)
    } else if (rule instanceof CSSImportRule) {
      if (rule.styleSheet !== null) collectFaces(rule.styleSheet, shown, faces)
    } else if (rule instanceof CSSGroupingRule) collectFaces(rule, shown, faces)
  }
}

const URL_IN_SOURCE = /url\((["']?)(.+?)\1\)/

/** The rule with its font inside; empty when the page has not loaded that font, or it cannot be read. */
const embedded = async ({ style, parentStyleSheet }: CSSFontFaceRule): Promise<string> => {
  const url = URL_IN_SOURCE.exec(style.getPropertyValue('src'))?.[2]
  if (url === undefined) return ''
  const data = url.startsWith('data:') ? url : await load(new URL(url, parentStyleSheet?.href ?? document.baseURI).href)
  if (data === null) return ''
  const others = [...style].filter((name) => name !== 'src').map((name) => `${name}:${style.getPropertyValue(name)};`)
  return `@font-face{${others.join('')}src:url(${data})}`
}

const load = async (url: string): Promise<string | null> => {
  // Many families have faces for scripts and weights that are not on the page: those are not fetched for a picture.
  if (performance.getEntriesByName(url).length === 0) return null
  try {
    const answer = await fetch(url, {
      cache: 'force-cache',
      credentials: 'same-origin',
      signal: AbortSignal.timeout(RESOURCE_MS),
    })
    return answer.ok ? await asDataUrl(await answer.blob()) : null
  } catch {
    // Blocked, away or too slow: the text is drawn in another font.
    return null
  }
}

const asDataUrl = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('loadend', () => {
      if (typeof reader.result === 'string') resolve(reader.result)
      else reject(reader.error ?? new Error('The font cannot be read.'))
    })
    reader.readAsDataURL(blob)
  })
