import { NodeType } from './events.ts'
import { fieldsOf, isFields, textOf, type Fields } from './fields.ts'
import type { NewNode, PageNode } from './page-tree.ts'
import { canHost, standsInShadow } from './shadow-roots.ts'
import { isSheetLink, withoutLink } from './sheet-links.ts'

/** What is remembered of a node of a recorded page, flat: no value in it is a list or an object, but `attributes`. */

/** Names that every object has, which no element needs. */
const isInherited = (name: string): boolean => name in Object.prototype

/** A property of an inline style as rrweb writes its changes: a value, a value and how important it is, or false. */
export type StyleChange = string | false | readonly [string, string]

/** What a node, and each of its attributes, takes beside its text. */
const WEIGHT = 16

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0

const isFlat = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

const FLAGS = ['isSVG', 'isCustom', 'needBlock', 'isShadowHost'] as const

const flagsOf = (node: Fields): Fields => {
  const flags: Record<string, true> = {}
  for (const name of FLAGS) if (node[name] === true) flags[name] = true
  return flags
}

const attributesOf = (given: Fields): Fields => {
  const attributes: Record<string, unknown> = {}
  for (const name of Object.keys(given)) {
    const value = given[name]
    if (isFlat(value) && !isInherited(name)) attributes[name] = value
  }
  return attributes
}

const rootOf = ({ rootId }: Fields): Fields => (isId(rootId) ? { rootId } : {})

const elementOf = (node: Fields, id: number): Fields => {
  const given = fieldsOf(node['attributes'])
  const name = textOf(node['tagName'])
  const isSheet = isSheetLink(name.toLowerCase(), given)
  const { isSVG, isShadowHost, ...flags } = flagsOf(node)
  const isSvg = isSVG === true && !isSheet
  const attributes = isSheet ? withoutLink(given) : given
  return {
    type: NodeType.Element,
    id,
    tagName: isSheet ? 'style' : name,
    attributes: attributesOf(attributes),
    ...(isSvg ? { isSVG } : {}),
    ...(isShadowHost === true && canHost(name.toLowerCase(), isSvg) ? { isShadowHost } : {}),
    ...flags,
    ...rootOf(node),
  }
}

const otherOf = (node: Fields, id: number): Fields | null => {
  const { type } = node
  switch (type) {
    case NodeType.DocumentType:
      return {
        type,
        id,
        name: textOf(node['name']),
        publicId: textOf(node['publicId']),
        systemId: textOf(node['systemId']),
        ...rootOf(node),
      }
    case NodeType.Text:
      return {
        type,
        id,
        textContent: textOf(node['textContent']),
        ...(node['isStyle'] === true ? { isStyle: true } : {}),
        ...rootOf(node),
      }
    case NodeType.CData:
    case NodeType.Comment:
      return { type: NodeType.Comment, id, textContent: textOf(node['textContent']), ...rootOf(node) }
    default:
      return null
  }
}

/** Whether a node can have a child of this type at all. A document stands at the top, or in a frame. */
const fits = (type: unknown, parent: PageNode | null): boolean => {
  if (type === NodeType.Document) return parent === null || parent.tag === 'iframe'
  if (parent === null || parent.tag === 'iframe') return false
  if (parent.type === NodeType.Document) return type !== NodeType.Text
  return parent.type === NodeType.Element && type !== NodeType.DocumentType
}

/** Null for what is no node, or none for its parent. */
export const readNode = (
  node: Fields,
  parent: PageNode | null,
  /** By a mutation, not as a part of something whole. */
  isAdded: boolean,
): NewNode | null => {
  const { id, type } = node
  if (!isId(id) || !fits(type, parent)) return null
  if (type === NodeType.Document) {
    const data = { type, id, ...(node['compatMode'] === 'BackCompat' ? { compatMode: 'BackCompat' } : {}) }
    return { id, type, tag: '', isShadow: false, data }
  }
  const isShadow = parent?.type === NodeType.Element && standsInShadow(node, parent, isAdded)
  const data = type === NodeType.Element ? elementOf(node, id) : otherOf(node, id)
  if (data === null) return null
  const tag = type === NodeType.Element ? textOf(data['tagName']).toLowerCase() : ''
  return { id, type: Number(data['type']), tag, isShadow, data: isShadow ? { ...data, isShadow } : data }
}

/** Characters that a node takes, as it is written, about. */
export const weightOf = (data: Fields): number => {
  let weight = WEIGHT + textOf(data['textContent']).length + textOf(data['name']).length
  const { attributes } = data
  if (!isFields(attributes)) return weight + textOf(data['publicId']).length + textOf(data['systemId']).length
  for (const name of Object.keys(attributes)) weight += weightOfAttribute(name, attributes[name])
  return weight + textOf(data['tagName']).length
}

const weightOfAttribute = (name: string, value: unknown): number =>
  value === undefined ? 0 : WEIGHT + name.length + textOf(value).length

/** Attributes of an element, which nobody else has. */
const ownAttributes = ({ data }: PageNode): Record<string, unknown> => data['attributes'] as Record<string, unknown>

/**
 * Changes attributes of an element; those that are null go. It takes as long as there are changes, however many the element
 * has: pages change one of them over and over.
 *
 * @param room characters that may come
 * @returns how many more there are
 */
export const changeAttributes = (node: PageNode, changes: Fields, room: number): number => {
  const attributes = ownAttributes(node)
  const changed = Object.entries(changes).filter(([name, value]) => isFlatOrGone(value) && !isInherited(name))
  let more = 0
  for (const [name, value] of changed) {
    more += weightOfAttribute(name, value ?? undefined) - weightOfAttribute(name, attributes[name])
  }
  if (more > room) return 0
  node.json = null
  for (const [name, value] of changed) {
    if (value === null) delete attributes[name]
    else attributes[name] = value
  }
  return more
}

const isFlatOrGone = (value: unknown): boolean => value === null || isFlat(value)
