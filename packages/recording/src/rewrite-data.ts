import { isColumnProperty, isTooLayered } from './css.ts'
import { takeCss, takeText, type Budget } from './attributes.ts'
import { NodeType, Source } from './events.ts'
import { fieldsOf, isFields, listOf, type Fields } from './fields.ts'
import type { PageTree } from './page-tree.ts'
import { MAX_SIDE } from './bounds.ts'

/** Rules inside rules: players go down by recursion. */
const MAX_NESTING = 32
const MAX_INDEX = 1_000_000
const MAX_POSITION = 1e9
const MAX_MEDIA_SECONDS = 1e7

const FOCUSABLE_INTERACTIONS = 10

const isWithin = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

const isIndex = (value: unknown): value is number => isWithin(value, 0, MAX_INDEX) && Number.isInteger(value)

const numberOf = (value: unknown): number => (isWithin(value, -MAX_POSITION, MAX_POSITION) ? value : 0)

const isPath = (value: unknown): value is number[] =>
  Array.isArray(value) && value.length > 0 && value.length <= MAX_NESTING && value.every(isIndex)

/** What the readers below see: the page as it is by then. */
interface Reading {
  readonly data: Fields
  readonly tree: PageTree
  readonly budget: Budget
}

const isThere = ({ data, tree }: Reading): boolean => tree.get(data['id']) !== null

const rewritePositions = ({ data }: Reading): Fields | null => {
  const positions: Fields[] = []
  for (const entry of listOf(data['positions'])) {
    if (!isFields(entry) || !isIndex(entry['id'])) continue
    const { id } = entry
    positions.push({ x: numberOf(entry['x']), y: numberOf(entry['y']), id, timeOffset: numberOf(entry['timeOffset']) })
  }
  return positions.length === 0 ? null : { source: data['source'], positions }
}

const rewriteInteraction = (reading: Reading): Fields | null => {
  const { data } = reading
  const { id, type } = data
  if (!isThere(reading) || !isWithin(type, 0, FOCUSABLE_INTERACTIONS) || !Number.isInteger(type)) return null
  return { source: Source.MouseInteraction, type, id, x: numberOf(data['x']), y: numberOf(data['y']) }
}

const rewriteScroll = (reading: Reading): Fields | null => {
  const { data } = reading
  if (!isThere(reading)) return null
  return { source: Source.Scroll, id: data['id'], x: numberOf(data['x']), y: numberOf(data['y']) }
}

const rewriteResize = ({ data }: Reading): Fields | null => {
  const { width, height } = data
  if (!isWithin(width, 0, MAX_SIDE) || !isWithin(height, 0, MAX_SIDE)) return null
  return { source: Source.ViewportResize, width, height }
}

const WITH_VALUE = new Set(['input', 'textarea', 'select', 'option'])

const rewriteInput = ({ data, tree, budget }: Reading): Fields | null => {
  const node = tree.get(data['id'])
  const { text, isChecked } = data
  if (node === null || !WITH_VALUE.has(node.tag)) return null
  const value = typeof text === 'string' ? takeText(budget, text) : ''
  return { source: Source.Input, id: node.id, text: value, isChecked: isChecked === true }
}

const rewriteMedia = ({ data, tree }: Reading): Fields | null => {
  const node = tree.get(data['id'])
  const { type, currentTime, playbackRate, muted, volume, loop } = data
  if (node === null || (node.tag !== 'video' && node.tag !== 'audio') || !isIndex(type)) return null
  return {
    source: Source.MediaInteraction,
    type,
    id: node.id,
    ...(isWithin(currentTime, 0, MAX_MEDIA_SECONDS) ? { currentTime } : {}),
    ...(isWithin(playbackRate, 0.0625, 16) ? { playbackRate } : {}),
    ...(typeof muted === 'boolean' ? { muted } : {}),
    ...(isWithin(volume, 0, 1) ? { volume } : {}),
    ...(typeof loop === 'boolean' ? { loop } : {}),
  }
}

const rewriteAddedRules = (value: unknown, budget: Budget): Fields[] => {
  const rules: Fields[] = []
  for (const entry of listOf(value)) {
    if (!isFields(entry) || typeof entry['rule'] !== 'string') continue
    const { index } = entry
    const at = isIndex(index) || isPath(index) ? { index } : {}
    rules.push({ rule: takeCss(budget, entry['rule']), ...at })
  }
  return rules
}

/** The sheet that rules belong to: one of an element that is there, or one that a script made. */
const sheetOf = ({ data, tree }: Reading): Fields | null => {
  const { id, styleId } = data
  if (isIndex(styleId) && styleId > 0) return { styleId }
  const node = tree.get(id)
  return node !== null && node.tag === 'style' ? { id: node.id } : null
}

/**
 * A sheet that a script made is replaced at once: while a player waits for `replace`, it may not change the sheet, and fails
 * where nobody catches it. Browsers refuse to replace the sheet of an element, as they did where it was recorded.
 */
const rewriteReplacement = ({ replace, replaceSync }: Fields, sheet: Fields, budget: Budget): Fields => {
  const css = typeof replaceSync === 'string' ? replaceSync : replace
  if (typeof css !== 'string') return {}
  if (sheet['styleId'] !== undefined) return { replaceSync: takeCss(budget, css) }
  budget.changed++
  return {}
}

const rewriteRules = (reading: Reading): Fields | null => {
  const { data, budget } = reading
  const sheet = sheetOf(reading)
  if (sheet === null) return null
  const removes: Fields[] = []
  for (const entry of listOf(data['removes'])) {
    const index = isFields(entry) ? entry['index'] : null
    if (isIndex(index) || isPath(index)) removes.push({ index })
  }
  return {
    source: Source.StyleSheetRule,
    ...sheet,
    ...(data['adds'] === undefined ? {} : { adds: rewriteAddedRules(data['adds'], budget) }),
    ...(removes.length === 0 ? {} : { removes }),
    ...rewriteReplacement(data, sheet, budget),
  }
}

const PROPERTY = /^-{0,2}[A-Za-z_][\w-]{0,199}$/

const rewriteDeclaration = (reading: Reading): Fields | null => {
  const { data, budget } = reading
  const sheet = sheetOf(reading)
  const { index, set, remove } = data
  if (sheet === null || !isPath(index)) return null
  const changed: Record<string, unknown> = {}
  const property = isFields(set) && typeof set['property'] === 'string' ? set['property'] : ''
  // The selector of its rule is not known here.
  const given = isFields(set) && typeof set['value'] === 'string' ? set['value'] : ''
  const isRefused = (isColumnProperty(property) && !budget.sheets.mayHaveColumns(null)) || isTooLayered(property, given)
  if (isRefused) budget.changed++
  if (isFields(set) && PROPERTY.test(property) && !isRefused) {
    const value = takeCss(budget, given)
    changed['set'] = {
      property,
      value,
      ...(set['priority'] === 'important' ? { priority: 'important' } : {}),
    }
  }
  if (isFields(remove) && typeof remove['property'] === 'string' && PROPERTY.test(remove['property'])) {
    changed['remove'] = { property: remove['property'] }
  }
  return { source: Source.StyleDeclaration, ...sheet, index, ...changed }
}

const rewriteAdopted = (reading: Reading): Fields | null => {
  const { data, budget } = reading
  if (!isThere(reading)) return null
  const styles: Fields[] = []
  for (const entry of listOf(data['styles'])) {
    if (!isFields(entry) || !isIndex(entry['styleId'])) continue
    styles.push({ styleId: entry['styleId'], rules: rewriteAddedRules(entry['rules'], budget) })
  }
  return {
    source: Source.AdoptedStyleSheet,
    id: data['id'],
    ...(data['styles'] === undefined ? {} : { styles }),
    styleIds: listOf(data['styleIds']).filter(isIndex),
  }
}

const BYTES = /^\[[\d,\s]*\]$/
const DESCRIPTORS = [
  'style',
  'weight',
  'stretch',
  'unicodeRange',
  'variant',
  'featureSettings',
  'display',
  'ascentOverride',
  'descentOverride',
  'lineGapOverride',
]

/** The address of a font that a script made, if nothing is fetched for it. */
const fontAddress = (source: string, { writeUrl }: Budget): string | null => {
  const address = /^\s*url\(\s*(?!\s)(["']?)([^"'()\\\s]*)\1\s*\)/i.exec(source)?.[2]
  const harmless = address === undefined ? null : writeUrl(address)
  return harmless === null || harmless.startsWith('#') ? null : `url("${harmless}")`
}

const rewriteFont = ({ data, budget }: Reading): Fields | null => {
  const { family, fontSource, buffer } = data
  if (typeof family !== 'string' || typeof fontSource !== 'string') return null
  const taken = takeText(budget, fontSource)
  const source = buffer === true ? (BYTES.test(taken) ? taken : null) : fontAddress(taken, budget)
  if (source === null) return null
  const given = fieldsOf(data['descriptors'])
  const descriptors: Record<string, string> = {}
  for (const name of DESCRIPTORS) {
    const value = given[name]
    if (typeof value === 'string') descriptors[name] = takeCss(budget, value)
  }
  return { source: Source.Font, family: family.slice(0, 200), fontSource: source, buffer: buffer === true, descriptors }
}

const rewriteSelection = ({ data, tree }: Reading): Fields | null => {
  const ranges: Fields[] = []
  for (const entry of listOf(data['ranges'])) {
    if (!isFields(entry)) continue
    const { start, end, startOffset, endOffset } = entry
    if (tree.get(start) === null || tree.get(end) === null || !isIndex(startOffset) || !isIndex(endOffset)) continue
    ranges.push({ start, end, startOffset, endOffset })
  }
  return { source: Source.Selection, ranges }
}

const PICTURE_TYPE = /^image\/(?:webp|png|jpeg)$/
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/

/** A picture of a canvas as Sentry's recorder writes it. Null for anything else that could be made of such arguments. */
const pictureOf = (argument: unknown, budget: Budget): Fields | null => {
  if (!isFields(argument) || argument['rr_type'] !== 'ImageBitmap') return null
  const [blob] = listOf(argument['args'])
  if (!isFields(blob) || blob['rr_type'] !== 'Blob') return null
  const { type } = blob
  const [bytes] = listOf(blob['data'])
  const base64 = isFields(bytes) && bytes['rr_type'] === 'ArrayBuffer' ? bytes['base64'] : null
  if (typeof type !== 'string' || !PICTURE_TYPE.test(type) || typeof base64 !== 'string') return null
  const taken = takeText(budget, base64)
  if (taken === '' || !BASE64.test(taken)) return null
  const data = [{ rr_type: 'ArrayBuffer', base64: taken }]
  return { rr_type: 'ImageBitmap', args: [{ rr_type: 'Blob', data, type }] }
}

/** Recorders of ours and of Sentry write pictures of a canvas. Any other command could make any object of a browser. */
const rewriteCanvas = ({ data, tree, budget }: Reading): Fields | null => {
  const node = tree.get(data['id'])
  if (node?.type !== NodeType.Element || node.tag !== 'canvas' || data['type'] !== 0) return null
  const commands: Fields[] = []
  for (const command of listOf(data['commands'])) {
    if (!isFields(command) || command['setter'] !== undefined) continue
    const [first, ...others] = listOf(command['args'])
    const isDrawn = others.length <= 8 && others.every((value) => isWithin(value, -MAX_POSITION, MAX_POSITION))
    if (command['property'] === 'clearRect' && isDrawn && isWithin(first, -MAX_POSITION, MAX_POSITION)) {
      commands.push({ property: 'clearRect', args: [first, ...others] })
    } else if (command['property'] === 'drawImage' && isDrawn) {
      const picture = pictureOf(first, budget)
      if (picture !== null) commands.push({ property: 'drawImage', args: [picture, ...others] })
    }
  }
  return commands.length === 0 ? null : { source: Source.CanvasMutation, id: node.id, type: 0, commands }
}

const REWRITERS: Readonly<Record<number, (reading: Reading) => Fields | null>> = {
  [Source.MouseMove]: rewritePositions,
  [Source.TouchMove]: rewritePositions,
  [Source.Drag]: rewritePositions,
  [Source.MouseInteraction]: rewriteInteraction,
  [Source.Scroll]: rewriteScroll,
  [Source.ViewportResize]: rewriteResize,
  [Source.Input]: rewriteInput,
  [Source.MediaInteraction]: rewriteMedia,
  [Source.StyleSheetRule]: rewriteRules,
  [Source.StyleDeclaration]: rewriteDeclaration,
  [Source.AdoptedStyleSheet]: rewriteAdopted,
  [Source.Font]: rewriteFont,
  [Source.Selection]: rewriteSelection,
  [Source.CanvasMutation]: rewriteCanvas,
}

/**
 * An incremental snapshot that is no mutation, with the fields that are known of its kind and nothing else. Null for one
 * that shows nothing: of a kind that is not known, or of a node that is not there.
 */
export const rewriteIncremental = (data: Fields, tree: PageTree, budget: Budget): Fields | null => {
  const { source } = data
  const rewrite = typeof source === 'number' ? REWRITERS[source] : undefined
  return rewrite?.({ data, tree, budget }) ?? null
}
