import { LIMITS } from '../limits.ts'

/** A place in the tree: one part of paths, after those above it. Times are hours since the epoch. */
interface Place {
  children: Map<string, Place> | null
  seen: number
  /** When the hours began in which its new children are counted, and how many came since. */
  since: number
  fresh: number
}

/** As it is stored. */
type SavedPlace = readonly [seen: number, since: number, fresh: number, children: readonly SavedChild[]]
type SavedChild = readonly [part: string, place: SavedPlace]

const newPlace = (hour: number): Place => ({ children: null, seen: hour, since: hour, fresh: 0 })

const save = ({ children, fresh, seen, since }: Place): SavedPlace => [
  seen,
  since,
  fresh,
  [...(children ?? [])].map(([part, place]): SavedChild => [part, save(place)]),
]

const restore = ([seen, since, fresh, children]: SavedPlace): Place => ({
  seen,
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

/**
 * The names of a project's transactions, by the parts of their paths. It is bounded: what finds no place is told so, and
 * what was not seen for a day gives way. Of a place with many different children that came within some hours, these are
 * taken for ids: they become one child, `*`, and a rule.
 */
export class NameTree {
  /** Of paths, and of names that are not looked into. */
  #paths: Place
  #wholes: Place
  #places = 0
  #chars = 0
  #prunedAt = 0
  #revision = 0

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

  /** Another number once names came or went. */
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
        if (place !== root && (place.children?.size ?? 0) >= LIMITS.NAME_CHILDREN) return false
        return this.#hasRoom(rest, hour) && this.#extend(place, rest, hour)
      }
      known.seen = hour
      place = known
    }
    return true
  }

  #extend(place: Place, parts: readonly string[], hour: number): true {
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
      const child = newPlace(hour)
      last.children ??= new Map()
      last.children.set(part, child)
      this.#places += 1
      this.#chars += part.length
      last = child
    }
    return true
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
    const ids = [...(place.children?.keys() ?? [])].filter(mayBeId)
    const paths = ids
      .slice(-LIMITS.NAME_EXAMPLES)
      .map((id) => [...above, id, ...somethingBelow(place.children?.get(id))].join('/'))
    const star = place.children?.get('*') ?? newPlace(place.seen)
    for (const [part, child] of place.children ?? []) {
      if (!mayBeId(part)) continue
      place.children?.delete(part)
      merge(child, star)
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
    const sizes = [this.#paths, this.#wholes].map(sizeOf)
    this.#places = sizes.reduce((sum, { places }) => sum + places, 0)
    this.#chars = sizes.reduce((sum, { chars }) => sum + chars, 0)
  }
}
