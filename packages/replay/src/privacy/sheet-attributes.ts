/** What style sheets say of attributes: which they show as words, and which values they go by. */

/** Of all sheets; what comes later is masked as if no sheet had it. */
const MAX_SELECTED = 10_000
const MAX_NAMES = 1000
/**
 * `content: attr(data-initials)`, also by way of a custom property: sheets say so of any name. A number or a colour
 * (`width: attr(data-progress %)`) is not shown. What makes the page look as it does, or leads somewhere, stays.
 */
const SHOWN =
  /\battr\(\s*(?!(?:class|id|style|type|width|height|href|src|srcset|rel|lang|dir|for|role)\b(?!-))([\w-]{1,100})\s*(?:[,)]|(?:raw-)?string\b|type\([^)]{0,100}(?:string|\*))/gi
/** Selectors such as `[data-side="left" i]`, `[theme~=small]`. Comments, strings and escapes beside them are passed over. */
const SELECTED =
  /\/\*[^]*?(?:\*\/|$)|\\[^]|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\[\s*([\w-]{1,100})\s*[~|^$*]?=\s*(?:"([^"\\\n]{1,64})"|'([^'\\\n]{1,64})'|([\w-]{1,64}))\s*[is]?\s*\]/gi

export interface SheetAttributes {
  /** Reads a sheet, or a part of one. */
  learn(css: string): void
  /** … one that a script made, which a picture of the page does not contain. Each is read once; its changes are told. */
  learnSheet(sheet: CSSStyleSheet): void
  /** Whether a sheet shows the attribute as words. */
  isShown(name: string): boolean
  /** Whether a sheet has a selector for the attribute with this value. */
  isSelected(name: string, value: string): boolean
}

export const createSheetAttributes = (): SheetAttributes => {
  const shown = new Set<string>()
  const selected = new Set<string>()
  const read = new WeakSet<CSSStyleSheet>()

  const learn = (css: string): void => {
    if (css.includes('attr('))
      for (const [, name] of css.matchAll(SHOWN)) if (name && shown.size < MAX_NAMES) shown.add(name.toLowerCase())
    if (!css.includes('[')) return
    for (const [, name, quoted, single, bare] of css.matchAll(SELECTED)) {
      if (selected.size >= MAX_SELECTED) return
      if (name !== undefined) selected.add(`${name.toLowerCase()}=${quoted ?? single ?? bare ?? ''}`)
    }
  }
  return {
    learn,
    learnSheet: (sheet) => {
      if (read.has(sheet)) return
      read.add(sheet)
      for (const { cssText } of sheet.cssRules) learn(cssText)
    },
    isShown: (name) => shown.has(name),
    isSelected: (name, value) => selected.has(`${name}=${value}`),
  }
}
