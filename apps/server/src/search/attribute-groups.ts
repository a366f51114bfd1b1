import { ATTRIBUTE_NAMES } from './attribute-names.ts'

/** What attributes are called, today and before, and of which type their values are. */
export interface AttributeGroup {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'list'
  /** Today's name first. */
  readonly names: readonly string[]
}

const readGroups = (): ReadonlyMap<string, AttributeGroup> => {
  const groups = new Map<string, AttributeGroup>()
  for (const line of ATTRIBUTE_NAMES.trim().split('\n')) {
    const [type, ...names] = line.split(' ')
    const group = { type: type as AttributeGroup['type'], names }
    for (const name of names) groups.set(name, groups.get(name) ?? group)
  }
  return groups
}

let groups: ReadonlyMap<string, AttributeGroup> | null = null

/** Null for a name that no convention knows. */
export const attributeGroupOf = (name: string): AttributeGroup | null => {
  groups ??= readGroups()
  return groups.get(name) ?? null
}
