import { keptAssets, roomFor, type KeptSheet } from './kept-assets.ts'
import { NOTHING_KEPT, type KeptAssets } from './rewrite.ts'
import { MISSING_PICTURE } from './urls.ts'

/**
 * What was kept of a page may come apart from it, once for all parts of a recording. Then a name stands in the page where
 * the data address would: first the page is written with names, and whoever draws it puts in what came of each. The name
 * stands in the address of a grey dot, which is what is drawn where nothing came.
 */

const NAMED = /data:image\/gif;kept=([\w-]{1,80});/g
/** Of one page, so many are looked for. */
const MAX_NAMES = 1000

const addressOf = (name: string): string => MISSING_PICTURE.replace(';', `;kept=${name};`)

/** Names that stand in a text, which may be the JSON of a page. */
export const namesIn = (text: string): readonly string[] =>
  [...new Set(Array.from(text.matchAll(NAMED), ([, name = '']) => name))].slice(0, MAX_NAMES)

/**
 * For the writing of a page with names. One that was recorded is none.
 *
 * @param names of pictures and fonts, by the addresses that they were fetched from: letters, digits, hyphens, underscores
 * @param characters that names and sheets may have together
 */
export const keptUnderNames = (
  names: ReadonlyMap<string, string>,
  sheets: ReadonlyMap<string, KeptSheet>,
  characters: number,
): KeptAssets => {
  const addresses = new Map(Array.from(names, ([url, name]) => [url, addressOf(name)] as const))
  const kept = keptAssets(addresses, sheets, characters)
  return {
    ...kept,
    shown: (address, page) => (namesIn(address).length > 0 ? MISSING_PICTURE : kept.shown(address, page)),
  }
}

/** For the drawing of such a page. @param data data addresses, by names */
export const keptByName = (data: ReadonlyMap<string, string>): KeptAssets => {
  const take = roomFor()
  return { ...NOTHING_KEPT, shown: (address) => take(data.get(namesIn(address)[0] ?? '')) }
}
