import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'

/** A place in the tree: one part of paths, after those above it. Times are hours since the epoch. */
interface Place {
  children: Map<string, Place> | null
  seen: number
  /** How often, up to a most. */
  times: number
  /** When the hours began in which its new children are counted, and how many came since. */
  since: number
  fresh: number
}

/** As it is stored. */
type SavedPlace = readonly [seen: number, since: number, fresh: number, children: readonly SavedChild[], times?: number]
type SavedChild = readonly [part: string, place: SavedPlace]

const newPlace = (hour: number, times = 1): Place => ({ children: null, seen: hour, times, since: hour, fresh: 0 })

const save = ({ children, fresh, seen, since, times }: Place): SavedPlace => [
  seen,
  since,
  fresh,
  [...(children ?? [])].map(([part, place]): SavedChild => [part, save(place)]),
  times,
]

/** Trees that were stored before names were counted have no number. */
const restore = ([seen, since, fresh, children, times = 1]: SavedPlace): Place => ({
  seen,
  times,
  since,
  fresh,
  children: children.length === 0 ? null : new Map(children.map(([part, place]) => [part, restore(place)])),
})

/** How many places are below one, and how many characters they have. */
const sizeOf = ({ children }: Place): { places: number; chars: number } => {
  const size = { places: 0, chars: 0 }
  for (const [part, child] of children ?? []) {
    const below = sizeOf(child)
    size.places += 1 + below.places
    size.chars += part.length + below.chars
  }
  return size
}

/** What may be an id, and is none that is known as one already. */
const mayBeId = (part: string): boolean => part !== '' && part !== '*'

/** What came so often by itself is no id, whatever comes beside it. */
const isOften = ({ times }: Place): boolean => times >= LIMITS.NAME_OFTEN

const atMost = (times: number): number => Math.min(times, LIMITS.NAME_TIMES)

/** How much there is to be said for keeping it. */
const weightOf = ({ seen, times }: Place, hour: number): number => (hour - seen > LIMITS.NAME_PLACE_HOURS ? 0 : times)

/** A place without places below it, and what it weighed when it was looked for. */
interface Leaf {
  readonly above: Place
  readonly part: string
  readonly place: Place
  readonly weight: number
}

const leavesOf = (above: Place, hour: number): Leaf[] =>
  [...(above.children ?? [])].flatMap(([part, place]) =>
    place.children === null || place.children.size === 0
      ? [{ above, part, place, weight: weightOf(place, hour) }]
      : leavesOf(place, hour),
  )

/** Whether to look who gives way to a name that waits: when it came 3, 7, 15, … times, since looking takes time. */
const isTimeToLook = (times: number): boolean => times > 2 && Number.isInteger(Math.log2(times + 1))

/** The one that weighs least is last. */
const byWeight = (one: Leaf, other: Leaf): number => other.weight - one.weight

/**
 * Whether a rule below it would say anything: above it stands more than `*` and the origin of an address. What stands at
 * the top of a site are its sections, however many there are.
 */
const isBelowSomething = (path: readonly string[]): boolean =>
  (path[0]?.endsWith(':') === true ? path.slice(3) : path).some(mayBeId)

/** The parts of one path below a place. */
const somethingBelow = (place: Place | undefined): string[] => {
  const [first] = place?.children ?? []
  return first === undefined ? [] : [first[0], ...somethingBelow(first[1])]
}

/** What is deeper is one part. */
const bounded = (path: readonly string[]): readonly string[] => {
  const most = LIMITS.NAME_PARTS - 1
  return path.length > most ? [...path.slice(0, most), path.slice(most).join('/')] : path
}

const merge = (from: Place, into: Place): void => {
  into.seen = Math.max(into.seen, from.seen)
  into.times = atMost(into.times + from.times)
  for (const [part, child] of from.children ?? []) {
    into.children ??= new Map()
    const known = into.children.get(part)
    if (known !== undefined) merge(child, known)
    else {
      into.children.set(part, child)
      if (mayBeId(part)) into.fresh += 1
    }
  }
}

/** Removes what was not seen since an hour. */
const prune = ({ children }: Place, hour: number): void => {
  for (const [part, child] of children ?? []) {
    prune(child, hour)
    if (child.seen < hour && (child.children?.size ?? 0) === 0) children?.delete(part)
  }
}

export interface LearnedRule {
  readonly pattern: string
  /** Some of the paths that it was learned from. */
  readonly paths: readonly string[]
}

export interface Added {
  /** There was room for it. */
  readonly fits: boolean
  /** Rules that follow from it. */
  readonly learned: readonly LearnedRule[]
}

/** What a name is that found no place, and why it did not. */
interface Waiting {
  readonly hour: number
  readonly times: number
  /** There are too many beside it; otherwise there are too many at all. */
  readonly isCrowded: boolean
}

/**
 * The names of a project's transactions, by the parts of their paths. It is bounded: what finds no place is told so, until
 * it came more than twice as often as one that has a place: that one gives way, as does what was not seen for a day. So
 * names that somebody makes up take no places from those that are in use. Of a place with many different children that
 * came within some hours, these are taken for ids: they become one child, `*`, and a rule. Those that came often stay.
 */
export class NameTree {
  /** Of paths, and of names that are not looked into. */
  #paths: Place
  #wholes: Place
  #places = 0
  #chars = 0
  #prunedAt = 0
  #revision = 0
  /** How often names came that found no place. They are counted anew after a restart. */
  readonly #waiting = new RecentMap<string, number>(LIMITS.NAME_WAITING_CHARS)
  /** Who gives way next: the last one. */
  #weakest: Leaf[] = []

  constructor(hour: number) {
    this.#paths = newPlace(hour)
    this.#wholes = newPlace(hour)
  }

  /** @param text what `toText` gave; one that cannot be read begins anew */
  static ofText(text: string, hour: number): NameTree {
    const tree = new NameTree(hour)
    try {
      const [paths, wholes] = JSON.parse(text) as readonly [SavedPlace, SavedPlace]
      tree.#paths = restore(paths)
      tree.#wholes = restore(wholes)
      tree.#count()
    } catch {
      return new NameTree(hour)
    }
    return tree
  }

  toText(): string {
    return JSON.stringify([save(this.#paths), save(this.#wholes)])
  }

  /** Another number once names came or went, or came twice as often as before. */
  get revision(): number {
    return this.#revision
  }

  get places(): number {
    return this.#places
  }

  /** Whether it was added as a whole. */
  hasWhole(name: string): boolean {
    return this.#wholes.children?.has(name) === true
  }

  /** Whether it is known, or there is room for it. */
  fits(path: readonly string[]): boolean {
    let place = this.#paths
    const parts = bounded(path)
    for (const [index, part] of parts.entries()) {
      const known = place.children?.get(part)
      if (known === undefined) return this.#isRoomFor(parts.slice(index))
      place = known
    }
    return true
  }

  /** The same of a whole. */
  fitsWhole(name: string): boolean {
    return this.hasWhole(name) || this.#isRoomFor([name])
  }

  /** Whether one of the parts that another name has `*` for came often by itself. */
  keeps(path: readonly string[], named: readonly string[]): boolean {
    let place: Place | undefined = this.#paths
    for (const [index, part] of bounded(path).entries()) {
      const name = named[index] ?? part
      const known = place?.children?.get(part)
      if (part !== name && known !== undefined && isOften(known)) return true
      place = place?.children?.get(name)
    }
    return false
  }

  /** A name of which no part is an id. */
  addWhole(name: string, hour: number): boolean {
    return this.#add(this.#wholes, [name], hour)
  }

  /** @param mayLearn whether a rule may be made */
  addPath(path: readonly string[], hour: number, mayLearn: (rule: string) => boolean): Added {
    const parts = bounded(path)
    if (!this.#add(this.#paths, parts, hour)) return { fits: false, learned: [] }
    let place = this.#paths
    for (const [index, part] of parts.entries()) {
      const learned = place.fresh < LIMITS.NAME_SLUGS ? [] : this.#learn(place, parts.slice(0, index), mayLearn)
      if (learned.length > 0) return { fits: true, learned }
      const next = place.children?.get(part)
      if (next === undefined) break
      place = next
    }
    return { fits: true, learned: [] }
  }

  #add(root: Place, parts: readonly string[], hour: number): boolean {
    let place = root
    for (const [index, part] of parts.entries()) {
      const known = place.children?.get(part)
      if (known === undefined) {
        const rest = parts.slice(index)
        const isCrowded = place !== root && (place.children?.size ?? 0) >= LIMITS.NAME_CHILDREN
        if (!isCrowded && this.#hasRoom(rest, hour)) return this.#extend(place, rest, hour, 1)
        const key = `${root === this.#paths ? '/' : ''}${parts.join('/')}`
        const times = (this.#waiting.get(key) ?? 0) + 1
        this.#waiting.set(key, times, key.length)
        if (!isTimeToLook(times) || !this.#makesRoom(place, rest, { hour, times, isCrowded })) return false
        this.#waiting.delete(key)
        return this.#extend(place, rest, hour, atMost(times))
      }
      this.#see(known, hour)
      place = known
    }
    return true
  }

  /** Its number is worth being stored each time it doubled. */
  #see(place: Place, hour: number): void {
    place.seen = hour
    if (place.times >= LIMITS.NAME_TIMES) return
    place.times += 1
    if ((place.times & (place.times - 1)) === 0) this.#revision += 1
  }

  #extend(place: Place, parts: readonly string[], hour: number, times: number): true {
    let last = place
    this.#revision += 1
    for (const part of parts) {
      if (mayBeId(part)) {
        if (hour - last.since >= LIMITS.NAME_LEARNING_HOURS) {
          last.since = hour
          last.fresh = 0
        }
        last.fresh += 1
      }
      const child = newPlace(hour, times)
      last.children ??= new Map()
      last.children.set(part, child)
      this.#places += 1
      this.#chars += part.length
      last = child
    }
    return true
  }

  /** Lets go what came less than half as often as a name that waits. */
  #makesRoom(place: Place, parts: readonly string[], { hour, isCrowded, times }: Waiting): boolean {
    const givesWay = (leaf: Leaf | undefined): boolean => leaf !== undefined && leaf.weight * 2 < times
    if (isCrowded) {
      const leaf = leavesOf(place, hour)
        .filter(({ above }) => above === place)
        .toSorted(byWeight)
        .at(-1)
      if (leaf === undefined || !givesWay(leaf)) return false
      this.#remove(leaf)
    }
    while (!this.#isRoomFor(parts)) {
      const leaf = this.#weakestLeaf(place, hour)
      if (leaf === undefined || !givesWay(leaf)) return false
      this.#remove(leaf)
    }
    return true
  }

  /** The one to give way, but for the place that is added to. All are looked at once for many of them. */
  #weakestLeaf(but: Place, hour: number): Leaf | undefined {
    const isAsItWas = ({ above, part, place, weight }: Leaf): boolean =>
      place !== but &&
      above.children?.get(part) === place &&
      (place.children?.size ?? 0) === 0 &&
      weightOf(place, hour) <= weight
    while (this.#weakest.length > 0) {
      const leaf = this.#weakest.at(-1)
      if (leaf !== undefined && isAsItWas(leaf)) return leaf
      this.#weakest.pop()
    }
    this.#weakest = [this.#paths, this.#wholes]
      .flatMap((root) => leavesOf(root, hour))
      .filter(({ place }) => place !== but)
      .toSorted(byWeight)
      .slice(-LIMITS.NAME_WEAKEST)
    return this.#weakest.at(-1)
  }

  #remove({ above, part }: Leaf): void {
    above.children?.delete(part)
    this.#places -= 1
    this.#chars -= part.length
    this.#revision += 1
  }

  #isRoomFor(parts: readonly string[]): boolean {
    const chars = parts.reduce((sum, { length }) => sum + length, 0)
    return this.#places + parts.length <= LIMITS.NAME_PLACES && this.#chars + chars <= LIMITS.NAME_PLACES_CHARS
  }

  #hasRoom(parts: readonly string[], hour: number): boolean {
    if (this.#isRoomFor(parts)) return true
    if (this.#prunedAt === hour) return false
    this.#prunedAt = hour
    for (const root of [this.#paths, this.#wholes]) prune(root, hour - LIMITS.NAME_PLACE_HOURS)
    this.#count()
    return this.#isRoomFor(parts)
  }

  #learn(place: Place, above: readonly string[], mayLearn: (rule: string) => boolean): LearnedRule[] {
    const pattern = [...above, '*', '**'].join('/')
    if (!isBelowSomething(above) || !mayLearn(pattern)) return []
    const ids = [...(place.children ?? [])].flatMap(([part, child]) => (mayBeId(part) && !isOften(child) ? [part] : []))
    if (ids.length < LIMITS.NAME_SLUGS) {
      place.fresh = ids.length
      return []
    }
    const paths = ids
      .slice(-LIMITS.NAME_EXAMPLES)
      .map((id) => [...above, id, ...somethingBelow(place.children?.get(id))].join('/'))
    const star = place.children?.get('*') ?? newPlace(place.seen)
    for (const id of ids) {
      const child = place.children?.get(id)
      if (child !== undefined) merge(child, star)
      place.children?.delete(id)
    }
    place.children?.set('*', star)
    place.fresh = 0
    this.#count()
    return [
      { pattern, paths },
      ...(star.fresh >= LIMITS.NAME_SLUGS ? this.#learn(star, [...above, '*'], mayLearn) : []),
    ]
  }

  #count(): void {
    this.#revision += 1
    this.#weakest = []
    const sizes = [this.#paths, this.#wholes].map(sizeOf)
    this.#places = sizes.reduce((sum, { places }) => sum + places, 0)
    this.#chars = sizes.reduce((sum, { chars }) => sum + chars, 0)
  }
}
