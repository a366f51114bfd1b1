import { assetAddress } from './asset-address.ts'
import { SPLIT } from './css.ts'
import { takeImports, type SheetImport } from './read-sheet.ts'
import type { KeptAssets } from './rewrite.ts'
import { candidateOf } from './srcset.ts'

/** Sheets inside of sheets. */
const MAX_IMPORTS_DEEP = 4
/**
 * Characters that may be put in for addresses: a page that names one picture a million times must not become a million
 * times as large.
 */
const MAX_KEPT_TEXT = 32 * 1024 * 1024
/** What each sheet costs of these, also an empty one: sheets that import one another have more ways than can be gone. */
const SHEET_COST = 256

export interface KeptSheet {
  readonly text: string
  readonly imports: readonly SheetImport[]
}

const LAYER = /^layer(?:\(([^()]*)\)|(?=\s|$))\s*/i

/** The argument of `supports(`, up to the parenthesis that closes it; null where none does. */
const argumentOf = (condition: string): string | null => {
  let open = 0
  for (let at = 'supports'.length; at < condition.length; at++) {
    if (condition[at] === '(') open++
    else if (condition[at] === ')' && --open === 0) return condition.slice('supports'.length, at + 1)
  }
  return null
}

/** A sheet under the condition of its import, as a part of the sheet that imports it. */
const underCondition = (text: string, condition: string): string => {
  const layer = LAYER.exec(condition)
  const rest = condition.slice(layer?.[0].length ?? 0)
  const supported = /^supports\(/i.test(rest) ? argumentOf(rest) : null
  const media = supported === null ? rest : rest.slice('supports'.length + supported.length).trim()
  let wrapped = media === '' ? text : `@media ${media}{${text}\n}`
  if (supported !== null) wrapped = `@supports ${supported}{${wrapped}\n}`
  return layer === null ? wrapped : `@layer ${layer[1] ?? ''}{${wrapped}\n}`
}

type Take = (text: string | undefined, cost?: number) => string | null

/** Gives texts as long as there is room for them. @param characters of all together */
export const roomFor = (characters = MAX_KEPT_TEXT): Take => {
  let room = characters
  return (text, cost = 0) => {
    if (text === undefined || text.length + cost > room) return null
    room -= text.length + cost
    return text
  }
}

/**
 * What was kept, for one rewriting.
 *
 * @param data data addresses of pictures and fonts, by the addresses that they were fetched from
 * @param characters that may be put in
 */
export const keptAssets = (
  data: Pick<ReadonlyMap<string, string>, 'get'>,
  sheets: Pick<ReadonlyMap<string, KeptSheet>, 'get'>,
  characters?: number,
): KeptAssets => {
  const take = roomFor(characters)
  /** @param path of the sheets that import it; none is put into itself */
  const sheetAt = ({ condition, url }: SheetImport, path: readonly string[]): string | null => {
    if (path.includes(url) || take('', SHEET_COST + condition.length) === null) return null
    const sheet = sheets.get(url)
    const text = take(sheet?.text)
    if (sheet === undefined || text === null) return null
    if (path.length === MAX_IMPORTS_DEEP) return text
    const below = [...path, url]
    const imported = sheet.imports.map((one) => {
      const other = sheetAt(one, below)
      return other === null ? '' : `${underCondition(other, one.condition)}\n`
    })
    return imported.join('') + text
  }
  const shown: KeptAssets['shown'] = (address, page) => {
    const url = assetAddress(address, page)
    return url === null ? null : take(data.get(url))
  }
  const sheet = (address: string, page: string | null, condition = ''): string | null => {
    const url = assetAddress(address, page)
    return url === null ? null : sheetAt({ url, condition }, [])
  }
  return {
    shown,
    sheet,
    shownOf(srcset, page) {
      const address = candidateOf(srcset)
      return address === null ? null : shown(address, page)
    },
    withImports(css, page) {
      const end = css.indexOf(SPLIT)
      const { imports, layers, rest } = takeImports(end === -1 ? css : css.slice(0, end))
      const kept = imports.flatMap(({ address, condition }) => {
        const text = sheet(address, page, condition)
        return text === null ? [] : [`${underCondition(text, condition)}\n`]
      })
      if (kept.length === 0) return css
      return `${layers}${kept.join('')}${rest}${end === -1 ? '' : css.slice(end)}`
    },
  }
}
