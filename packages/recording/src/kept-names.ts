import { keptAssets, roomFor, type KeptSheet } from './kept-assets.ts'
import { NOTHING_KEPT, type KeptAssets } from './rewrite.ts'
import { MISSING_PICTURE } from './urls.ts'

/**
 * What was kept of a page may come apart from it, once for all parts of a recording. Then a name stands in the page where
 * the data address would: first the page is written with names, and whoever draws it puts in what came of each. The name
 * stands in the address of a grey dot, which is what is drawn where nothing came.
 */

/** `image.png.12-3f9a…`: type, and what it is asked for by. */
const NAME = '(image|font)\\.([a-z0-9+]{1,20})\\.([\\w-]{1,80})'
const [BEFORE = '', BEHIND = ''] = MISSING_PICTURE.split(';')
const ONE = new RegExp(`^${BEFORE};kept=(${NAME});`)
const ALL = new RegExp(`${BEFORE};kept=${NAME};`, 'g')
/** Of one page, so many are looked for. */
const MAX_NAMES = 1000

export interface NamedAsset {
  /** As it stands in the page. */
  readonly name: string
  /** Such as `image/png`. */
  readonly type: string
  /** What it is asked for by: letters, digits, hyphens and underscores. */
  readonly key: string
}

/** @param type of a picture or font */
export const assetName = (type: string, key: string): string => `${type.replace('/', '.')}.${key}`

/** Names that stand in a text, which may be the JSON of a page. */
export const namedAssets = (text: string): readonly NamedAsset[] => {
  const found = new Map<string, NamedAsset>()
  for (const [, family = '', form = '', key = ''] of text.matchAll(ALL)) {
    const type = `${family}/${form}`
    const name = assetName(type, key)
    if (!found.has(name) && found.size < MAX_NAMES) found.set(name, { name, type, key })
  }
  return [...found.values()]
}

/**
 * For the writing of a page with names. One that was recorded is none.
 *
 * @param names of pictures and fonts, by the addresses that they were fetched from
 * @param characters that names and sheets may have together
 */
export const keptUnderNames = (
  names: ReadonlyMap<string, string>,
  sheets: ReadonlyMap<string, KeptSheet>,
  characters: number,
): KeptAssets => {
  const addresses = new Map(Array.from(names, ([url, name]) => [url, `${BEFORE};kept=${name};${BEHIND}`] as const))
  const kept = keptAssets(addresses, sheets, characters)
  return {
    ...kept,
    shown: (address, page) => (ONE.test(address) ? MISSING_PICTURE : kept.shown(address, page)),
  }
}

/** For the drawing of such a page. @param data data addresses, by names */
export const keptByName = (data: ReadonlyMap<string, string>): KeptAssets => {
  const take = roomFor()
  return { ...NOTHING_KEPT, shown: (address) => take(data.get(ONE.exec(address)?.[1] ?? '')) }
}
