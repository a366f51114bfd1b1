import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'
import { readClassMapping, type ClassMapping } from './class-mapping.ts'
import type { NameForm, PreparedMapping } from './prepared-mapping.ts'

interface ReadClass {
  /** Null for a class that the mapping does not have. */
  readonly found: ClassMapping | null
  /** What finding and reading it takes. */
  readonly steps: number
}

/** A mapping, with the classes that were asked for last. */
export class OpenMapping {
  readonly bytes: number
  private readonly mapping: PreparedMapping
  private readonly read = new RecentMap<string, ReadClass>(LIMITS.PROGUARD_CLASSES_HELD_BYTES)

  constructor(mapping: PreparedMapping) {
    this.mapping = mapping
    this.bytes = mapping.bytes + LIMITS.PROGUARD_CLASSES_HELD_BYTES
  }

  classOf(name: string, form: NameForm): ReadClass {
    const key = `${form} ${name}`
    const known = this.read.get(key)
    if (known !== undefined) return known
    const { places, text } = this.mapping.partOf(name, form)
    const characters = text?.length ?? 0
    const read = {
      found: text === null ? null : readClassMapping(text),
      steps: name.length + characters + places * LIMITS.RETRACE_CLASS_STEPS,
    }
    // What was read takes a few times its text.
    this.read.set(key, read, key.length + 4 * characters)
    return read
  }
}
