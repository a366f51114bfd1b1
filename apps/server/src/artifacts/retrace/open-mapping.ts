import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'
import { readClassHead, readMethods, type ClassHead, type MappedMethod } from './class-mapping.ts'
import type { NameForm, PreparedMapping } from './prepared-mapping.ts'

/** What was read, and the steps that it takes, as counted for an event whether or not it was held. */
export interface Read<Value> {
  readonly found: Value
  readonly steps: number
}

/** Null for a class that the mapping does not have. */
export type ReadHead = Read<ClassHead | null>
export type ReadMethods = Read<{ readonly head: ClassHead; readonly methods: readonly MappedMethod[] } | null>
type ReadPart = Read<string | null>

/** About what one takes in memory. */
const METHOD_BYTES = 400
const ENTRY_BYTES = 200

/** The first lines of a class, with the file that it was written in. */
const HEAD_BYTES = 2048

let opened = 0

/** A mapping, with what was asked for last. */
export class OpenMapping {
  /** Another one for each that is opened, so that what follows from one is not taken for what follows from another. */
  readonly number = (opened += 1)
  readonly bytes: number
  private readonly mapping: PreparedMapping
  private readonly heads: RecentMap<string, ReadHead>
  private readonly methods: RecentMap<string, ReadMethods>
  private readonly parts: RecentMap<string, ReadPart>

  /** @param heldBytes of what is read, beside the mapping */
  constructor(mapping: PreparedMapping, heldBytes: number = LIMITS.PROGUARD_CLASSES_HELD_BYTES) {
    this.mapping = mapping
    this.bytes = mapping.bytes + heldBytes
    // Most frames are of methods that were looked up before; the text of a class serves those that come together.
    this.heads = new RecentMap(heldBytes / 8)
    this.methods = new RecentMap((heldBytes * 5) / 8)
    this.parts = new RecentMap(heldBytes / 4)
  }

  headOf(name: string, form: NameForm): ReadHead {
    const key = `${form} ${name}`
    const known = this.heads.get(key)
    if (known !== undefined) return known
    const { places, text } = this.mapping.partOf(name, form, HEAD_BYTES)
    const read = { found: text === null ? null : readClassHead(text), steps: stepsOf(name, places, text) }
    this.heads.set(key, read, ENTRY_BYTES + 4 * key.length)
    return read
  }

  /** @param className as the app has it */
  methodsOf(className: string, name: string): ReadMethods {
    const key = `${className} ${name}`
    const known = this.methods.get(key)
    if (known !== undefined) return known
    const part = this.partOf(className)
    const methods = part.found === null ? [] : readMethods(part.found, name)
    const read = {
      found: part.found === null ? null : { head: readClassHead(part.found), methods },
      steps: part.steps + stepsOf(name, 0, part.found) + methods.length * LIMITS.RETRACE_LINE_STEPS,
    }
    this.methods.set(key, read, ENTRY_BYTES + 2 * key.length + methods.length * METHOD_BYTES)
    return read
  }

  private partOf(className: string): ReadPart {
    const known = this.parts.get(className)
    if (known !== undefined) return known
    const { places, text } = this.mapping.partOf(className, 'obfuscated', LIMITS.PROGUARD_CLASS_BYTES)
    const read = { found: text, steps: stepsOf(className, places, text) }
    this.parts.set(className, read, ENTRY_BYTES + 2 * (className.length + (text?.length ?? 0)))
    return read
  }
}

const stepsOf = (name: string, places: number, text: string | null): number =>
  places * LIMITS.RETRACE_CLASS_STEPS + Math.ceil((name.length + (text?.length ?? 0)) / LIMITS.RETRACE_STEP_CHARACTERS)
