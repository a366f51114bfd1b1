import type { Work } from '../../lib/work.ts'
import type { ClassHead, MappedMethod } from './class-mapping.ts'
import type { OpenMapping, Read, ReadHead, ReadMethods } from './open-mapping.ts'
import type { NameForm } from './prepared-mapping.ts'

/**
 * The classes of a mapping for one event, each of which is read once for it. What that takes is counted whether or not it is
 * held since another event, so that an event ends the same whatever was read before it.
 */
export class EventClasses {
  private readonly mapping: Pick<OpenMapping, 'headOf' | 'methodsOf'>
  private readonly work: Work
  private readonly heads = new Map<string, ReadHead>()
  private readonly methods = new Map<string, ReadMethods>()

  constructor(mapping: Pick<OpenMapping, 'headOf' | 'methodsOf'>, work: Work) {
    this.mapping = mapping
    this.work = work
  }

  /** Null for a class that the mapping does not have; also when the work of the event is spent. */
  headOf(name: string, form: NameForm): ClassHead | null {
    return this.once(this.heads, `${form} ${name}`, () => this.mapping.headOf(name, form))
  }

  /** The same, with the methods that have a name in the app. */
  methodsOf(
    className: string,
    name: string,
  ): { readonly head: ClassHead; readonly methods: readonly MappedMethod[] } | null {
    return this.once(this.methods, `${className} ${name}`, () => this.mapping.methodsOf(className, name))
  }

  private once<Value>(read: Map<string, Read<Value | null>>, key: string, ask: () => Read<Value | null>): Value | null {
    if (this.work.isSpent) return null
    const known = read.get(key)
    if (known !== undefined) return known.found
    const found = ask()
    this.work.spend(found.steps)
    read.set(key, found)
    return found.found
  }
}
