import type { ApiGroupingComponent, ApiGroupingVariant } from '@firsthand/contract'

/** "Why grouped": the sentence for people, and the tree of parts for those who look closer. */

export interface GroupingLine {
  readonly key: string
  readonly depth: number
  readonly name: string
  readonly value: string
  readonly contributes: boolean
  readonly hint: string
}

/** Frames that the sentence names; the rest is in the variants. */
const NAMED_FRAMES = 3

export function sortVariants(variants: Readonly<Record<string, ApiGroupingVariant>>): readonly ApiGroupingVariant[] {
  return Object.values(variants).toSorted(
    (a, b) => Number(b.contributes) - Number(a.contributes) || Number(b.key === 'app') - Number(a.key === 'app'),
  )
}

export function groupingSentence(variants: Readonly<Record<string, ApiGroupingVariant>>): string {
  const decisive = sortVariants(variants).find((variant) => variant.contributes)
  if (decisive === undefined)
    return 'Nothing in the event tells it from others, so it stands with all events of that kind.'
  const component = decisive.component
  const key = decisive.key
  if (key.includes('fingerprint')) {
    const values = component === null ? [] : leaves(component).map((leaf) => leaf.value)
    return `Same fingerprint${listed(values)}, as the application or a rule of the project says.`
  }
  if (key === 'checksum') return 'Same checksum, as the application says.'
  if (component === null) return `Same ${decisive.description}.`
  const parts = leaves(component).filter((leaf) => leaf.contributes)
  const functions = [...new Set(parts.filter((part) => part.name === 'function').map((part) => part.value))]
  const frames =
    functions.length > 0
      ? functions
      : [...new Set(parts.filter(({ name }) => name === 'filename' || name === 'package').map((part) => part.value))]
  if (frames.length > 0) {
    const type = parts.some((part) => part.name === 'type') ? 'type and ' : ''
    const own = key === 'app' ? 'in-app ' : ''
    return `Same ${type}${own}frames: ${some(frames)}.`
  }
  if (key.startsWith('csp') || key === 'expectct' || key === 'hpkp')
    return `Same directive and origin${listed(parts.map((part) => part.value))}.`
  const type = parts.find((part) => part.name === 'type')
  if (type !== undefined) {
    const value = parts.find((part) => part.name === 'value')
    return `Same type (${type.value})${value === undefined ? '' : ` and same message without its variable parts: ${value.value}`}.`
  }
  const message = parts.find((part) => part.name === 'message')
  return message === undefined
    ? `Same ${decisive.description}${listed(parts.map((part) => part.value))}.`
    : `Same message without its variable parts: ${message.value}.`
}

type Variants = Readonly<Record<string, ApiGroupingVariant>>

/** Whether this was decided when the event was stored. Else it is what today's rules say, because nothing was kept. */
export function isAsStored(variants: Variants): boolean {
  return Object.values(variants).some((variant) => variant.config?.decided === 'stored')
}

/** Whether today's rules would give the event another hash than it got when it was stored. */
export function decidesOtherwise(today: Variants, stored: Variants): boolean {
  const hashes = (variants: Variants) =>
    Object.values(variants)
      .flatMap(({ contributes, hash }) => (contributes && hash !== null ? [hash] : []))
      .toSorted()
      .join()
  return hashes(today) !== hashes(stored)
}

function some(names: readonly string[]): string {
  const rest = names.length - NAMED_FRAMES
  return `${names.slice(0, NAMED_FRAMES).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? '' : ` (${some(values)})`
}

/** Of a file whose name is only a hash of the build, grouping keeps this. */
const NAMELESS_FILE = '<chunk>'

function readable(value: string): string {
  return value === NAMELESS_FILE ? 'a file that a build names' : value
}

interface Leaf {
  readonly name: string
  readonly value: string
  readonly contributes: boolean
}

function leaves(component: ApiGroupingComponent, contributes = true): readonly Leaf[] {
  const counts = contributes && component.contributes
  return component.values.flatMap((value) =>
    typeof value === 'string'
      ? [{ name: component.id, value: readable(value), contributes: counts }]
      : leaves(value, counts),
  )
}

/** The tree as indented lines; nothing inside a part that was left out counts. A part with only text values stands on one line with them. */
export function groupingLines(component: ApiGroupingComponent): readonly GroupingLine[] {
  const lines: GroupingLine[] = []
  const visit = (part: ApiGroupingComponent, depth: number, path: string, counts: boolean) => {
    const contributes = counts && part.contributes
    const texts = part.values.filter((value) => typeof value === 'string')
    // A part that the event does not have tells nothing.
    if (part.values.length === 0 && (part.hint ?? '') === '') return
    lines.push({
      key: path,
      depth,
      name: part.name ?? part.id,
      value: texts.map(readable).join(' '),
      contributes,
      hint: part.hint ?? '',
    })
    part.values.forEach((value, index) => {
      if (typeof value !== 'string') visit(value, depth + 1, `${path}.${index}`, contributes)
    })
  }
  visit(component, 0, component.id, true)
  return lines
}
